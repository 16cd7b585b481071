// Recorded motions as plots over time.
#pragma once

#include <filesystem>

#include "src/report/blocks.hpp"

namespace gradus::report {

// One choice per sensor, a line per component; of several designs their median and what lies
// between 5 and 95 %. Null if the file is not there. Throws FileError.
Json sensor_plots(const std::filesystem::path& file);

}  // namespace gradus::report
