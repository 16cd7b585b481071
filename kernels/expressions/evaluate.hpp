// Runs a straight-line program, and runs it backwards for the derivatives of one result. Every
// operation stands here once: its value and, beside it, its partial derivatives.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/base/decoration.hpp"
#include "kernels/expressions/program.hpp"
#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

// Writes an entry. Arrays whose entries are no numbers in memory have an overload of their own.
template <class Values, class Real>
GRADUS_INLINE void set_entry(Values& values, int k, const Real& x) {
  values[k] = x;
}

// The operations: apply(name in `Operation`, result of a, its slope), and apply(name, result of a
// and b, its derivatives by a and by b); they may be said by the result.
//   square_root  the slope at zero is infinite, for what changes there
//   norm         of a sum of squares: there is no derivative at zero, which gives NaN
//   absolute     at zero the slope is that of the right-hand side
//   power        the derivative by the base holds for negative bases too, with constant whole
//                exponents; at zero it is zero for exponents above 1 and infinite below; that by
//                the exponent exists for positive bases, and is zero elsewhere
//   minimum      of equal operands the first one counts; the sum passes NaN on, whichever it is
//   at_least     a choice that counts as a constant
//   scale        products in derivatives: what is not chosen is zero, however steep it is
// clang-format off
#define GRADUS_UNARY_OPERATIONS(apply) \
  apply(negate, -a, Real(-1)) \
  apply(square_root, root(a), Real(0.5) / result) \
  apply(norm, sqrt(a), Real(0.5) / result) \
  apply(sine, sin(a), cos(a)) \
  apply(cosine, cos(a), -sin(a)) \
  apply(tangent, tan(a), Real(1) + result * result) \
  apply(arc_sine, asin(a), Real(1) / sqrt(Real(1) - a * a)) \
  apply(arc_cosine, acos(a), Real(-1) / sqrt(Real(1) - a * a)) \
  apply(arc_tangent, atan(a), Real(1) / (Real(1) + a * a)) \
  apply(hyperbolic_sine, sinh(a), cosh(a)) \
  apply(hyperbolic_cosine, cosh(a), sinh(a)) \
  apply(hyperbolic_tangent, tanh(a), Real(1) - result * result) \
  apply(exponential, exp(a), result) \
  apply(logarithm, log(a), Real(1) / a) \
  apply(absolute, absolute(a), select(a < Real(0), Real(-1), Real(1))) \
  apply(floor, floor(a), Real(0))

#define GRADUS_BINARY_OPERATIONS(apply) \
  apply(add, a + b, Real(1), Real(1)) \
  apply(subtract, a - b, Real(1), Real(-1)) \
  apply(multiply, product(a, b), b, a) \
  apply(divide, a / b, Real(1) / b, -(result * (Real(1) / b))) \
  apply(power, pow(a, b), select(is_zero(b), Real(0), b * pow(a, b - Real(1))), \
        select(a > Real(0), result * log(a), Real(0))) \
  apply(arc_tangent2, atan2(a, b), b * (Real(1) / (a * a + b * b)), \
        -(a * (Real(1) / (a * a + b * b)))) \
  apply(minimum, select(a <= b, a, select(b < a, b, a + b)), select(a <= b, Real(1), Real(0)), \
        select(a <= b, Real(0), Real(1))) \
  apply(maximum, select(a >= b, a, select(b > a, b, a + b)), select(a >= b, Real(1), Real(0)), \
        select(a >= b, Real(0), Real(1))) \
  apply(at_least, select(a >= b, Real(1), Real(0)), Real(0), Real(0)) \
  apply(scale, scaled_slope(a, b), select(is_zero(a) && !is_finite(b), Real(0), b), a)
// clang-format on

// For programs without splines.
struct NoSplines {};

namespace operations {

#define GRADUS_UNARY(NAME, VALUE, SLOPE)                                     \
  struct NAME##_operation {                                                  \
    template <class Real>                                                    \
    static GRADUS_FUNCTION Real value(const Real& a) {                       \
      return VALUE;                                                          \
    }                                                                        \
    template <class Real>                                                    \
    static GRADUS_FUNCTION Real slope([[maybe_unused]] const Real& a,        \
                                      [[maybe_unused]] const Real& result) { \
      return SLOPE;                                                          \
    }                                                                        \
  };
