// What programs are learnt from: samples of what general kernels do, made complete and looked at
// before they are recorded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/specialise/carried.hpp"
#include "src/specialise/step_programs.hpp"

namespace gradus::specialise {

class Lessons {
 public:
  // For packs with a memory [place, lane] like this one.
  Lessons(const StepSetup& setup, const double* memory);

  // Of steps, or of a part of evaluations, that know nothing yet.
  std::unique_ptr<StepPrograms> no_programs(int part) const;

  // Whether a memory is what general kernels have left, as far as it is carried on.
  bool carries_the_same(const StepPrograms& programs, const DesignMemory& memory,
                        const StepSample& sample) const;

  enum class Use { some, none, never };
  // Makes a sample of a step complete, and the memory of `design()` that behind the sample. None:
  // the step fails. Never: see obstacle().
  Use prepare(const StepPrograms& programs, StepSample& sample);
  // Never: see obstacle().
  Use learn(StepPrograms& programs, const StepSample& sample);
  const std::string& obstacle() const { return obstacle_; }

  std::size_t places() const { return design_.places(); }

 private:
  std::vector<Span> carried_behind(int part) const;
  bool run_general(const StepSample& sample);
  bool repeats_itself(const StepPrograms& programs, const StepSample& sample);

  RecordedDesign design_;
  bool are_evaluations_;
  std::string obstacle_;
};

}  // namespace gradus::specialise
