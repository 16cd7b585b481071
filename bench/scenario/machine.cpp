// What a record of times must say about where they were measured.
#include "bench/scenario/machine.hpp"

#include <fstream>
#include <string>
#include <thread>

#include <gradus/gradus.hpp>

#ifndef GRADUS_BENCH_FLAGS
#define GRADUS_BENCH_FLAGS "unknown"
#endif
#ifndef GRADUS_BENCH_BUILD_TYPE
#define GRADUS_BENCH_BUILD_TYPE "unknown"
#endif

namespace gradus::bench {
namespace {

// Text after the colon of the first line that begins with `key`.
std::string proc_value(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return "unknown";
}

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
  nlohmann::ordered_json record;
  record["processor"] = proc_value("/proc/cpuinfo", "model name");
  record["hardware_threads"] = std::thread::hardware_concurrency();
  record["memory"] = proc_value("/proc/meminfo", "MemTotal");
  record["compiler"] = compiler();
  record["build_type"] = GRADUS_BENCH_BUILD_TYPE;
  record["flags"] = GRADUS_BENCH_FLAGS;
  record["gradus"] = version();
  return record;
}

}  // namespace gradus::bench
