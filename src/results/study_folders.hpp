// The results of studies in a folder. They hold no times of day and nothing of how the work was
// split; summary.json is removed first and written last, so a folder without it is incomplete.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gradus/fit.hpp"
#include "gradus/optimize.hpp"
#include "gradus/sweep.hpp"
#include "src/results/csv.hpp"
#include "src/results/file_formats.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {

// Arrays of all designs that need not be in memory at once: numbers at any address, piece by piece
// in the order of the designs.
struct SweepPieces {
  std::vector<std::span<const std::byte>> gradient;  // [n_design, n_objective, n_parameter]
  std::vector<std::span<const std::byte>> sensors;   // [n_design, n_time, n_component]
  std::vector<double> time;                          // [n_time]
  std::vector<NamedUnit> sensor_components;
};

// designs.npz, trajectories.npz, statistics.csv, drivers.csv and "gradus-sweep/1"; as HDF5
// designs.h5 and trajectories.h5, as CSV trajectories.csv. Throws FileError.
void write_sweep(const std::filesystem::path& folder, const SweepResult& result,
                 const SweepPieces& pieces, FileFormats formats = {});

// starts.csv, history.csv and "gradus-optimize/1". Throws FileError.
void write_optimization(const std::filesystem::path& folder, const OptimizationResult& result);

// residuals.csv, history.csv, starts.csv and "gradus-fit/1". Throws FileError.
void write_fit(const std::filesystem::path& folder, const FitResult& result);

// What they share. --------------------------------------------------------------------------------

// Schema, version, status ("ok" or "failed") and how designs were run.
Json study_head(const std::string& schema, bool ok, const StudyRun& run);

// starts.csv, a row for each start of an optimisation or a fit: columns "start NAME" and "found
// NAME" of the variables, then those of `headings`, filled by `cells` of the start, then
// "converged" and "reason".
template <typename Variables, typename Starts, typename Cells>
std::string starts_csv(const Variables& variables, const Starts& starts,
                       const std::vector<std::string>& headings, const Cells& cells) {
  std::vector<std::string> row{"start"};
  const auto add = [&row](const std::vector<std::string>& fields) {
    row.insert(row.end(), fields.begin(), fields.end());
  };
  for (const char* what : {"start ", "found "})
    for (const auto& variable : variables) row.push_back(what + variable.name);
  add(headings);
  add({"converged", "reason"});
  std::string text = csv_row(row);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    row = {std::to_string(k)};
    for (const auto* values : {&starts[k].start, &starts[k].point})
      for (const double value : *values) row.push_back(csv_field(value));
    add(cells(starts[k]));
    add({starts[k].converged ? "true" : "false", starts[k].reason});
    text += csv_row(row);
  }
  return text;
}

}  // namespace gradus::results
