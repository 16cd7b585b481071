// Recorded motions as CSV: one table, a row for each design and time.
//
// Columns are named "KIND NAME [UNIT]", units of 1 included: "time [s]", "coordinate A [rad]",
// "rate A [rad/s]", "acceleration A [rad/s^2]", "sensor tip.x [m]", and for a derivative
// "sensor tip.x by L [m/m]"; objectives likewise. The first column is "design" where there are
// several. A design that ended early has fewer rows.
#pragma once

#include "gradus/result.hpp"
#include "src/results/sink.hpp"
#include "src/results/study_folders.hpp"

namespace gradus::results {

// All that the trajectories of a run hold; just the header if nothing was recorded.
void write_motions_csv(const Result& result, const Sink& sink);

// The recorded sensors of a sweep.
void write_motions_csv(const SweepResult& result, const SweepPieces& pieces, const Sink& sink);

}  // namespace gradus::results
