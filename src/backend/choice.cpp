// Chooses the backend.
#include "src/backend/choice.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include "gradus/error.hpp"
#include "kernels/launch/host.hpp"
#include "src/backend/device.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/backend/stored_tables.hpp"

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

// Designs that a core advances at once: as many as it can, unless it was told.
int lanes_of(const Work& work) {
  if (work.lanes > 0) return work.lanes;
  int lanes = 1;
  for (const kernels::Translation& t : kernels::translations())
    if (t.packs != nullptr) lanes = std::max(lanes, t.lanes);
  return lanes;
}

// Whether a GPU pays, and why; whether that is news to someone with this machine.
struct Decision {
  bool gpu = false;
  bool is_news = true;
  std::string reason = {};
};

// What the nearest point of a table says of the work.
Decision ask(const BreakEvenTable& table, const Work& work, const std::string& measured) {
  const BreakEven* point = nearest_point(table, work);
  const bool gpu = point != nullptr && pays(*point, work);
  return {gpu, true,
          (work.designs == 1 ? "1 design is" : std::to_string(work.designs) + " designs are") +
              (gpu ? " enough for a GPU" : " too few for a GPU to pay") +
              (point == nullptr ? "" : "; as measured " + measured + ": " + to_text(*point))};
}

// There is a GPU, or somebody has measured one here: the user's own table comes first, and the
// built-in one speaks for the GPU that it was measured on only.
Decision weigh_gpu(const Work& work, const BreakEvenTable& built_in,
                   const std::optional<BreakEvenTable>& own, const Log& say) {
  if (const std::string obstacle = cuda_obstacle(0); !obstacle.empty())
    return {false, own.has_value(), obstacle};
  const std::string gpu = gpu_name();
  const bool is_own = own && own->gpu == gpu;
  if (own && !is_own) say("the break-even table of " + own->gpu + " is not used, here is " + gpu);
  if (!is_own && gpu != built_in.gpu)
    return {
        false, true,
        "from how many designs on " + gpu + " pays is not known; gradus bench --store measures it"};
  const Decision decision = is_own ? ask(*own, work, "here") : ask(built_in, work, "on " + gpu);
  if (decision.gpu && !work.untried.empty())
    return {false, true, work.untried + " was not tried on a GPU yet; ask for cuda to do so"};
  return decision;
}

// Looks for a GPU only where one of the tables speaks for it: that takes a while.
Decision decide(const Work& work, const BreakEvenTable& built_in,
                const std::optional<BreakEvenTable>& own, const Log& say) {
  const Decision by_own = own ? ask(*own, work, "here") : Decision{false, false};
  if (by_own.gpu || ask(built_in, work, "").gpu) return weigh_gpu(work, built_in, own, say);
  return by_own;
}

BackendChoice choose_automatically(const Work& work, const Log& log) {
  BackendChoice choice;
  choice.threads = hardware_threads();
  const Log say = [&](const std::string& line) {
    if (log && !line.empty()) log("backend: " + line);
  };
  const auto threads = static_cast<std::size_t>(choice.threads);
  const StoredBreakEven stored = read_break_even(break_even_file(), threads);
  say(stored.remark);
  const Decision decision =
      decide(work, built_in_break_even(threads, lanes_of(work)), stored.table, say);
  if (decision.gpu) choice.kind = BackendKind::cuda;
  if (decision.is_news) say("auto chose " + choice.name() + " (" + decision.reason + ")");
  return choice;
}

// "1, 2, 4 or 8 designs at once (x86-64-v4 kernels)"
std::string lanes_text() {
  std::string text = "1";
  std::string name;
  for (const kernels::Translation& t : kernels::translations()) {
    if (t.packs != nullptr) text += ", " + std::to_string(t.lanes);
    name = t.name;
  }
  if (const std::size_t last = text.rfind(", "); last != std::string::npos)
    text.replace(last, 2, " or ");
  return text + " designs at once (" + name + " kernels)";
}

}  // namespace

std::string BackendChoice::name() const {
  if (kind == BackendKind::debug) return "debug";
  return kind == BackendKind::cpu ? "cpu:" + std::to_string(threads)
                                  : "cuda:" + std::to_string(device);
}

BackendRequest read_backend(const std::string& text) {
  if (text == "auto") return {};
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const bool numbered = colon != std::string::npos;
  const std::string digits = numbered ? text.substr(colon + 1) : "";
  if (kind == "cpu") return {BackendKind::cpu, numbered ? whole_number(text, digits, 1, 4096) : -1};
  if (kind == "cuda")
    return {BackendKind::cuda, numbered ? whole_number(text, digits, 0, 65535) : -1};
  if (kind == "debug" && !numbered) return {BackendKind::debug, -1};
  reject(text, numbered && kind == "debug" ? "debug takes no number" : "unknown backend");
}

BackendChoice choose_backend(const BackendRequest& request, const Work& work, const Log& log) {
  if (request.is_automatic()) return choose_automatically(work, log);
  BackendChoice choice;
  choice.kind = *request.kind;
  if (choice.kind == BackendKind::cpu)
    choice.threads = request.number < 0 ? hardware_threads() : request.number;
  if (choice.kind == BackendKind::cuda) choice.device = std::max(request.number, 0);
  const std::string obstacle = choice.kind == BackendKind::cuda    ? cuda_obstacle(choice.device)
                               : choice.kind == BackendKind::debug ? checks_obstacle()
                                                                   : "";
  if (!obstacle.empty())
    throw BackendError("backend " + choice.name() + " cannot run here: " + obstacle);
  return choice;
}

std::string gpu_name() {
  return hardware_name(*make_cuda_device(0));
}

std::vector<std::string> backend_lines() {
  const std::string obstacle = cuda_obstacle(0);
  const std::string& of_checks = Module<ChecksModule>::obstacle();
  return {"cpu: " + std::to_string(hardware_threads()) +
              (hardware_threads() == 1 ? " thread, " : " threads, ") + lanes_text(),
          of_checks.empty() ? "debug: the device's code path on the CPU"
                            : "debug: not available (" + of_checks + ")",
          obstacle.empty() ? "cuda: " + make_cuda_device(0)->name()
                           : "cuda: not available (" + obstacle + ")"};
}

}  // namespace gradus
