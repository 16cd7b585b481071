// Chooses the backend.
#include "src/backend/choice.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include "gradus/error.hpp"
#include "kernels/launch/host.hpp"
#include "src/backend/break_even_file.hpp"
#include "src/backend/device.hpp"

namespace gradus {
namespace {

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

// Whether a GPU pays for the work by that table, and by which of its points.
struct Advice {
  bool gpu = false;
  std::string reason;
};

Advice ask(const BreakEvenTable& table, const Work& work, const std::string& source) {
  const BreakEven* point = nearest_point(table, work);
  if (point == nullptr) return {};
  Advice advice{pays(*point, work), ""};
  advice.reason =
      std::to_string(work.designs) +
      (advice.gpu ? " design(s) are enough for a GPU" : " design(s) are too few for a GPU to pay") +
      "; " + source + ": " + to_text(*point);
  return advice;
}

// Looks for a GPU only where one of the tables speaks for it: that takes a while.
BackendChoice choose_automatically(const Work& work,
                                   const std::function<void(const std::string&)>& log) {
  BackendChoice choice;
  choice.threads = hardware_threads();
  const auto say = [&](const std::string& line) {
    if (log && !line.empty()) log("backend: " + line);
  };
  StoredTable stored = read_break_even(break_even_file(), static_cast<std::size_t>(choice.threads));
  say(stored.remark);
  Advice advice = ask(built_in_break_even(), work, "as " + built_in_break_even().gpu + " measured");
  const Advice own = stored.table ? ask(*stored.table, work, "as measured here") : Advice{};
  if (!advice.gpu && !own.gpu) {
    if (stored.table) advice = own;
  } else if (const std::string obstacle = cuda_obstacle(0); !obstacle.empty()) {
    advice = {false, obstacle};
  } else if (stored.table) {
    if (const std::string gpu = gpu_name(); gpu == stored.table->gpu)
      advice = own;
    else
      say("the break-even table of " + stored.table->gpu + " is not used, here is " + gpu);
  }
  if (advice.gpu) choice.kind = BackendKind::cuda;
  say("auto chose " + choice.name() + " (" + advice.reason + ")");
  return choice;
}

// "1, 2, 4 or 8 designs at once (x86-64-v4)"
std::string lanes_text() {
  std::vector<std::string> lanes{"1"};
  std::string name;
  for (const kernels::Translation& t : kernels::translations()) {
    if (t.packs != nullptr) lanes.push_back(std::to_string(t.lanes));
    name = t.name;
  }
  std::string text = lanes.front();
  for (std::size_t k = 1; k < lanes.size(); ++k)
    text += (k + 1 < lanes.size() ? ", " : " or ") + lanes[k];
  return text + " designs at once (" + name + " kernels)";
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

BackendChoice choose_backend(const std::string& text, const Work& work,
                             const std::function<void(const std::string&)>& log) {
  if (text == "auto") return choose_automatically(work, log);
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

std::string gpu_name() {
  const std::string name = make_cuda_device(0)->name();
  const std::size_t open = name.find(" (");
  return open == std::string::npos ? name : name.substr(open + 2, name.size() - open - 3);
}

std::vector<std::string> backend_lines() {
  const std::string obstacle = cuda_obstacle(0);
  return {"cpu: " + std::to_string(hardware_threads()) + " thread(s), " + lanes_text(),
          "debug: the device's code path on the CPU",
          obstacle.empty() ? "cuda: " + make_cuda_device(0)->name()
                           : "cuda: not available (" + obstacle + ")"};
}

}  // namespace gradus
