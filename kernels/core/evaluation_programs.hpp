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
  stage,              // of an explicit method: accelerations, columns, and what integrands count
  stage_back,         // of any, for the discrete adjoint
  end_back,           // the same for the end of a step
};
constexpr int kEvaluationParts = 8;

// What becomes of a part.
enum class Taken {
  whole,     // by a program
  shown,     // by general kernels, which show() is to see
  general,   // by these
  by_parts,  // by programs of the parts it has, if there are any: of the whole there will be none
};

// Of one thread, for one design or a pack in lanes, of which none has failed.
class EvaluationPrograms {
 public:
  virtual ~EvaluationPrograms() = default;
  // Evaluates a part at `time` [s] in the memory of the design, or leaves the memory as it was. Of
  // stages, and of what is taken back, only that is up to date behind it which others ask for.
  virtual Taken take(EvaluationPart part, double time, void* memory) = 0;
  // What these have made of it.
  virtual void show(const void* memory) = 0;
};

}  // namespace gradus::kernels
