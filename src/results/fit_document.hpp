// The results of a fit in a folder: residuals.csv, history.csv, starts.csv and, last, summary.json.
// They hold no times of day and nothing of how the work was split.
#pragma once

#include <filesystem>
#include <string>

#include "gradus/fit.hpp"

namespace gradus::results {

// Throws FileError. A folder without summary.json is not complete.
void write_fit(const std::filesystem::path& folder, const FitResult& result);

// "gradus-fit/1": what summary.json holds.
std::string fit_document(const FitResult& result);

}  // namespace gradus::results
