// Which backend runs: what the user asked for, or what `auto` decides.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/backend/break_even.hpp"

namespace gradus {

enum class BackendKind { cpu, debug, cuda };

// What was asked for, as read from "cpu[:threads]", "debug", "cuda[:device]" or "auto".
struct BackendRequest {
  std::optional<BackendKind> kind;  // none: `auto`
  int number = -1;                  // threads of the CPU or number of the GPU, -1: not said

  bool is_automatic() const { return !kind.has_value(); }
};

// Throws InputError for another text. Whether the backend can run here is not asked.
BackendRequest read_backend(const std::string& text);

struct BackendChoice {
  BackendKind kind = BackendKind::cpu;
  int threads = 1;  // cpu
  int device = 0;   // cuda

  std::string name() const;  // "cpu:2", "debug", "cuda:0"
};

using Log = std::function<void(const std::string&)>;

// `auto` decides by the break-even table of this machine, or by the built-in one where that speaks
// for the GPU at hand, what pays for the work. It says so through `log` where there is a choice: a
// GPU, or a table of this machine. Throws BackendError if the backend that is asked for cannot run
// here.
BackendChoice choose_backend(const BackendRequest& request, const Work& work, const Log& log);
inline BackendChoice choose_backend(const std::string& text, const Work& work, const Log& log) {
  return choose_backend(read_backend(text), work, log);
}

// What the first GPU is called. Throws BackendError where none is usable.
std::string gpu_name();

// One line for each backend: what can run here, and why not otherwise.
std::vector<std::string> backend_lines();

}  // namespace gradus
