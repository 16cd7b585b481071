// Where programs of steps come from, and which motions have them.
#include "src/motion/specialised_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gradus/error.hpp"
#include "src/modules/module.hpp"
#include "src/motion/device_steps.hpp"
#include "src/motion/superposition.hpp"

namespace gradus {
namespace {

// Numbers without gaps: those that differ in nothing have the same bytes.
template <class T>
bool have_same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool are_alike(const StepSetup& a, const StepSetup& b) {
  return a.plan.bodies == b.plan.bodies && a.lanes == b.lanes && a.launch == b.launch &&
         have_same_bytes(a.layout, b.layout) && a.plan.column_begin == b.plan.column_begin &&
         a.plan.column_count == b.plan.column_count &&
         a.evaluation.has_value() == b.evaluation.has_value() && a.own_clocks == b.own_clocks &&
         a.goes_back == b.goes_back && have_same_bytes(a.settings, b.settings);
}

}  // namespace

std::string whole_percent(std::size_t part, std::size_t all) {
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  return std::to_string(static_cast<int>(std::floor(share))) + " %";
}

StepWorkshop::StepWorkshop(const Plan& plan, double step, bool waits)
    : plan_(plan), step_(step), waits_(waits) {
  if (const std::string obstacle = specialised_kernels_obstacle(); !obstacle.empty())
    throw BackendError("kernels: found specialised, which cannot be had here (" + obstacle +
                       "), use general");
}

std::shared_ptr<SpecialisedSteps> StepWorkshop::steps_for(const MotionRequest& request,
                                                          const StepSetup& setup) {
  const bool is_superposed =
      request.superposition != nullptr && request.plan == &request.superposition->plan;
  if ((request.plan != &plan_ && !is_superposed) || !why_general(request).empty()) return nullptr;
  if (!setup.evaluation && request.step != step_) return nullptr;
  StepSetup own = setup;
  own.layout.record_size = 0;  // what a run keeps of its steps is nothing to them
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = std::find_if(made_.begin(), made_.end(),
                                  [&](const Made& made) { return are_alike(made.setup, own); });
  if (known != made_.end()) return known->steps;
  made_.push_back({own, nullptr});
  made_.back().setup.waits = waits_;
  made_.back().steps = Module<SpecialiseModule>::functions().make(made_.back().setup);
  return made_.back().steps;
}

std::shared_ptr<DeviceSteps> StepWorkshop::device_steps_for(const MotionRequest& request,
                                                            const StepSetup& setup,
                                                            const std::string& target) {
  if (request.plan != &plan_ || request.step != step_ || waits_) return nullptr;
  const SpecialiseModule& module = Module<SpecialiseModule>::functions();
  if (const std::string obstacle = module.obstacle_on_device(target); !obstacle.empty())
    throw BackendError(obstacle);
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& made = made_for_devices_[target];
  const auto known = std::find_if(made.begin(), made.end(),
                                  [&](const auto& some) { return are_alike(some.first, setup); });
  if (known != made.end()) return known->second;
  made.emplace_back(setup, nullptr);
  made.back().second = module.make_for_device(setup, target);
  return made.back().second;
}

std::vector<std::shared_ptr<SpecialisedSteps>> StepWorkshop::all() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::shared_ptr<SpecialisedSteps>> steps;
  for (const Made& made : made_) steps.push_back(made.steps);
  return steps;
}

std::string specialised_kernels_obstacle(bool tries) {
  using Making = Module<SpecialiseModule>;
  if (!Making::obstacle().empty())
    return Making::obstacle() + "; build the target gradus_specialise";
  return Making::functions().obstacle(tries);
}

std::string kernel_cache_folder() {
  using Making = Module<SpecialiseModule>;
  return Making::obstacle().empty() ? Making::functions().cache_folder() : "";
}

bool has_value_at(const MotionRequest& request, std::size_t k) {
  const double time = static_cast<double>(k) * request.step;
  const std::vector<kernels::ObjectiveEntry>& all = request.plan->objectives;
  return std::any_of(all.begin(), all.end(), [&](const auto& objective) {
    return objective.kind == kernels::ObjectiveKind::value && objective.time == time;
  });
}

bool is_seen(const MotionRequest& request, std::size_t k) {
  return is_recorded(request, k) || has_value_at(request, k);
}

std::string why_general(const MotionRequest& request) {
  if (!request.formulation->has_stages) return {};
  if (request.sensitivity == Sensitivity::continuous)
    return "there are none for continuous adjoints of ali3p";
  const std::vector<kernels::ObjectiveEntry>& objectives = request.plan->objectives;
  if (std::any_of(objectives.begin(), objectives.end(),
                  [](const auto& o) { return kernels::is_searched(o.kind); }))
    return "there are none yet for objectives that look for an instant";
  return {};
}

std::string StepWorkshop::remark_on(const SpecialisedSteps& steps) {
  const StepCounts counts = steps.counts();
  const std::size_t all = counts.programmed + counts.missed;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto made = std::find_if(made_.begin(), made_.end(),
                                 [&](const Made& some) { return some.steps.get() == &steps; });
  const bool are_evaluations = made->setup.evaluation.has_value();
  const auto once = [&](const std::string& kind, const std::string& text) {
    return said_.insert(kind).second ? "kernels: " + text : std::string();
  };
  if (all == 0 && waits_) return {};
  if (!counts.obstacle.empty() && all == 0)
    return once("obstacle", std::string("general ones ") +
                                (are_evaluations ? "evaluate" : "take the steps") + " (" +
                                counts.obstacle + ")");
  if (all == 0 && counts.found + counts.compilations == 0)
    return once(
        "none",
        "general ones did all the work, since the run ended before others were ready (or read "
        "from the cache); 'gradus compile' with the same options makes them ahead");
  if (all == 0 && are_evaluations)
    return once("none", "general ones evaluated all the time, before others were made");
  if (all == 0)
    return once("none",
                "general ones took all steps: those before others were ready, and those that are "
                "recorded (--record-every N records fewer)");
  return once("some", "those made for this mechanism took " +
                          whole_percent(counts.programmed, all) + " of the " + std::to_string(all) +
                          (are_evaluations ? " parts of evaluations" : " steps") +
                          " of designs, or of packs, since they were ready (" +
                          std::to_string(counts.ways) + " ways; " +
                          (counts.found > 0 ? "found in the cache, " : "") + "the compiler took " +
                          std::to_string(static_cast<int>(std::ceil(counts.compile_time))) + " s)");
}

}  // namespace gradus
