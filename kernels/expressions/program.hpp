// A straight-line program: scalar operations in order, each naming earlier results. Parameters
// become slots, and sensors become objectives, by running one.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

enum class Operation : int {
  constant,     // value
  input,        // inputs[a]
  add,          // a + b
  subtract,     // a - b
  multiply,     // a * b
  divide,       // a / b
  power,        // a ^ b
  negate,       // -a
  square_root,  // sqrt(a)
  norm,         // sqrt(a), where a is a sum of squares
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  arc_tangent2,  // atan2(a, b)
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  exponential,
  logarithm,
  absolute,
  floor,
  minimum,   // min(a, b)
  maximum,   // max(a, b)
  at_least,  // 1 where a >= b, 0 elsewhere
  scale,     // a * b, 0 where a is, even if b is infinite there
  spline,    // number `value` at a
};

// Whether a result has corners where its operands are equal, or the only one is zero.
GRADUS_ALWAYS_INLINE bool has_kink(Operation operation) {
  return operation == Operation::absolute || operation == Operation::minimum ||
         operation == Operation::maximum;
}

// Result i of a program is the outcome of instruction i; `a` and `b` are results of earlier
// instructions, except for `input`, where `a` numbers an input. `value` is 1 of products and
// quotients whose operand `a` is a function of time alone, 2 of products whose operand `b` is one:
// where that is zero, the result is, whatever the other operand does.
struct Instruction {
  Operation operation;
  int a;
  int b;
  double value;
};

// Whether `b` is an operand.
GRADUS_ALWAYS_INLINE bool is_binary(const Instruction& i) {
  return i.operation != Operation::constant && i.operation != Operation::input &&
         i.operation != Operation::spline && i.b >= 0;
}

// Trivially copyable view of a program. `outputs[k]` is the instruction whose result is output k.
struct ProgramView {
  const Instruction* instructions;
  const int* outputs;
  int instruction_count;
  int output_count;
};

}  // namespace gradus::kernels
