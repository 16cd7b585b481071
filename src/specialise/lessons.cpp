// Samples of steps, or of parts of evaluations.
#include "src/specialise/lessons.hpp"

#include <algorithm>
#include <limits>

#include "kernels/core/evaluation_programs.hpp"

namespace gradus::specialise {

Lessons::Lessons(const StepSetup& setup, const double* memory)
    : design_(setup, memory), are_evaluations_(setup.evaluation.has_value()) {}

// Behind other parts of evaluations anybody may ask for anything.
std::vector<Span> Lessons::carried_behind(int part) const {
  if (!are_evaluations_ && part == step_back) return carried_back(design_.layout(), design_.plan());
  if (!are_evaluations_)
    return carried_between_steps(design_.layout(), design_.plan(), design_.company());
  if (part == static_cast<int>(kernels::EvaluationPart::stage))
    return carried_between_stages(design_.layout(), design_.plan(),
                                  design_.company() == Company::columns);
  if (part == static_cast<int>(kernels::EvaluationPart::stage_back) ||
      part == static_cast<int>(kernels::EvaluationPart::end_back))
    return carried_behind_reversed(design_.layout(), design_.plan());
  return {{0, design_.layout().size}};
}

std::unique_ptr<StepPrograms> Lessons::no_programs(int part) const {
  std::vector<char> is_carried(design_.places(), 0);
  for (const Span& span : carried_behind(part))
    std::fill_n(is_carried.begin() + span.begin, span.count, 1);
  return std::make_unique<StepPrograms>(std::move(is_carried), !are_evaluations_);
}

bool Lessons::run_general(const StepSample& sample) {
  for (const StepLaunch& launch : sample.launches) design_.run(launch);
  const bool succeeds = design_.status() == kernels::Status::ok;
  design_.forgive();
  return succeeds;
}

bool Lessons::carries_the_same(const StepPrograms& programs, const DesignMemory& memory,
                               const StepSample& sample) const {
  const auto lanes = static_cast<std::size_t>(design_.lanes());
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (programs.is_carried(i / lanes) && memory[i] != sample.after[i] &&
        (memory[i] == memory[i] || sample.after[i] == sample.after[i]))
      return false;
  return true;
}

// Whether a step goes by nothing but what is carried.
bool Lessons::repeats_itself(const StepPrograms& programs, const StepSample& sample) {
  DesignMemory& memory = design_.memory();
  const auto lanes = static_cast<std::size_t>(design_.lanes());
  for (std::size_t i = 0; i < memory.size(); ++i)
    memory[i] = programs.is_carried(i / lanes) ? sample.before[i]
                                               : std::numeric_limits<double>::quiet_NaN();
  return run_general(sample) && carries_the_same(programs, memory, sample);
}

Lessons::Use Lessons::prepare(const StepPrograms& programs, StepSample& sample) {
  DesignMemory& memory = design_.memory();
  if (!are_evaluations_) {
    std::copy(sample.before.begin(), sample.before.end(), memory.begin());
    if (!run_general(sample)) return Use::none;
    sample.after = design_.copy();
    if (!repeats_itself(programs, sample)) {
      obstacle_ = "steps of this mechanism go by more than they are known to carry on";
      return Use::never;
    }
  }
  std::copy(sample.after.begin(), sample.after.end(), memory.begin());
  return Use::some;
}

Lessons::Use Lessons::learn(StepPrograms& programs, const StepSample& sample) {
  if (programs.learn(design_, sample)) return Use::some;
  obstacle_ = "recordings do not repeat what general kernels do";
  return Use::never;
}

}  // namespace gradus::specialise
