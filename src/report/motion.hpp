// The motion of one design as a page shows it: where joints, points, springs and centres of mass of
// the model are at a few hundred times.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/run.hpp"
#include "src/report/blocks.hpp"

namespace gradus::report {

// Runs the model once with these options (backend, recording and designs are chosen here) and
// describes what moves. Where that fails, the member "error" says why, and there is nothing else.
Json motion(const std::string& label, const Model& model, const Options& options);

// The block of some motions, of which the page shows one at a time.
Json animation(std::vector<Json> motions);

}  // namespace gradus::report
