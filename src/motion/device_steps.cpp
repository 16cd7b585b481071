// Lessons on the host, and steps on the device.
#include "src/motion/device_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "gradus/error.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/specialised_chunk.hpp"
#include "src/motion/stage_solver.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostLessons = 64;    // designs whose motions are learnt from
constexpr std::size_t kLessonsInVain = 10;  // in a row, after which no more are taken
constexpr std::size_t kMostShown = 64;      // designs whose missed steps are

// The motions of some designs of a request, as far apart as can be.
void teach(const MotionRequest& request, const HostSetup& setup, DeviceSteps& steps) {
  MotionRequest lesson = request;
  lesson.progress = nullptr;
  const std::size_t width = request.plan->nominal.size();
  const std::size_t lessons = std::min(kMostLessons, request.n_design);
  std::size_t ways = 0, in_vain = 0;
  for (std::size_t k = 0; k < lessons && in_vain < kLessonsInVain; ++k) {
    const std::size_t design = lessons == 1 ? 0 : k * (request.n_design - 1) / (lessons - 1);
    const auto first = request.parameters.begin() + static_cast<std::ptrdiff_t>(design * width);
    lesson.n_design = 1;
    lesson.parameters.assign(first, first + static_cast<std::ptrdiff_t>(width));
    HostChunk<double> chunk(lesson, setup, {1, host_kernels()});
    set_designs(chunk, lesson, setup.layout, 0, 1);
    steps.begin_motion();
    SpecialisedChunk shown(chunk, lesson, steps);
    run_time_loop(lesson, setup.formulation, shown,
                  [&](std::size_t, const Instant&) { return !chunk.has_failed(); });
    const StepCounts counts = steps.counts();
    if (counts.found > 0 || !counts.obstacle.empty()) break;  // found: with what others were taught
    in_vain = counts.ways == ways ? in_vain + 1 : 0;
    ways = counts.ways;
  }
}

// Kernels leave designs alone that have failed, whatever the reason.
constexpr kernels::Status kStandsStill = kernels::Status::invalid_number;

}  // namespace

std::string why_general_on_device(const MotionRequest& request) {
  if (!request.formulation->has_stages) return "on devices there are those of ali3p only";
  if (asks_for_stage_solver(request))
    return "the solver that is asked for takes the columns out of the kernels";
  if (is_adjoint(request.sensitivity)) return "on devices there are none for adjoints";
  if (request.columns) return "on devices there are none where columns are recorded";
  return why_general(request);
}

std::shared_ptr<DeviceSteps> taught_steps(const MotionRequest& request, const HostSetup& setup,
                                          const std::string& target) {
  const kernels::PlanView plan = kernels::after_start(
      with_columns_of(request.plan->view(), 0, static_cast<int>(request.column_count())));
  const StepSetup made_for{plan, setup.layout, request.settings(), 1, host_kernels(), {}};
  std::shared_ptr<DeviceSteps> steps =
      request.workshop->device_steps_for(request, made_for, target);
  if (steps && steps->counts().ways == 0) teach(request, setup, *steps);
  return steps;
}

std::unique_ptr<LoadedSteps> load_steps(const MotionRequest& request, Device& device,
                                        const kernels::Layout& layout) {
  const auto say = [&](const std::string& text) {
    if (request.log) request.log("kernels: " + text);
  };
  const HostSetup setup(request, request.sensitivity, static_cast<int>(request.column_count()));
  if (std::memcmp(&setup.layout, &layout, sizeof layout) != 0) {
    say("general ones take the steps (this backend arranges designs in another way)");
    return nullptr;
  }
  const std::string target = device.step_target();
  try {
    const std::shared_ptr<DeviceSteps> steps = taught_steps(request, setup, target);
    if (!steps) return nullptr;
    const std::size_t compiled = steps->counts().compilations;
    auto loaded = std::make_unique<LoadedSteps>(LoadedSteps{steps, layout.shared, nullptr});
    if (steps->has_news())
      say(std::to_string(steps->counts().ways) + " ways of a step are compiled for " +
          device.name());
    loaded->load(device);
    const StepCounts counts = steps->counts();
    if (counts.compilations > compiled || compiled == 0)
      say("made for this mechanism and " + device.name() + " (" + std::to_string(counts.ways) +
          " ways; " +
          (counts.compilations == 0
               ? "found in the cache"
               : "the compiler took " +
                     std::to_string(static_cast<int>(std::ceil(counts.compile_time))) + " s") +
          ")");
    return loaded;
  } catch (const Error& error) {
    say(std::string("general ones take the steps (") + error.what() + ")");
    return nullptr;
  }
}

