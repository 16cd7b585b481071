// Programs made for the mechanism at hand (src/specialise) that hosts may have for evaluations of
// acceleration formulations.
#pragma once

namespace gradus::kernels {

// What programs are made for, each for itself.
enum class EvaluationPart : int {
  accelerations,      // at a given state
  projected,          // at a state that is the end of a step
  columns,            // of the former
  projected_columns,  // of the latter
  jacobian,           // of accelerations by position and velocity
};
constexpr int kEvaluationParts = 5;

// Of one thread, for one design or a pack in lanes, of which none has failed.
class EvaluationPrograms {
 public:
  virtual ~EvaluationPrograms() = default;
  // Evaluates a part at `time` [s] in the memory of the design. Returns false, with the memory as
  // it was, where general kernels have to.
  virtual bool take(EvaluationPart part, double time, void* memory) = 0;
  // What these have made of it.
  virtual void show(const void* memory) = 0;
};

}  // namespace gradus::kernels
