// Runs a straight-line program, and runs it backwards for the derivatives of one result. Every
// operation stands here once: its value and, beside it, its partial derivatives.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/core/decoration.hpp"
#include "kernels/expressions/program.hpp"
#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

// Writes an entry. Arrays whose entries are no numbers in memory have an overload of their own.
template <class Values, class Real>
GRADUS_INLINE void set_entry(Values& values, int k, const Real& x) {
  values[k] = x;
}

namespace operations {

// Derivatives of the result with respect to the first and the second operand.
template <class Real>
struct Partials {
  Real a;
  Real b;
};

struct Add {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return a + b;
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real&, const Real&, const Real&) {
    return {Real(1), Real(1)};
  }
};

struct Subtract {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return a - b;
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real&, const Real&, const Real&) {
    return {Real(1), Real(-1)};
  }
};

struct Multiply {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return a * b;
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real& a, const Real& b, const Real&) {
    return {b, a};
  }
};

struct Divide {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return a / b;
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real&, const Real& b, const Real& result) {
    const Real inverse = Real(1) / b;
    return {inverse, -(result * inverse)};
  }
};

// The derivative with respect to the base holds for negative bases too (constant whole exponents).
// The one with respect to the exponent exists for positive bases only and is taken as zero
// elsewhere.
struct Power {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return pow(a, b);
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real& a, const Real& b, const Real& result) {
    const Real slope = select(b == Real(0), Real(0), b * pow(a, b - Real(1)));
    const Real growth = select(a > Real(0), result * log(a), Real(0));
    return {slope, growth};
  }
};

// The slope at zero is infinite, as it is in truth: norm(v) has no derivative at v = 0 and gives
// NaN there.
struct SquareRoot {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return sqrt(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real&, const Real& result) {
    return Real(0.5) / result;
  }
};

struct Negate {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return -a;
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real&, const Real&) {
    return Real(-1);
  }
};

struct Sine {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return sin(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return cos(a);
  }
};

struct Cosine {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return cos(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return -sin(a);
  }
};

struct Tangent {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return tan(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real&, const Real& result) {
    return Real(1) + result * result;
  }
};

struct ArcSine {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return asin(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return Real(1) / sqrt(Real(1) - a * a);
  }
};

struct ArcCosine {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return acos(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return Real(-1) / sqrt(Real(1) - a * a);
  }
};

struct ArcTangent {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return atan(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return Real(1) / (Real(1) + a * a);
  }
};

struct ArcTangent2 {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return atan2(a, b);
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real& a, const Real& b, const Real&) {
    const Real inverse = Real(1) / (a * a + b * b);
    return {b * inverse, -(a * inverse)};
  }
};

struct HyperbolicSine {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return sinh(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return cosh(a);
  }
};

struct HyperbolicCosine {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return cosh(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return sinh(a);
  }
};

struct HyperbolicTangent {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return tanh(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real&, const Real& result) {
    return Real(1) - result * result;
  }
};

struct Exponential {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return exp(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real&, const Real& result) {
    return result;
  }
};

struct Logarithm {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return log(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return Real(1) / a;
  }
};

// At zero the slope is that of the right-hand side.
struct Absolute {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a) {
    return absolute(a);
  }
  template <class Real>
  static GRADUS_FUNCTION Real slope(const Real& a, const Real&) {
    return select(a < Real(0), Real(-1), Real(1));
  }
};

// Of equal operands the first one counts. The sum in the last place passes NaN on, whichever
// operand it is.
struct Minimum {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return select(a <= b, a, select(b < a, b, a + b));
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real& a, const Real& b, const Real&) {
    return {select(a <= b, Real(1), Real(0)), select(a <= b, Real(0), Real(1))};
  }
};

struct Maximum {
  template <class Real>
  static GRADUS_FUNCTION Real value(const Real& a, const Real& b) {
    return select(a >= b, a, select(b > a, b, a + b));
  }
  template <class Real>
  static GRADUS_FUNCTION Partials<Real> partials(const Real& a, const Real& b, const Real&) {
    return {select(a >= b, Real(1), Real(0)), select(a >= b, Real(0), Real(1))};
  }
};

