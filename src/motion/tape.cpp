// Memory of adjoints, and what the continuous one asks of a request.
#include "src/motion/tape.hpp"

#include <algorithm>
#include <string>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/motion/continuous_adjoint.hpp"

namespace gradus {

MemoryPlan plan_memory(std::size_t budget, std::size_t record, std::size_t state,
                       std::size_t steps) {
  MemoryPlan plan;
  const std::size_t numbers = budget / sizeof(double);
  if (steps > 0) plan.block_length = std::min(plan.block_length, steps);
  const std::size_t blocks = (steps + plan.block_length - 1) / plan.block_length;
  const bool fits = steps > 0 && blocks * plan.block_length * record <= numbers;
  if (budget == 0 || fits) return plan;
  if (numbers < state + record)
    throw InputError("memory: found " + std::to_string(budget) + " bytes, expected at least " +
                     std::to_string((state + record) * sizeof(double)) +
                     " for each design at work: its state and a step of it");
  // A quarter for the steps at hand; the rest for states.
  plan.block_length = std::clamp<std::size_t>(std::min(numbers / 4, numbers - state) / record, 1,
                                              plan.block_length);
  plan.snapshots = (numbers - plan.block_length * record) / state;
  return plan;
}

std::size_t best_split(std::size_t count, std::size_t free) {
  // With the state before the first block, `states` of them and at most `repeats` repetitions reach
  // binomial(states + repeats, states) blocks, of which those before the split make this share.
  const std::size_t states = free + 1;
  std::size_t repeats = 0;
  double reach = 1.0;
  while (reach < static_cast<double>(count)) {
    ++repeats;
    reach *= static_cast<double>(states + repeats) / static_cast<double>(repeats);
  }
  const double share = static_cast<double>(repeats) / static_cast<double>(states + repeats);
  const auto split = static_cast<std::size_t>(share * static_cast<double>(count));
  return std::clamp<std::size_t>(split, 1, count - 1);
}

std::size_t continuous_adjoint_bytes(const MotionRequest& request, const kernels::Layout& layout) {
  return (request.steps + 1) * static_cast<std::size_t>(layout.record_size) * sizeof(double);
}

// What the trapezoidal rule backwards needs of the motion forwards.
void check_continuous_adjoint(const MotionRequest& request, const Formulation& formulation,
                              const kernels::Layout& layout, std::size_t budget) {
  if (!formulation.has_clock() && formulation.evaluation)
    throw InputError("method: found \"continuous-adjoint\" for " +
                     std::string(request.formulation->name) +
                     " (no differential equation is integrated there); use adjoint");
  const std::string& integrator = request.analysis.integrator;
  const bool adaptive = formulation.has_clock() && request.tableau.error_order > 0;
  const bool is_trapezoidal = newmark_family(request.analysis).is_trapezoidal();
  if (adaptive || (!formulation.has_clock() && !is_trapezoidal))
    throw InputError(
        "method: found \"continuous-adjoint\" with the integrator " + integrator +
        " (it goes backwards by the trapezoidal rule over steps of equal length); use " +
        (adaptive ? "an integrator of fixed steps" : std::string(keys::newmark)) +
        ", or the method adjoint, which is exact with every integrator");
  const std::size_t bytes = continuous_adjoint_bytes(request, layout);
  if (budget > 0 && bytes > budget)
    throw InputError("memory: found " + std::to_string(budget) +
                     " bytes for a design (a continuous adjoint keeps all steps, " +
                     std::to_string(bytes) +
                     " bytes); give more, or use the method adjoint, which takes steps once more "
                     "instead");
}

}  // namespace gradus
