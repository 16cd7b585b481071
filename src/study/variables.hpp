// The variables of optimisations and fits: their checks, and the points that starts begin at.
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

// Throws InputError if there are none, for names that are repeated or not in the model, bounds out
// of order, starts outside them, and infinite bounds with several starts. `where` opens messages
// and stands for the object of variables.
void check_variables(const std::vector<Variable>& variables, const Model& model, std::size_t starts,
                     const std::string& where);

// Throw InputError for settings that are not strictly between 0 and 1, or not from 1 to `most`.
// `where` stands for the object that holds the setting.
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
