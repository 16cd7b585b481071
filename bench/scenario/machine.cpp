// What a record of times must say about where they were measured.
#include "bench/scenario/machine.hpp"

#include <string>

#include <gradus/gradus.hpp>

#ifndef GRADUS_BENCH_FLAGS
#define GRADUS_BENCH_FLAGS "unknown"
#endif
#ifndef GRADUS_BENCH_BUILD_TYPE
#define GRADUS_BENCH_BUILD_TYPE "unknown"
#endif

namespace gradus::bench {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

nlohmann::ordered_json machine_record() {
  const Machine machine = this_machine();
  nlohmann::ordered_json record;
  record["processor"] = machine.processor;
  record["hardware_threads"] = machine.threads;
  record["memory"] = machine.memory;
  if (!machine.gpu.empty()) record["gpu"] = machine.gpu;
  record["compiler"] = compiler();
  record["build_type"] = GRADUS_BENCH_BUILD_TYPE;
  record["flags"] = GRADUS_BENCH_FLAGS;
  record["gradus"] = version();
  return record;
}

}  // namespace gradus::bench