// Hands the operation's struct to `visitor.unary` or `visitor.binary`; constants and inputs have no
// operands and are left to the caller.
template <class Visitor>
GRADUS_FUNCTION void visit(Operation operation, Visitor& visitor) {
  switch (operation) {
    case Operation::constant:
    case Operation::input:
      return;
    case Operation::add:
      return visitor.binary(Add{});
    case Operation::subtract:
      return visitor.binary(Subtract{});
    case Operation::multiply:
      return visitor.binary(Multiply{});
    case Operation::divide:
      return visitor.binary(Divide{});
    case Operation::power:
      return visitor.binary(Power{});
    case Operation::negate:
      return visitor.unary(Negate{});
    case Operation::square_root:
      return visitor.unary(SquareRoot{});
    case Operation::sine:
      return visitor.unary(Sine{});
    case Operation::cosine:
      return visitor.unary(Cosine{});
    case Operation::tangent:
      return visitor.unary(Tangent{});
    case Operation::arc_sine:
      return visitor.unary(ArcSine{});
    case Operation::arc_cosine:
      return visitor.unary(ArcCosine{});
    case Operation::arc_tangent:
      return visitor.unary(ArcTangent{});
    case Operation::arc_tangent2:
      return visitor.binary(ArcTangent2{});
    case Operation::hyperbolic_sine:
      return visitor.unary(HyperbolicSine{});
    case Operation::hyperbolic_cosine:
      return visitor.unary(HyperbolicCosine{});
    case Operation::hyperbolic_tangent:
      return visitor.unary(HyperbolicTangent{});
    case Operation::exponential:
      return visitor.unary(Exponential{});
    case Operation::logarithm:
      return visitor.unary(Logarithm{});
    case Operation::absolute:
      return visitor.unary(Absolute{});
    case Operation::minimum:
      return visitor.binary(Minimum{});
    case Operation::maximum:
      return visitor.binary(Maximum{});
  }
}

template <class Values>
using ElementOf = std::decay_t<decltype(std::declval<Values&>()[0])>;

// Computes the result of instruction k from earlier results.
template <class Values>
struct Forward {
  using Real = ElementOf<Values>;
  const Instruction& instruction;
  int k;
  Values& values;

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
template <class Values, class Adjoints>
struct Backward {
  using Real = ElementOf<Adjoints>;
  const Instruction& instruction;
  const Values& values;
  Adjoints& adjoints;
  const Real& result;
  const Real& adjoint;

  // A result that nothing asks for adds nothing, even where its slope is infinite.
  GRADUS_FUNCTION Real times_adjoint(const Real& partial) const {
    return select(is_zero(adjoint), Real(0), adjoint * partial);
  }
  GRADUS_FUNCTION void add(int k, const Real& x) const {
    set_entry(adjoints, k, Real(adjoints[k]) + x);
  }
  template <class Kind>
  GRADUS_FUNCTION void unary(Kind) {
    const Real slope = Kind::slope(Real(values[instruction.a]), result);
    add(instruction.a, times_adjoint(slope));
  }
  template <class Kind>
  GRADUS_FUNCTION void binary(Kind) {
    const Partials<Real> partials =
        Kind::partials(Real(values[instruction.a]), Real(values[instruction.b]), result);
    add(instruction.a, times_adjoint(partials.a));
    add(instruction.b, times_adjoint(partials.b));
  }
};

}  // namespace operations

// Computes the result of instruction k from the results before it.
template <class Input, class Values>
GRADUS_FUNCTION void evaluate_one(const Instruction& instruction, int k, const Input& input,
                                  Values& values) {
  using Real = operations::ElementOf<Values>;
  if (instruction.operation == Operation::constant) {
    set_entry(values, k, Real(static_cast<typename ScalarTraits<Real>::Value>(instruction.value)));
  } else if (instruction.operation == Operation::input) {
    set_entry(values, k, Real(input[instruction.a]));
  } else {
    operations::Forward<Values> forward{instruction, k, values};
    operations::visit(instruction.operation, forward);
  }
}

// Runs the program: `input[i]` yields input i, `values[k]` receives the result of instruction k.
// Both are anything with operator[]; `values` has at least `instruction_count` elements.
template <class Input, class Values>
GRADUS_FUNCTION void evaluate(const ProgramView& program, const Input& input, Values& values) {
  for (int k = 0; k < program.instruction_count; ++k)
    evaluate_one(program.instructions[k], k, input, values);
}

// Derivatives of the result of `output_instruction` with respect to all inputs, given the `values`
// of `evaluate`: calls add(i, d result / d input i) once for every instruction that reads input i.
// `adjoints` is scratch of the size of `values`; afterwards it holds the derivatives with respect
// to the results of all instructions up to the output.
template <class Values, class Adjoints, class InputAdjoint>
GRADUS_FUNCTION void reverse(const ProgramView& program, int output_instruction,
                             const Values& values, Adjoints& adjoints, InputAdjoint&& add) {
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
      operations::Backward<Values, Adjoints> backward{instruction, values, adjoints, result,
                                                      adjoint};
      operations::visit(instruction.operation, backward);
    }
  }
}

GRADUS_KERNELS_END
