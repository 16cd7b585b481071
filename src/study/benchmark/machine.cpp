// What a time means little without: processor, memory, GPU.
#include <algorithm>
#include <fstream>
#include <thread>

#include "gradus/benchmark.hpp"
#include "src/backend/choice.hpp"
#include "src/backend/device.hpp"

namespace gradus {
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

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = proc_value("/proc/cpuinfo", "model name");
  machine.threads = std::max(1U, std::thread::hardware_concurrency());
  machine.memory = proc_value("/proc/meminfo", "MemTotal");
  machine.gpu_obstacle = cuda_obstacle(0);
  if (machine.gpu_obstacle.empty()) machine.gpu = gpu_name();
  return machine;
}

}  // namespace gradus
