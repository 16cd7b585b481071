// Instructions of laws are looked through for what may have no value, or jump.
#include "src/motion/suspect_laws.hpp"

#include <algorithm>

#include "src/model/message.hpp"

namespace gradus {
namespace {

// Names of laws of which some instruction is like this: is_such(law, instruction, its operands).
template <class Such>
std::vector<std::string> laws_with(const Plan& plan, const Such& is_such) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < plan.laws.size(); ++k) {
    const kernels::LawEntry& law = plan.laws[k];
    const kernels::Instruction* const all = plan.law_instructions.data() + law.instruction_begin;
    const bool found =
        std::any_of(all, plan.law_instructions.data() + law.instruction_end,
                    [&](const kernels::Instruction& i) { return is_such(law, i, all); });
    if (found && std::find(names.begin(), names.end(), plan.law_names[k]) == names.end())
      names.push_back(plan.law_names[k]);
  }
  return names;
}

// Names of laws that have no value everywhere. Divisors that do not change were looked at before.
std::vector<std::string> laws_with_domains(const Plan& plan) {
  using kernels::Operation;
  return laws_with(plan, [&](const kernels::LawEntry& law, const kernels::Instruction& i,
                             const kernels::Instruction* all) {
    const auto changes = [&](const kernels::Instruction& by) {
      if (by.operation != Operation::input)
        return by.operation != Operation::constant && by.operation != Operation::exponential;
      const auto input = static_cast<std::size_t>(law.input_begin + by.a);
      return plan.law_inputs[input].kind != kernels::LawInputKind::slot;
    };
    const bool divides = i.operation == Operation::divide && changes(all[i.b]);
    return divides || i.operation == Operation::power || i.operation == Operation::square_root ||
           i.operation == Operation::logarithm || i.operation == Operation::arc_sine ||
           i.operation == Operation::arc_cosine;
  });
}

}  // namespace

std::string where_undefined(const Plan& plan) {
  const std::vector<std::string> laws = laws_with_domains(plan);
  return laws.empty() ? ""
                      : "where " + quoted_list(laws) +
                            " has no value (the root or the logarithm of a negative number, a "
                            "quotient by zero)";
}

std::vector<std::string> laws_that_jump(const Plan& plan) {
  using kernels::Operation;
  return laws_with(plan, [](const kernels::LawEntry&, const kernels::Instruction& i,
                            const kernels::Instruction* all) {
    return i.operation == Operation::arc_tangent2 ||
           (i.operation == Operation::divide && all[i.b].operation == Operation::absolute);
  });
}

std::string advice_on_jumps(const Plan& plan) {
  const std::vector<std::string> names = laws_that_jump(plan);
  if (names.empty()) return "";
  return "; " + quoted_list(names) +
         " may jump, by a division by an absolute value or by atan2: write tanh(x/w) with a small "
         "w for x/abs(x), or try fixed steps (--integrator newmark), which may pass over it";
}

std::string advice_on_independents(const Plan& plan) {
  return plan.independents.empty() ? ""
                                   : "; or the independent expressions of the analysis determine "
                                     "the position poorly there, list others";
}

}  // namespace gradus
