// A benchmark as a JSON document (docs/program.md describes its members).
#pragma once

#include <string>

#include "gradus/benchmark.hpp"

namespace gradus::results {

// "gradus-bench/1": what `gradus bench --json` prints and --output writes.
std::string benchmark_document(const BenchmarkReport& report);

}  // namespace gradus::results
