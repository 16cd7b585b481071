// JSON documents of what is not a Result: a check, a description, a benchmark, an error.
#pragma once

#include <string>
#include <vector>

#include "gradus/benchmark.hpp"
#include "gradus/modes.hpp"
#include "gradus/run.hpp"
#include "gradus/solvers.hpp"

namespace gradus::results {

// Exit code of the program for numbers that failed; documents repeat it.
inline constexpr int numerical_failure_code = 3;

// Which parts of a check failed, and why; empty if none did.
std::string failed_parts(const CheckReport& report);

// "gradus-check/2": what `gradus check --json` prints.
std::string check_document(const std::string& model, const CheckReport& report);

// "gradus-kernels/1": what `gradus compile --json` prints. `folder`: where they are kept, or empty.
std::string kernels_document(const std::string& model, const std::string& folder,
                             const std::vector<MadeKernels>& kernels);

// "gradus-info/1": what `gradus info MODEL --json` prints.
std::string description_document(const Description& description);

// "gradus-modes/1": what `gradus modes --json` prints.
std::string modes_document(const Modes& modes);

// "gradus-info/1" without a model: version, backends, types of forces and which solver serves
// which linear systems.
std::string backends_document(const std::vector<std::string>& backends,
                              const std::vector<SolverTable>& solvers);

// "gradus-result/1" with status "error" (or "failed" for numbers that failed) instead of a result.
std::string error_document(int code, const std::string& message);

// "gradus-bench/1": what `gradus bench --json` prints and --output writes (docs/program.md
// describes its members).
std::string benchmark_document(const BenchmarkReport& report);

}  // namespace gradus::results
