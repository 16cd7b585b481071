// Which backend runs: what the user asked for, or what `auto` decides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/backend/break_even.hpp"

namespace gradus {

enum class BackendKind { cpu, debug, cuda };

struct BackendChoice {
  BackendKind kind = BackendKind::cpu;
  int threads = 1;  // cpu
  int device = 0;   // cuda

  std::string name() const;  // "cpu:2", "debug", "cuda:0"
};

// Reads "cpu[:threads]", "debug", "cuda[:device]" or "auto". `auto` decides by the break-even table
// of this machine, or the built-in one, what pays for the work; it says so through `log`. Throws
// InputError for another text, BackendError if the backend cannot run here.
BackendChoice choose_backend(const std::string& text, const Work& work,
                             const std::function<void(const std::string&)>& log);

// What the first GPU is called. Throws BackendError where none is usable.
std::string gpu_name();

// One line for each backend: what can run here, and why not otherwise.
std::vector<std::string> backend_lines();

}  // namespace gradus
