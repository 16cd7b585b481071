// The commands of the program, and the exit codes that docs/program.md promises.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gradus/solvers.hpp"
#include "src/cli/arguments.hpp"
#include "src/results/reports.hpp"

namespace gradus::cli {

inline constexpr int done = 0;
inline constexpr int unexpected = 1;  // not enough memory, or a fault of gradus itself
inline constexpr int bad_input = 2;
inline constexpr int numerical_failure = results::numerical_failure_code;
inline constexpr int backend_unavailable = 4;
inline constexpr int file_failure = 5;
inline constexpr int interrupted =
    130;  // one of several processes; a single one ends by the signal

// One of several processes failed and has reported it.
struct SilentFailure {};

std::unique_ptr<Command> simulate_command();
std::unique_ptr<Command> gradient_command();
std::unique_ptr<Command> check_command();
std::unique_ptr<Command> sweep_command();
std::unique_ptr<Command> optimize_command();
std::unique_ptr<Command> fit_command();
std::unique_ptr<Command> bench_command();
std::unique_ptr<Command> info_command();
std::unique_ptr<Command> report_command();

// What info and bench print of solvers: under the name of each device one line for each size, with
// the shapes for which another solver than usual is faster.
std::string solver_tables_text(const std::vector<SolverTable>& tables);

}  // namespace gradus::cli
