// The results of an optimisation: summary.json, starts.csv and history.csv.
#pragma once

#include <filesystem>
#include <string>

#include "gradus/optimize.hpp"

namespace gradus::results {

// "gradus-optimize/1": what summary.json holds.
std::string optimization_document(const OptimizationResult& result);

// summary.json is removed first and written last. Throws FileError.
void write_optimization(const std::filesystem::path& folder, const OptimizationResult& result);

}  // namespace gradus::results
