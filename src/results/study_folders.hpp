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

// designs.npz, trajectories.npz, statistics.csv, drivers.csv and "gradus-sweep/1"; with `hdf5`
// designs.h5 and trajectories.h5 too. Throws FileError.
void write_sweep(const std::filesystem::path& folder, const SweepResult& result,
                 const SweepPieces& pieces, bool hdf5 = false);

// starts.csv, history.csv and "gradus-optimize/1". Throws FileError.
void write_optimization(const std::filesystem::path& folder, const OptimizationResult& result);

// residuals.csv, history.csv, starts.csv and "gradus-fit/1". Throws FileError.
void write_fit(const std::filesystem::path& folder, const FitResult& result);

// What they share. --------------------------------------------------------------------------------

// Schema, version, status ("ok" or "failed") and how designs were run.
Json study_head(const std::string& schema, bool ok, const StudyRun& run);

// One start of an optimisation or a fit: where it began, what it found, and cells of its own.
struct StartRow {
  const std::vector<double>& start;
  const std::vector<double>& point;
  std::vector<std::string> cells;
  bool converged;
  const std::string& reason;
};

// starts.csv: columns "start NAME" and "found NAME" of the variables, then those of `headings`,
// "converged" and "reason".
std::string starts_csv(const std::vector<std::string>& variables,
                       const std::vector<std::string>& headings, const std::vector<StartRow>& rows);

}  // namespace gradus::results
