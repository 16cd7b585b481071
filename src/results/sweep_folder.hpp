// The results of a sweep in a folder: designs.npz, trajectories.npz, statistics.csv, drivers.csv
// and, last, summary.json; on request designs.h5 and
// trajectories.h5. They hold no times and nothing of how the work was split.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"

namespace gradus::results {

// Arrays of all designs that need not be in memory at once: numbers at any address, piece by piece
// in the order of the designs.
struct SweepPieces {
  std::vector<std::span<const std::byte>> gradient;  // [n_design, n_objective, n_parameter]
  std::vector<std::span<const std::byte>> sensors;   // [n_design, n_time, n_component]
  std::vector<double> time;                          // [n_time]
  std::vector<NamedUnit> sensor_components;
};

// Throws FileError. A folder without summary.json is not complete.
void write_sweep(const std::filesystem::path& folder, const SweepResult& result,
                 const SweepPieces& pieces, bool hdf5 = false);

// "gradus-sweep/1": what summary.json holds.
std::string sweep_document(const SweepResult& result);

}  // namespace gradus::results