MadeSteps::MadeSteps(Device& device, LoadedSteps& loaded, StepBatch designs)
    : device_(device),
      loaded_(loaded),
      batch_(designs),
      reached_on_device_(device, static_cast<std::size_t>(designs.count) * sizeof(int)),
      waiting_on_device_(device, static_cast<std::size_t>(designs.count) * sizeof(kernels::Status)),
      reached_(static_cast<std::size_t>(designs.count)),
      status_(reached_.size()),
      waiting_(reached_.size()) {
  batch_.reached = static_cast<int*>(reached_on_device_.data());
}

void MadeSteps::take(std::ptrdiff_t done, std::ptrdiff_t last, kernels::Status* status,
                     const General& general) {
  std::fill(reached_.begin(), reached_.end(), static_cast<int>(done));
  device_.upload(batch_.reached, reached_.data(), reached_on_device_.size());
  batch_.status = status;
  batch_.last = last;
  for (;;) {
    if (!are_wrong()) loaded_.kernel->launch(batch_);
    find_out();
    const std::ptrdiff_t step = next_missed(last);
    if (step == last) break;
    Stopwatch watch;
    show_missed(step);
    take_missed(step, status, general);
    general_time_ += watch.lap();
  }
  // It pays to compile anew when the general kernels have worked as long as the compiler will.
  if (compiles_anew_ && loaded_.steps->has_news() &&
      general_time_ > loaded_.steps->counts().compile_time)
    load_news();

  for (std::size_t d = 0; d < reached_.size(); ++d)
    programmed_ += static_cast<std::size_t>(reached_[d] - done);
}

// What is loaded goes on where the compiler fails.
void MadeSteps::load_news() try {
  general_time_ = 0.0;
  loaded_.load(device_);
} catch (const Error&) {
  compiles_anew_ = false;
}

void MadeSteps::find_out() {
  device_.download(reached_.data(), batch_.reached, reached_on_device_.size());
  device_.download(status_.data(), batch_.status, waiting_on_device_.size());
}

// Steps that are done by the design that waits furthest behind; `last` if none does.
std::ptrdiff_t MadeSteps::next_missed(std::ptrdiff_t last) const {
  std::ptrdiff_t least = last;
  for (std::size_t d = 0; d < reached_.size(); ++d)
    if (status_[d] == kernels::Status::ok) least = std::min<std::ptrdiff_t>(least, reached_[d]);
  return least;
}

// Of one design of those that wait for a step.
void MadeSteps::show_missed(std::ptrdiff_t step) {
  if (shown_ >= kMostShown) return;
  for (std::size_t d = 0; d < reached_.size(); ++d) {
    if (status_[d] != kernels::Status::ok || reached_[d] != step) continue;
    ++shown_;
    return loaded_.steps->show_missed(static_cast<double>(step + 1) * batch_.length, memory_of(d));
  }
}

std::vector<double> MadeSteps::memory_of(std::size_t design) const {
  constexpr std::size_t kTile = kernels::kTile;
  std::vector<double> memory;
  const auto append = [&](const double* first, std::ptrdiff_t pitch) {
    std::vector<double> tile(static_cast<std::size_t>(pitch));
    device_.download(tile.data(), first + static_cast<std::ptrdiff_t>(design / kTile) * pitch,
                     tile.size() * sizeof(double));
    for (std::size_t k = design % kTile; k < tile.size(); k += kTile) memory.push_back(tile[k]);
  };
  append(batch_.motions, batch_.motion_pitch);
  append(batch_.columns, batch_.column_pitch);
  return memory;
}

void MadeSteps::take_missed(std::ptrdiff_t step, kernels::Status* status, const General& general) {
  const auto waits = [&](std::size_t d) {
    return status_[d] == kernels::Status::ok && reached_[d] == step;
  };
  for (std::size_t d = 0; d < reached_.size(); ++d)
    waiting_[d] = waits(d) ? kernels::Status::ok : kStandsStill;
  auto* const waiting = static_cast<kernels::Status*>(waiting_on_device_.data());
  device_.upload(waiting, waiting_.data(), waiting_on_device_.size());
  general(static_cast<double>(step + 1) * batch_.length, waiting);
  device_.download(waiting_.data(), waiting, waiting_on_device_.size());
  for (std::size_t d = 0; d < reached_.size(); ++d)
    if (waits(d)) {
      status_[d] = waiting_[d];
      ++reached_[d];
      ++missed_;
      --programmed_;
    }
  device_.upload(batch_.reached, reached_.data(), reached_on_device_.size());
  device_.upload(status, status_.data(), waiting_on_device_.size());
}

}  // namespace gradus
