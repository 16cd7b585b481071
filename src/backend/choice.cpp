// Chooses the backend.
#include "src/backend/choice.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include "gradus/error.hpp"
#include "src/backend/device.hpp"

namespace gradus {
namespace {

// From here on `auto` takes a usable GPU: where an H200 passed 16 cores with a small mechanism.
constexpr std::size_t kDesignsForDevice = 1024;

[[noreturn]] void reject(const std::string& text, const std::string& why) {
  throw InputError("backend: found \"" + text + "\" (" + why +
                   "), expected cpu, cpu:THREADS, debug, cuda, cuda:DEVICE or auto");
}

int hardware_threads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

int whole_number(const std::string& text, const std::string& digits, int smallest, int largest) {
  int value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || value < smallest || value > largest)
    reject(text, "the number after ':' must be a whole number from " + std::to_string(smallest) +
                     " to " + std::to_string(largest));
  return value;
}

BackendChoice choose_automatically(std::size_t designs,
                                   const std::function<void(const std::string&)>& log) {
  BackendChoice choice;
  choice.threads = hardware_threads();
  std::string why;
  if (designs < kDesignsForDevice) {
    why = std::to_string(designs) + " design(s) are too few for a GPU to pay";
  } else if (const std::string obstacle = cuda_obstacle(0); !obstacle.empty()) {
    why = obstacle;
  } else {
    choice.kind = BackendKind::cuda;
    why = "a usable GPU and " + std::to_string(designs) + " designs";
  }
  if (log) log("backend: auto chose " + choice.name() + " (" + why + ")");
  return choice;
}

}  // namespace

std::string BackendChoice::name() const {
  switch (kind) {
    case BackendKind::cpu:
      return "cpu:" + std::to_string(threads);
    case BackendKind::debug:
      return "debug";
    case BackendKind::cuda:
      break;
  }
  return "cuda:" + std::to_string(device);
}

BackendChoice choose_backend(const std::string& text, std::size_t designs,
                             const std::function<void(const std::string&)>& log) {
  if (text == "auto") return choose_automatically(designs, log);
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const bool numbered = colon != std::string::npos;
  const std::string digits = numbered ? text.substr(colon + 1) : "";
  BackendChoice choice;
  if (kind == "cpu") {
    choice.threads = numbered ? whole_number(text, digits, 1, 4096) : hardware_threads();
    return choice;
  }
  if (kind == "debug" && !numbered) {
    choice.kind = BackendKind::debug;
    return choice;
  }
  if (kind == "cuda") {
    choice.kind = BackendKind::cuda;
    choice.device = numbered ? whole_number(text, digits, 0, 65535) : 0;
    if (const std::string obstacle = cuda_obstacle(choice.device); !obstacle.empty())
      throw BackendError("backend " + choice.name() + " cannot run here: " + obstacle);
    return choice;
  }
  reject(text, numbered && kind == "debug" ? "debug takes no number" : "unknown backend");
}

std::vector<std::string> backend_lines() {
  const std::string obstacle = cuda_obstacle(0);
  return {"cpu: " + std::to_string(hardware_threads()) + " thread(s)",
          "debug: the device's code path on the CPU",
          obstacle.empty() ? "cuda: " + make_cuda_device(0)->name()
                           : "cuda: not available (" + obstacle + ")"};
}

}  // namespace gradus
