// Which backend runs: what the user asked for, or what `auto` decides.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gradus {

enum class BackendKind { cpu, debug, cuda };

struct BackendChoice {
  BackendKind kind = BackendKind::cpu;
  int threads = 1;  // cpu
  int device = 0;   // cuda

  std::string name() const;  // "cpu:2", "debug", "cuda:0"
};

// Reads "cpu[:threads]", "debug", "cuda[:device]" or "auto". `designs` is the size of the work, by
// which `auto` decides; it says so through `log`. Throws InputError for another text, BackendError
// if the backend cannot run here.
BackendChoice choose_backend(const std::string& text, std::size_t designs,
                             const std::function<void(const std::string&)>& log);

// One line for each backend: what can run here, and why not otherwise.
std::vector<std::string> backend_lines();

}  // namespace gradus
