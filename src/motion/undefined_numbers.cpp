// Runs the program from parameters to slots once more.
#include "src/motion/undefined_numbers.hpp"

#include <cmath>
#include <vector>

#include "kernels/expressions/evaluate.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

using kernels::Instruction;
using kernels::Operation;

// What looks for it takes as long as so many instructions; failed designs may be many.
constexpr std::size_t kMostInstructions = 10'000'000;

// Marks what an operation reads.
struct MarkOperands {
  const Instruction& instruction;
  std::vector<char>& marked;

  void spline() { mark(instruction.a); }
  template <class Kind>
  void unary(Kind) {
    mark(instruction.a);
  }
  template <class Kind>
  void binary(Kind) {
    mark(instruction.a);
    mark(instruction.b);
  }
  void mark(int k) { marked[static_cast<std::size_t>(k)] = 1; }
};

// The inputs that an output depends on.
std::vector<char> inputs_of(const expression::Program& program, int output, std::size_t inputs) {
  std::vector<char> marked(program.instructions.size(), 0), concerned(inputs, 0);
  marked[static_cast<std::size_t>(output)] = 1;
  for (std::size_t k = static_cast<std::size_t>(output) + 1; k-- > 0;) {
    if (marked[k] == 0) continue;
    const Instruction& instruction = program.instructions[k];
    if (instruction.operation == Operation::input)
      concerned[static_cast<std::size_t>(instruction.a)] = 1;
    MarkOperands visitor{instruction, marked};
    kernels::operations::visit(instruction.operation, visitor);
  }
  return concerned;
}

std::string text_of(const Plan& plan, std::span<const double> parameters,
                    const std::vector<char>& concerned) {
  constexpr std::size_t shown = 6;
  std::size_t count = 0;
  std::string text;
  for (std::size_t p = 0; p < plan.parameter_names.size(); ++p) {
    if (concerned[p] == 0 || ++count > shown) continue;
    text += (text.empty() ? "" : ", ") + plan.parameter_names[p] + " = " + to_text(parameters[p]);
  }
  return count > shown ? text + " and " + std::to_string(count - shown) + " more" : text;
}

std::vector<double> values_of(const Plan& plan, std::span<const double> parameters) {
  std::vector<double> values(plan.slot_program.instructions.size());
  kernels::evaluate(plan.slot_program.view(), parameters, values);
  return values;
}

}  // namespace

std::string negative_mass(const Plan& plan, std::span<const double> parameters) {
  if (parameters.size() != plan.nominal.size()) return "";
  const std::vector<double> values = values_of(plan, parameters);
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const int output =
        plan.slot_program.outputs[static_cast<std::size_t>(plan.bodies[i].mass_slot)];
    const double mass = values[static_cast<std::size_t>(output)];
    if (!(mass < 0.0)) continue;
    const std::string named =
        text_of(plan, parameters, inputs_of(plan.slot_program, output, parameters.size()));
    return ": that of " + in_quotes(plan.body_names[i]) + " is " + to_text(mass) + " kg" +
           (named.empty() ? "" : " (" + named + ")");
  }
  return "";
}

std::string parameters_of_undefined_number(const Plan& plan, std::span<const double> parameters) {
  if (parameters.size() != plan.nominal.size()) return "";
  const kernels::ProgramView program = plan.slot_program.view();
  const std::vector<double> values = values_of(plan, parameters);
  std::vector<double> adjoints(values.size());
  const std::size_t all = parameters.size();
  for (const int output : plan.slot_program.outputs)
    if (!std::isfinite(values[static_cast<std::size_t>(output)]))
      return text_of(plan, parameters, inputs_of(plan.slot_program, output, all));
  if (values.size() * plan.slot_program.outputs.size() > kMostInstructions) return "";
  for (const int output : plan.slot_program.outputs) {
    std::vector<double> derivative(all, 0.0);
    kernels::reverse(program, output, values, adjoints, [&](int input, double adjoint) {
      derivative[static_cast<std::size_t>(input)] += adjoint;
    });
    std::vector<char> concerned(all, 0);
    for (std::size_t p = 0; p < all; ++p) concerned[p] = std::isfinite(derivative[p]) ? 0 : 1;
    if (std::string text = text_of(plan, parameters, concerned); !text.empty()) return text;
  }
  return "";
}

}  // namespace gradus
