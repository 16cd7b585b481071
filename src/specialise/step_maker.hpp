// Programs of steps, or of parts of evaluations, made beside the runs that ask for them, by a
// thread of its own: what runs show is learnt, the compiler of the host is called, and called again
// when some tens of samples took ways that were not known.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/specialise/host_compiler.hpp"
#include "src/specialise/lessons.hpp"
#include "src/specialise/program_cache.hpp"

namespace gradus::specialise {

class StepMaker : public SpecialisedSteps {
 public:
  explicit StepMaker(const StepSetup& setup);
  ~StepMaker() override;

  bool are_ready(int part) const override { return step_of(part) != nullptr; }
  bool take(int part, double* memory, double time) const override {
    Function* const step = step_of(part);  // may be gone meanwhile
    return step != nullptr && step(memory, time) != 0;
  }
  bool gives_up(int part) const override {
    return makings_[static_cast<std::size_t>(part)].given_up.load(std::memory_order_relaxed);
  }
  bool want_samples(int part) const override {
    return room_.load(std::memory_order_relaxed) > 0 &&
           makings_[static_cast<std::size_t>(part)].learns.load(std::memory_order_relaxed);
  }
  void show(StepSample sample) override;
  void settle(const std::function<bool()>& ends) override;
  void count(std::size_t programmed, std::size_t missed) override;
  StepCounts counts() const override;

 private:
  using Function = int(double*, double);

  // Of a step, or of one part.
  struct Making {
    std::unique_ptr<StepPrograms> programs;            // as soon as something has been shown
    std::vector<std::unique_ptr<CompiledText>> texts;  // somebody may be in any of them
    Function* unproven = nullptr;                      // of the cache, until it repeats a sample
    std::atomic<Function*> step{nullptr};
    std::atomic<bool> learns{true}, given_up{false};
    bool waits = false;  // until runs have worked for a while
    std::size_t learnt = 0, fresh = 0, known_in_a_row = 0, shown_since_compiled = 0;
    std::size_t compilations = 0;  // of these programs
    std::size_t timed = 0;
    double general_s = std::numeric_limits<double>::infinity();  // of the quickest that was timed
    StepSample last;                                             // that was learnt
    bool has_news = false;
  };

  Function* step_of(int part) const {
    return makings_[static_cast<std::size_t>(part)].step.load(std::memory_order_acquire);
  }
  void work();
  std::optional<StepSample> next_sample();
  void learn(StepSample& sample);
  void open_cache(Making& making, const StepSample& sample);
  void prove(Making& making, const StepSample& sample);
  void keep(const Making& making) const;
  void keep_news() const noexcept;
  void publish(Making& making, Function* made, double compile_time);
  bool is_due(const Making& making) const;
  bool pays(const Making& making, Function* made) const;
  double worked() const;
  void end_waiting();
  void compile(Making& making);
  void compile_news();
  void begin_anew(Making& making);
  void give_up(Making& making, const std::string& why);
  void stop_learning(Making& making);
  void end_all(const std::string& why);

  StepSetup setup_;
  double begun_ = 0.0;  // s of all threads, when it began
  std::unique_ptr<ProgramCache> cache_;
  std::unique_ptr<Lessons> lessons_;                       // as soon as something has been shown
  std::array<Making, kernels::kEvaluationParts> makings_;  // of the thread that works

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<StepSample> samples_;
  bool is_idle_ = false, settles_ = false, has_ended_ = false;
  StepCounts counts_;
  std::atomic<int> room_;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

}  // namespace gradus::specialise
