// What `gradus sweep` prints.
#pragma once

#include <string>

#include "gradus/study.hpp"

namespace gradus::cli {

std::string sweep_report(const SweepResult& result);

}  // namespace gradus::cli
