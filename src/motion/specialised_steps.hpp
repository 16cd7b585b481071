// Steps by programs made for the mechanism at hand: what host runs see of them. A module
// (src/specialise) makes them from steps that runs show it, beside these runs.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "kernels/launch/host.hpp"
#include "src/modules/module.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// What steps are made for: packs of designs with one layout. The plan is a view of one that lives
// longer.
struct StepSetup {
  kernels::PlanView plan;
  kernels::Layout layout;
  kernels::StepSettings settings;
  int lanes = 1;
  kernels::Launch launch = nullptr;  // of general kernels
};

// A kernel of a step and what it was given.
struct StepLaunch {
  kernels::KernelId kernel;
  kernels::LaunchArguments arguments;
};

// What has become of steps, of all runs so far.
struct StepCounts {
  std::size_t programmed = 0, missed = 0;  // steps of packs; missed: on ways that were not known
  std::size_t ways = 0;
  std::size_t compilations = 0;
  double compile_time = 0.0;  // s
  std::string obstacle;       // why there are no programs, if that is certain
};

// Programs for the steps of one setup; all threads share them.
class SpecialisedSteps {
 public:
  virtual ~SpecialisedSteps() = default;
  SpecialisedSteps(const SpecialisedSteps&) = delete;
  SpecialisedSteps& operator=(const SpecialisedSteps&) = delete;

  // Whether there are programs by now.
  virtual bool are_ready() const = 0;
  // Takes the step that ends at `time` [s] of the pack whose memory [place, lane] this is, with
  // kMostKeptNumbers places behind the layout's. Returns false, with what steps carry on as it
  // was, where no program knows the way. Of the memory, only that is up to date behind it.
  virtual bool take(double* memory, double time) const = 0;

  // Whether a step that general kernels take should be shown.
  virtual bool want_samples() const = 0;
  // Such a step: the memory before it, and its launches.
  virtual void show(const double* before, const std::vector<StepLaunch>& step) = 0;
  // Returns when all that was shown has been learnt and compiled.
  virtual void settle() = 0;

  virtual void count(std::size_t programmed, std::size_t missed) = 0;
  virtual StepCounts counts() const = 0;

 protected:
  SpecialisedSteps() = default;
};

struct SpecialiseModule {
  static constexpr const char* file = "libgradus_specialise.so";
  static constexpr int interface = 1 * 100'000 + static_cast<int>(sizeof(kernels::LaunchArguments));

  // Why there can be no programs here; empty if there can.
  std::string (*obstacle)();
  std::unique_ptr<SpecialisedSteps> (*make)(const StepSetup&);
};

// The programs of one plan, which lives longer: made when they are first asked for, and kept.
class StepWorkshop {
 public:
  // Of steps so long [s]. Throws BackendError with the reason if there can be no programs here.
  StepWorkshop(const Plan& plan, double step);

  // Null where a run has none: see why_general(). Runs by other steps, which estimate errors, are
  // few.
  std::shared_ptr<SpecialisedSteps> steps_for(const MotionRequest& request, const StepSetup& setup);
  // What has become of the steps so far; empty if the like was said before.
  std::string remark_on(const SpecialisedSteps& steps);
  // All that were asked for so far.
  std::vector<std::shared_ptr<SpecialisedSteps>> all();

 private:
  struct Made {
    StepSetup setup;
    std::shared_ptr<SpecialisedSteps> steps;
  };
  const Plan& plan_;
  double step_;  // s
  std::mutex mutex_;
  std::vector<Made> made_;
  std::set<std::string> said_;
};

// Why the steps of a motion have no programs, for "has no effect (...)"; empty if they may.
std::string why_general(const MotionRequest& request);

}  // namespace gradus
