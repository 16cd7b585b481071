// Parts of the section "sweep" of a study file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"
#include "src/model/json_element.hpp"

namespace gradus {

// A whole number in this range, at most 2^53.
std::uint64_t whole_number(const JsonElement& element, std::uint64_t smallest,
                           std::uint64_t largest);

// The values of one axis of a grid.
std::vector<double> read_axis(const JsonElement& element);

// The distribution of one parameter of a sample; its standard deviation may come from a covariance,
// and then it must not be given.
Distribution read_distribution(const JsonElement& element, bool deviation_is_given);

// "correlation" or "covariance": names and numbers; whether they fit is checked with the sweep.
Dependence read_dependence(const JsonElement& element, bool is_covariance);

// The designs of a CSV or NPY file, by the end of its name. CSV has its own names of columns: the
// parameters, if any are given, are put into their order, and otherwise taken from there.
// `where` opens messages about the file. Throws InputError and FileError.
std::vector<double> read_design_list(const std::string& content, const std::string& where,
                                     std::vector<SweepParameter>& parameters);

}  // namespace gradus
