// The discrete adjoint of the designs of a chunk, on the host or on a device: their motion, keeping
// what its steps leave, and back. docs/theory.md, section 15.
#pragma once

#include <vector>

#include "src/motion/kept_motion.hpp"

namespace gradus {

template <class Chunk>
class DiscreteAdjoint {
 public:
  // `budget`: bytes that the records of a design may take, 0: as many as they need.
  DiscreteAdjoint(const MotionRequest& request, const Formulation& formulation,
                  const kernels::Layout& layout, Chunk& chunk, std::size_t budget)
      : formulation_(formulation),
        chunk_(chunk),
        motion_(request, formulation, layout, chunk, budget) {}

  // The motion; calls observe(step, instant) as a time loop does.
  template <class Observe>
  void forwards(const Observe& observe) {
    motion_.forwards(observe);
  }

  void backwards() {
    motion_.backwards([this](std::size_t k) { reverse_step(k); });
    reverse_start();
  }

  // Steps taken beyond those of the motion, relative to them.
  double recomputation() const { return motion_.recomputation(); }

 private:
  using KernelId = kernels::KernelId;

  void reverse_step(std::size_t k) {
    if (formulation_.has_clock()) return chunk_.launch_for_step(KernelId::reverse_step, k);
    if (formulation_.evaluation)
      return chunk_.launch(KernelId::reverse_instant, motion_.instant(k), no_stage());
    chunk_.launch(KernelId::restore_step, motion_.instant(k), no_stage());
    chunk_.launch(KernelId::add_objective_rows, motion_.instant(k), no_stage());
    solve_adjoints(formulation_.step_tangents);
  }

  void solve_adjoints(const std::vector<kernels::StageTangent>& stages) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
      chunk_.launch(KernelId::solve_adjoint, motion_.instant(0), *stage);
    chunk_.launch(KernelId::gather_elements, motion_.instant(0), no_stage());
  }

  // The start problems once more, for what their linearised forms need.
  void reverse_start() {
    const auto launch_all = [&](const std::vector<KernelId>& kernels) {
      for (const KernelId kernel : kernels) chunk_.launch(kernel, motion_.instant(0), no_stage());
    };
    if (formulation_.has_clock()) {
      launch_all(formulation_.start);
      launch_all(formulation_.settle);
      chunk_.launch_for_step(KernelId::reverse_begin, 0);
    }
    launch_all(formulation_.start);
    launch_all(formulation_.settle);
    chunk_.launch(KernelId::linearise, motion_.instant(0), no_stage());
    if (!formulation_.has_clock())
      chunk_.launch(KernelId::add_objective_rows, motion_.instant(0), no_stage());
    solve_adjoints(formulation_.settle_tangents);
    launch_all(formulation_.start);
    chunk_.launch(KernelId::start_partials, motion_.instant(0), no_stage());
    solve_adjoints(formulation_.start_tangents);
    chunk_.launch(KernelId::gather_gradient, motion_.instant(0), no_stage());
  }

  const Formulation& formulation_;
  Chunk& chunk_;
  KeptMotion<Chunk> motion_;
};

}  // namespace gradus
