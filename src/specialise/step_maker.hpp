// Programs of steps made beside the runs that take them, by a thread of its own: steps that runs
// show are learnt, the compiler of the host is called, and called again when some tens of steps
// took ways that were not known.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/specialise/host_compiler.hpp"
#include "src/specialise/step_programs.hpp"

namespace gradus::specialise {

class StepMaker : public SpecialisedSteps {
 public:
  explicit StepMaker(const StepSetup& setup);
  ~StepMaker() override;

  bool are_ready() const override { return step_.load(std::memory_order_acquire) != nullptr; }
  bool take(double* memory, double time) const override {
    Function* const step = step_.load(std::memory_order_acquire);  // may be gone meanwhile
    return step != nullptr && step(memory, time) != 0;
  }
  bool want_samples() const override { return room_.load(std::memory_order_relaxed) > 0; }
  void show(const double* before, const std::vector<StepLaunch>& step) override;
  void settle() override;
  void count(std::size_t programmed, std::size_t missed) override;
  StepCounts counts() const override;

 private:
  using Function = int(double*, double);
  struct Sample {
    std::vector<double> before;
    std::vector<StepLaunch> step;
  };

  void work();
  std::optional<Sample> next_sample();
  void learn(const Sample& sample);
  bool repeats_itself(const Sample& sample, const std::vector<double>& after);
  bool run_general(const Sample& sample);
  bool is_due() const;
  void compile();
  void stop_learning();
  void give_up(const std::string& why);

  StepSetup setup_;
  std::unique_ptr<RecordedDesign> design_;  // as soon as a step has been shown
  std::unique_ptr<StepPrograms> programs_;
  std::vector<std::unique_ptr<CompiledText>> texts_;  // somebody may be in any of them
  std::atomic<Function*> step_{nullptr};
  // Of the thread that works.
  std::size_t learnt_ = 0, new_ = 0, known_in_a_row_ = 0, shown_since_compiled_ = 0;
  bool has_news_ = false;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Sample> samples_;
  bool is_idle_ = false, settles_ = false;
  StepCounts counts_;
  std::atomic<int> room_;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

}  // namespace gradus::specialise
