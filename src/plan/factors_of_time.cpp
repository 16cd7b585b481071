// Products and quotients with functions of time alone, for the derivatives of their other operands.
#include "src/plan/draft.hpp"

namespace gradus {

using kernels::Instruction;
using kernels::Operation;

void note_factors_of_time(expression::Program& program,
                          const std::function<bool(int input)>& is_time) {
  std::vector<bool> has_time, is_of_time;  // [instruction]
  for (Instruction& i : program.instructions) {
    if (i.operation == Operation::constant || i.operation == Operation::input) {
      const bool varies = i.operation == Operation::input;
      has_time.push_back(varies && is_time(i.a));
      is_of_time.push_back(!varies || has_time.back());
      continue;
    }
    const auto a = index(i.a);
    const auto b = i.b < 0 ? a : index(i.b);
    has_time.push_back(has_time[a] || has_time[b]);
    is_of_time.push_back(i.operation != Operation::spline && is_of_time[a] && is_of_time[b]);
    if (i.operation != Operation::multiply && i.operation != Operation::divide) continue;
    if (is_of_time.back()) continue;
    if (has_time[a] && is_of_time[a]) i.value = 1.0;
    if (i.operation == Operation::multiply && has_time[b] && is_of_time[b]) i.value = 2.0;
  }
}

}  // namespace gradus