GRADUS_UNARY_OPERATIONS(GRADUS_UNARY)
#undef GRADUS_UNARY

// Derivatives of the result with respect to the first and the second operand.
template <class Real>
struct Partials {
  Real a;
  Real b;
};

#define GRADUS_BINARY(NAME, VALUE, BY_A, BY_B)                                            \
  struct NAME##_operation {                                                               \
    template <class Real>                                                                 \
    static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {                     \
      return VALUE;                                                                       \
    }                                                                                     \
    template <class Real>                                                                 \
    static GRADUS_FUNCTION Partials<Real> partials([[maybe_unused]] const Real& a,        \
                                                   [[maybe_unused]] const Real& b,        \
                                                   [[maybe_unused]] const Real& result) { \
      return {BY_A, BY_B};                                                                \
    }                                                                                     \
  };
GRADUS_BINARY_OPERATIONS(GRADUS_BINARY)
#undef GRADUS_BINARY

// Hands the operation's struct to `visitor.unary` or `visitor.binary`, or calls `visitor.spline`;
// constants and inputs have no operands and are left to the caller.
template <class Visitor>
GRADUS_FUNCTION void visit(Operation operation, Visitor& visitor) {
  switch (operation) {
    case Operation::constant:
    case Operation::input:
      return;
    case Operation::spline:
      return visitor.spline();
#define GRADUS_UNARY(NAME, VALUE, SLOPE) \
  case Operation::NAME:                  \
    return visitor.unary(NAME##_operation{});
      GRADUS_UNARY_OPERATIONS(GRADUS_UNARY)
#undef GRADUS_UNARY
#define GRADUS_BINARY(NAME, VALUE, BY_A, BY_B) \
  case Operation::NAME:                        \
    return visitor.binary(NAME##_operation{});
      GRADUS_BINARY_OPERATIONS(GRADUS_BINARY)
#undef GRADUS_BINARY
  }
}

// The same, but the commonest of them without a call.
template <class Visitor>
GRADUS_INLINE void visit_quickly(Operation operation, Visitor& visitor) {
  if (operation == Operation::multiply) return visitor.binary(multiply_operation{});
  if (operation == Operation::add) return visitor.binary(add_operation{});
  if (operation == Operation::subtract) return visitor.binary(subtract_operation{});
  if (operation == Operation::negate) return visitor.unary(negate_operation{});
  visit(operation, visitor);
}

template <class Values>
using ElementOf = std::decay_t<decltype(std::declval<Values&>()[0])>;

// Computes the result of instruction k from earlier results.
template <class Values, class Splines>
struct Forward {
  using Real = ElementOf<Values>;
  const Instruction& instruction;
  int k;
  Values& values;
  const Splines& splines;

  GRADUS_FUNCTION void spline() {
    if constexpr (!std::is_same<Splines, NoSplines>::value)
      set_entry(values, k,
                splines.value(static_cast<int>(instruction.value), Real(values[instruction.a])));
  }

  template <class Kind>
  GRADUS_FUNCTION void unary(Kind) {
    set_entry(values, k, Kind::value(Real(values[instruction.a])));
  }
  template <class Kind>
  GRADUS_FUNCTION void binary(Kind) {
    set_entry(values, k, Kind::value(Real(values[instruction.a]), Real(values[instruction.b])));
  }
};

// Adds the adjoint of one result, times the partial derivatives, to the adjoints of its operands.
template <class Values, class Adjoints, class Splines>
struct Backward {
  using Real = ElementOf<Adjoints>;
  const Instruction& instruction;
  const Values& values;
  Adjoints& adjoints;
  const Real& result;
  const Real& adjoint;
  const Splines& splines;

  GRADUS_FUNCTION void spline() {
    if constexpr (!std::is_same<Splines, NoSplines>::value)
      add(instruction.a,
          splines.slope(static_cast<int>(instruction.value), Real(values[instruction.a]), adjoint));
  }

  // What is not chosen has no part in the result, even where that has an infinite slope.
  template <class Kind>
  static constexpr bool kChooses =
      std::is_same<Kind, minimum_operation>::value || std::is_same<Kind, maximum_operation>::value;
  template <class Kind>
  static constexpr bool kScales =
      std::is_same<Kind, multiply_operation>::value || std::is_same<Kind, divide_operation>::value;
  // A result that nothing asks for adds nothing, even where its slope is infinite.
  template <class Kind>
  GRADUS_FUNCTION Real times_adjoint(const Real& partial) const {
    if constexpr (kChooses<Kind>)
      return scaled_slope(partial, adjoint);
    else
      return scaled_slope(adjoint, partial);
  }
  GRADUS_FUNCTION void add(int k, const Real& x) const {
    set_entry(adjoints, k, Real(adjoints[k]) + x);
  }
  template <class Kind>
  GRADUS_FUNCTION void unary(Kind) {
    const Real slope = Kind::slope(Real(values[instruction.a]), result);
    add(instruction.a, times_adjoint<Kind>(slope));
  }
  template <class Kind>
  GRADUS_FUNCTION void binary(Kind) {
    const Partials<Real> partials =
        Kind::partials(Real(values[instruction.a]), Real(values[instruction.b]), result);
    add(instruction.a, times_factor<Kind>(partials.a, 2.0));
    add(instruction.b, times_factor<Kind>(partials.b, 1.0));
  }

 private:
  // A derivative that is the factor of time, or that quotient, which may be zero where the adjoint
  // is infinite, as in sqrt(p*t) at t = 0.
  template <class Kind>
  GRADUS_FUNCTION Real times_factor(const Real& partial, double factor_of_time) const {
    const Real product = times_adjoint<Kind>(partial);
    if constexpr (kScales<Kind>)
      if (instruction.value == factor_of_time) return select(is_zero(partial), Real(0), product);
    return product;
  }
};

}  // namespace operations

// Computes the result of instruction k from the results before it.
template <class Input, class Values, class Splines = NoSplines>
GRADUS_FUNCTION void evaluate_one(const Instruction& instruction, int k, const Input& input,
                                  Values& values, const Splines& splines = Splines{}) {
  using Real = operations::ElementOf<Values>;
  if (instruction.operation == Operation::constant) {
    set_entry(values, k, Real(static_cast<typename ScalarTraits<Real>::Value>(instruction.value)));
  } else if (instruction.operation == Operation::input) {
    set_entry(values, k, Real(input[instruction.a]));
  } else {
    operations::Forward<Values, Splines> forward{instruction, k, values, splines};
    operations::visit_quickly(instruction.operation, forward);
  }
}

// Runs the program: `input[i]` yields input i, `values[k]` receives the result of instruction k.
// Both are anything with operator[]; `values` has at least `instruction_count` elements.
// splines.value(number, x) is the value of a spline, splines.slope(number, x, a) its slope times a.
template <class Input, class Values, class Splines = NoSplines>
GRADUS_FUNCTION void evaluate(const ProgramView& program, const Input& input, Values& values,
                              const Splines& splines = Splines{}) {
  for (int k = 0; k < program.instruction_count; ++k)
    evaluate_one(program.instructions[k], k, input, values, splines);
}

// Derivatives of the result of `output_instruction` with respect to all inputs, given the `values`
// of `evaluate`: calls add(i, d result / d input i) once for every instruction that reads input i.
// `adjoints` is scratch of the size of `values`; afterwards it holds the derivatives with respect
// to the results of all instructions up to the output.
template <class Values, class Adjoints, class InputAdjoint, class Splines = NoSplines>
GRADUS_FUNCTION void reverse(const ProgramView& program, int output_instruction,
                             const Values& values, Adjoints& adjoints, InputAdjoint&& add,
                             const Splines& splines = Splines{}) {
  using Real = operations::ElementOf<Adjoints>;
  for (int k = 0; k < output_instruction; ++k) set_entry(adjoints, k, Real(0));
  set_entry(adjoints, output_instruction, Real(1));
  for (int k = output_instruction; k >= 0; --k) {
    const Instruction& instruction = program.instructions[k];
    if (instruction.operation == Operation::constant) continue;
    const Real adjoint = adjoints[k];
    if (instruction.operation == Operation::input) {
      add(instruction.a, adjoint);
    } else {
      const Real result = values[k];
      operations::Backward<Values, Adjoints, Splines> backward{instruction, values,  adjoints,
                                                               result,      adjoint, splines};
      operations::visit_quickly(instruction.operation, backward);
    }
  }
}

GRADUS_KERNELS_END
