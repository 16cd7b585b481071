// Steps of ali3p on a device by a kernel made for the mechanism at hand: learnt on the host from
// the motions of some designs, compiled for the device, and what general kernels do beside it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/backend/device.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/specialised_steps.hpp"

namespace gradus {

// What motions on the host teach, one after another: they are shown all steps that it wants, and
// take none of them.
class DeviceSteps : public SpecialisedSteps {
 public:
  bool are_ready(int) const final { return false; }
  bool take(int, double*, double) const final { return false; }
  void settle(const std::function<bool()>&) final {}
  void count(std::size_t, std::size_t) final {}

  // The next samples are of another motion.
  virtual void begin_motion() = 0;
  // The memory of a design [place] before a step that ends at a time [s] and was not known; behind
  // such a motion.
  virtual void show_missed(double time, std::vector<double> before) = 0;
  // Whether something shown was not as it had been learnt: then nothing made of that is of use.
  virtual bool is_wrong() const = 0;
  // Whether code() would compile what is not compiled yet.
  virtual bool has_news() const = 0;
  // What was learnt, for Device::step_target(); places from `shared` on are columns. Throws Error
  // with what the compiler says, or where nothing could be learnt.
  virtual StepCode code(const std::string& target, int shared) = 0;
};

// What a device has loaded, and who made it.
struct LoadedSteps {
  std::shared_ptr<DeviceSteps> steps;
  int shared;  // places from here on are columns
  std::unique_ptr<StepKernel> kernel;

  // What is known by now.
  void load(Device& device) {
    kernel = device.load_steps(steps->code(device.step_target(), shared));
  }
};

// What motions on the host have taught for a target of Device::step_target(). Null: nobody waits
// for it. Throws Error where there can be none.
std::shared_ptr<DeviceSteps> taught_steps(const MotionRequest& request, const HostSetup& setup,
                                          const std::string& target);

// Those for the steps of a request on a device whose designs have this layout; null, with a word to
// the log, where there can be none.
std::unique_ptr<LoadedSteps> load_steps(const MotionRequest& request, Device& device,
                                        const kernels::Layout& layout);

// Why the steps of a request have none on devices; empty if they may.
std::string why_general_on_device(const MotionRequest& request);

// Designs of a chunk whose steps go by such a kernel. What it does not know the way of, general
// kernels do: for the designs that wait for that step, while all others stand still.
class MadeSteps {
 public:
  // All that this is given lives as long as it.
  MadeSteps(Device& device, LoadedSteps& loaded, StepBatch designs);

  // Runs the launches of one step that ends at a time [s], for designs of which these statuses say
  // that they have not failed.
  using General = std::function<void(double time, kernels::Status* status)>;
  // Takes all designs from `done` steps on to `last`.
  void take(std::ptrdiff_t done, std::ptrdiff_t last, kernels::Status* status,
            const General& general);

  // Whether general kernels had better take all that is left.
  bool are_wrong() const { return loaded_.steps->is_wrong(); }

  // Of designs.
  std::size_t programmed() const { return programmed_; }
  std::size_t missed() const { return missed_; }

 private:
  void load_news();
  void find_out();
  std::ptrdiff_t next_missed(std::ptrdiff_t last) const;
  void take_missed(std::ptrdiff_t step, kernels::Status* status, const General& general);
  void show_missed(std::ptrdiff_t step);
  std::vector<double> memory_of(std::size_t design) const;

  Device& device_;
  LoadedSteps& loaded_;
  StepBatch batch_;
  DeviceBuffer reached_on_device_, waiting_on_device_;
  std::vector<int> reached_;
  std::vector<kernels::Status> status_, waiting_;
  std::size_t programmed_ = 0, missed_ = 0;
  std::size_t shown_ = 0;      // designs of which a missed step was shown
  double general_time_ = 0.0;  // s, of missed steps since the kernel was loaded
  bool compiles_anew_ = true;
};

}  // namespace gradus
