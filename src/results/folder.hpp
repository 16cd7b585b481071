// The folder of results: gradient.npz, trajectory.npz where motions were recorded, and
// summary.json; on request gradient.h5 and trajectory.h5.
#pragma once

#include <filesystem>

#include "gradus/result.hpp"
#include "gradus/run.hpp"

namespace gradus::results {

// summary.json is removed first and written last, so a folder without it is incomplete. Throws
// FileError.
void write_results(const std::filesystem::path& folder, const Result& result,
                   const Options& options = {}, bool hdf5 = false);

}  // namespace gradus::results
