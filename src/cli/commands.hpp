// The commands: each returns the exit code of the program, or throws an Error.
#pragma once

#include "src/cli/arguments.hpp"

namespace gradus::cli {

int run_simulate(const Arguments& arguments);
int run_gradient(const Arguments& arguments);
int run_check(const Arguments& arguments);
int run_sweep(const Arguments& arguments);
int run_optimize(const Arguments& arguments);
int run_fit(const Arguments& arguments);
int run_bench(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_report(const Arguments& arguments);

}  // namespace gradus::cli
