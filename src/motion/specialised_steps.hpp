// Steps of ali3p, and evaluations of other formulations, by programs made for the mechanism at
// hand: what host runs see of them. A module (src/specialise) makes them from what runs show it,
// beside these runs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/launch/host.hpp"
#include "src/modules/module.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// What programs are made for: packs of designs with one layout. The plan is a view of one that
// lives longer.
struct StepSetup {
  kernels::PlanView plan;
  kernels::Layout layout;
  kernels::StepSettings settings;
  int lanes = 1;
  kernels::Launch launch = nullptr;               // of general kernels
  std::optional<kernels::Evaluation> evaluation;  // none: of steps of ali3p
  // Of evaluations: whether each lane has a time of its own, in the memory.
  bool own_clocks = false;
  // Whether steps are kept for an adjoint; those of ali3p are taken back, too.
  bool goes_back = false;
  // Whether programs are made only when general kernels have worked as long as the compiler will,
  // and used only if they are quicker.
  bool waits = false;
};

// Parts of motions by ali3p. Those of evaluations are kernels::EvaluationPart.
constexpr int step_forwards = 0;
constexpr int step_back = 1;  // behind restore_kept()

// A kernel of a step and what it was given.
struct StepLaunch {
  kernels::KernelId kernel;
  kernels::LaunchArguments arguments;
};

// What general kernels have done that programs might: a step, or part of an evaluation.
struct StepSample {
  int part = step_forwards;
  double time = 0.0;                  // s
  std::vector<double> before, after;  // the memory [place, lane], with kMostKeptNumbers places more
  std::vector<StepLaunch> launches;   // of a step, which make `after` of `before`
  double general_s = 0.0;             // that they took
};

// What a step, or a part of an evaluation, comes to.
struct StepWork {
  double general_operations = 0.0;  // additions, products, quotients and functions; 0: not known
  double operations = 0.0;          // of programs
  double numbers = 0.0;             // that programs read from the memory, or write to it
};

// What has become of steps, or of parts of evaluations, of all runs so far.
struct StepCounts {
  std::size_t programmed = 0, missed = 0;  // of packs; missed: on ways that were not known
  std::size_t ways = 0;
  std::size_t found = 0;  // of an earlier start of the program
  std::size_t compilations = 0;
  double compile_time = 0.0;   // s
  StepWork work;               // of the part that has most
  std::size_t code_bytes = 0;  // of its library
  std::string obstacle;        // why there are no programs, if that is certain
};

// Programs for one setup; all threads share them.
class SpecialisedSteps {
 public:
  virtual ~SpecialisedSteps() = default;
  SpecialisedSteps(const SpecialisedSteps&) = delete;
  SpecialisedSteps& operator=(const SpecialisedSteps&) = delete;

  // Whether there are programs of a part by now.
  virtual bool are_ready(int part) const = 0;
  // Takes the step that ends at `time` [s], or evaluates a part there, of the pack whose memory
  // [place, lane] this is, with kMostKeptNumbers places behind the layout's. Returns false, with
  // what is carried on as it was, where no program knows the way. Behind steps and stages only that
  // is up to date in the memory, behind other parts all of it.
  virtual bool take(int part, double* memory, double time) const = 0;

  // Whether there will be no programs of a part, whatever is shown.
  virtual bool gives_up(int) const { return false; }
  // Whether what general kernels do of a part should be shown.
  virtual bool want_samples(int part) const = 0;
  virtual void show(StepSample sample) = 0;
  // Returns when all that was shown has been learnt and compiled, or, once `ends` says so, with
  // what there is by then: nothing is learnt any more.
  virtual void settle(const std::function<bool()>& ends) = 0;

  virtual void count(std::size_t programmed, std::size_t missed) = 0;
  virtual StepCounts counts() const = 0;

 protected:
  SpecialisedSteps() = default;
};

class DeviceSteps;

struct SpecialiseModule {
  static constexpr const char* file = "libgradus_specialise.so";
  static constexpr int interface = 4 * 100'000 + static_cast<int>(sizeof(kernels::LaunchArguments));

  // Why there can be no programs here; empty if there can. Whether the compiler is tried is asked.
  std::string (*obstacle)(bool tries);
  std::unique_ptr<SpecialisedSteps> (*make)(const StepSetup&);
  // For a target of Device::step_target().
  std::string (*obstacle_on_device)(const std::string& target);
  std::unique_ptr<DeviceSteps> (*make_for_device)(const StepSetup&, const std::string& target);
  // Where they are kept; empty if nowhere.
  std::string (*cache_folder)();
};

// The programs of one plan, and of that which superposes its columns; both live longer. Made when
// they are first asked for, and kept.
class StepWorkshop {
 public:
  // Of steps so long [s]. `waits`: see StepSetup. Throws BackendError with the reason if there can
  // be no programs here.
  StepWorkshop(const Plan& plan, double step, bool waits = false);

  // Null where a run has none: see why_general(). Runs of ali3p by other steps, which estimate
  // errors, are few.
  std::shared_ptr<SpecialisedSteps> steps_for(const MotionRequest& request, const StepSetup& setup);
  // The same for a device, by Device::step_target(). Null where nobody waits for them.
  std::shared_ptr<DeviceSteps> device_steps_for(const MotionRequest& request,
                                                const StepSetup& setup, const std::string& target);
  // What has become of the steps so far; empty if the like was said before.
  std::string remark_on(const SpecialisedSteps& steps);
  // Whether programs are made only for runs that are long enough.
  bool waits() const { return waits_; }
  // All that were asked for so far.
  std::vector<std::shared_ptr<SpecialisedSteps>> all();

 private:
  struct Made {
    StepSetup setup;
    std::shared_ptr<SpecialisedSteps> steps;
  };
  const Plan& plan_;
  double step_;  // s
  bool waits_;
  std::mutex mutex_;
  std::vector<Made> made_;
  std::map<std::string, std::vector<std::pair<StepSetup, std::shared_ptr<DeviceSteps>>>>
      made_for_devices_;  // by target
  std::set<std::string> said_;
};

// "99 %", which is less than all.
std::string whole_percent(std::size_t part, std::size_t all);

// Whether the value of an objective is that at step k. (Kernels compare its instant as a plain
// number, which recordings do not see.)
bool has_value_at(const MotionRequest& request, std::size_t k);

// Whether somebody looks at what step k leaves, which programs store in part: a record, or an
// objective.
bool is_seen(const MotionRequest& request, std::size_t k);

// Why the steps of a motion have no programs, for "has no effect (...)"; empty if they may.
std::string why_general(const MotionRequest& request);

}  // namespace gradus
