// The variables of optimisations and fits: what is wrong with them, and where starts lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/optimize.hpp"

namespace gradus {

// All starts run at the same time, each on a thread that mostly waits.
inline constexpr std::size_t most_starts = 4096;

// Throws InputError for what is no set of variables: none, twice the same, not of the model, bounds
// that are not in order, starts outside them, bounds that several starts lack. `where` opens
// messages and stands for the object of variables.
void check_variables(const std::vector<Variable>& variables, const Model& model, std::size_t starts,
                     const std::string& where);

// What is wrong with a setting: not above 0 and below 1, or not from 1 to `most`. Throw InputError;
// `where` stands for the object that holds it.
void check_fraction(double value, const std::string& where, const std::string& name);
void check_count(std::size_t value, std::size_t most, const std::string& where,
                 const std::string& name);

// Their parameters, by index in the model.
std::vector<std::size_t> variable_indices(const std::vector<Variable>& variables,
                                          const Model& model);

// [starts][n_variable]: the first as the variables say, the others a Latin hypercube between the
// bounds.
std::vector<std::vector<double>> start_points(const std::vector<Variable>& variables,
                                              std::size_t starts, std::uint64_t seed);

}  // namespace gradus
