// Continuous adjoints on the host: the adjoint differential equations of the motion, integrated
// backwards over its steps, all of which are kept. docs/theory.md, section 16.
#pragma once

#include <functional>
#include <vector>

#include "src/motion/host_chunk.hpp"
#include "src/motion/tape.hpp"

namespace gradus {

// One design forwards and back.
class ContinuousRun {
 public:
  // Throws InputError if the formulation or integrator has no continuous adjoint, or if its steps
  // do not fit into `budget` bytes (0: any number).
  ContinuousRun(const MotionRequest& request, const Formulation& formulation,
                const kernels::Layout& layout, HostChunk<double>& chunk, std::size_t budget);

  // The motion; calls observe(step, instant) as a time loop does.
  void forwards(const std::function<void(std::size_t, const Instant&)>& observe);
  void backwards();

 private:
  void keep(std::size_t k, const Instant& at);
  void keep_projected(double* record) const;
  void launch(kernels::KernelId kernel, std::size_t k, double weight, int last = 0);
  void restore(std::size_t k);
  void solve_adjoint(const kernels::StageTangent& stage);
  void load_integrands(std::size_t k);
  void reverse_ali3p();
  void pass_instant(std::size_t k, int kind);
  void correct(std::size_t k);
  void reverse_one_step_method();
  void reverse_start();
  double weight(std::size_t k) const;
  bool fails() const { return chunk_.status != kernels::Status::ok; }

  const MotionRequest& request_;
  const Formulation& formulation_;
  const kernels::Layout& layout_;
  HostChunk<double>& chunk_;
  Tape tape_;
};

}  // namespace gradus
