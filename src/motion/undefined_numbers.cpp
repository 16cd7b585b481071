// Runs the program from parameters to slots once more.
#include "src/motion/undefined_numbers.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
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

// The numbers that kernels read, of a design.
class SlotValues {
 public:
  SlotValues(const Plan& plan, std::span<const double> parameters)
      : plan_(plan), parameters_(parameters), values_(values_of(plan, parameters)) {}

  double operator[](int slot) const { return values_[static_cast<std::size_t>(output(slot))]; }

  // " (m = -2)": what `count` slots depend on; empty if that is nothing.
  std::string parameters_of(int slot, int count) const {
    std::vector<char> concerned(parameters_.size(), 0);
    for (int k = slot; k < slot + count; ++k) {
      const std::vector<char> inputs = inputs_of(plan_.slot_program, output(k), parameters_.size());
      std::transform(inputs.begin(), inputs.end(), concerned.begin(), concerned.begin(),
                     [](char a, char b) { return static_cast<char>(a | b); });
    }
    const std::string named = text_of(plan_, parameters_, concerned);
    return named.empty() ? "" : " (" + named + ")";
  }

 private:
  int output(int slot) const { return plan_.slot_program.outputs[static_cast<std::size_t>(slot)]; }

  const Plan& plan_;
  std::span<const double> parameters_;
  std::vector<double> values_;
};

}  // namespace

std::string negative_mass(const Plan& plan, std::span<const double> parameters) {
  if (parameters.size() != plan.nominal.size()) return "";
  const SlotValues slots(plan, parameters);
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const double mass = slots[plan.bodies[i].mass_slot];
    if (mass < 0.0)
      return ": that of " + in_quotes(plan.body_names[i]) + " is " + to_text(mass) + " kg" +
             slots.parameters_of(plan.bodies[i].mass_slot, 1);
  }
  return "";
}

std::string negative_inertia(const Plan& plan, std::span<const double> parameters) {
  if (parameters.size() != plan.nominal.size()) return "";
  const SlotValues slots(plan, parameters);
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const kernels::BodyEntry& body = plan.bodies[i];
    const auto at = [&](int k) { return slots[body.inertia_slot + k]; };
    Eigen::Matrix3d inertia;
    inertia << at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia, Eigen::EigenvaluesOnly);
    const double smallest = solver.eigenvalues()[0];
    if (smallest < -slots[body.inertia_tolerance_slot])
      return ": the smallest of " + in_quotes(plan.body_names[i]) + " is " +
             rounded_text(smallest, 6) + " kg m^2" + slots.parameters_of(body.inertia_slot, 6);
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
