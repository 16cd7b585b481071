// Exit codes of the program; docs/program.md promises them.
#pragma once

#include "src/results/reports.hpp"

namespace gradus::cli {

inline constexpr int done = 0;
inline constexpr int unexpected = 1;  // not enough memory, or a fault of gradus itself
inline constexpr int bad_input = 2;
inline constexpr int numerical_failure = results::numerical_failure_code;
inline constexpr int backend_unavailable = 4;
inline constexpr int file_failure = 5;
inline constexpr int interrupted = 130;  // of several processes; one alone ends by the signal

}  // namespace gradus::cli
