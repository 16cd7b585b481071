// Laws: scalar functions of time and motion, their time derivatives, and the derivatives of these
// by all inputs. A law is run on dual numbers: seeding every input with x + x' e1 + x' e2 + x'' e1
// e2 gives the law, its rate and its second rate at once, and the same program run backwards gives
// the partial derivatives with their rates. docs/theory.md, section 6.
#pragma once

#include "kernels/bodies/load_sums.hpp"
#include "kernels/expressions/evaluate.hpp"
#include "kernels/laws/law_input.hpp"
#include "kernels/laws/number_array.hpp"
#include "kernels/laws/spline_reader.hpp"
#include "kernels/math/dual.hpp"

GRADUS_KERNELS_BEGIN

// A number with its change in one direction, and one with its first and second time derivatives.
template <class Real>
using Slope = Dual<Real, 1>;
template <class Real>
using Hyper = Dual<Dual<Real, 1>, 1>;

template <class Real>
GRADUS_INLINE Slope<Real> slope(const Real& value, const Real& change) {
  Slope<Real> x(value);
  x.derivative[0] = change;
  return x;
}

template <class Real>
GRADUS_INLINE Hyper<Real> hyper(const Real& value, const Real& rate, const Real& acceleration) {
  Hyper<Real> x(slope(value, rate));
  x.derivative[0] = slope(rate, acceleration);
  return x;
}

template <class Real>
GRADUS_INLINE Real rate_of(const Hyper<Real>& x) {
  return x.value.derivative[0];
}
template <class Real>
GRADUS_INLINE Real acceleration_of(const Hyper<Real>& x) {
  return x.derivative[0].derivative[0];
}

template <class D>
GRADUS_INLINE ProgramView program_of(const D& d, const LawEntry& law) {
  return {d.plan.law_instructions + law.instruction_begin, nullptr,
          law.instruction_end - law.instruction_begin, 1};
}

GRADUS_INLINE int input_count(const LawEntry& law) {
  return law.input_end - law.input_begin;
}

GRADUS_INLINE int moving_count(const LawEntry& law) {
  return law.moving_end - law.input_begin;
}

// Whether the law is nothing but its only input, which is not the time.
template <class D>
GRADUS_INLINE bool is_input(const D& d, const LawEntry& law) {
  return law.instruction_end - law.instruction_begin == 1 && input_count(law) == 1 &&
         d.plan.law_inputs[law.input_begin].kind != LawInputKind::time;
}

// Whether forces that work on it work on a pose.
template <class D>
GRADUS_INLINE bool works_on_pose(const D& d, const LawEntry& law) {
  return is_input(d, law) && d.plan.law_inputs[law.input_begin].kind == LawInputKind::pose_work;
}

// The algebraic unknown that a law is linear in, -1 if it reads none.
template <class D>
GRADUS_INLINE int algebraic_of(const D& d, int number) {
  const LawEntry& law = d.plan.laws[number];
  return law.unknown_input < 0 ? -1 : d.plan.law_inputs[law.input_begin + law.unknown_input].index;
}

// Results and adjoints of the instructions of a law, and adjoints of its inputs, in the scratch of
// the design: what the last run left.
template <class D, class Number>
struct LawRun {
  using Numbers = NumberArray<Number, typename D::Array>;
  Numbers value;
  Numbers adjoint;
  Numbers input;
};

template <class Number, class D>
GRADUS_FUNCTION LawRun<D, Number> law_run(const D& d) {
  const int instructions = d.plan.longest_law;
  const typename LawRun<D, Number>::Numbers start{d.at(d.layout.law_scratch)};
  return {start, start.from(instructions), start.from(2 * instructions)};
}

// Input numbers of a program as values, by `value_of_input(entry of the input)`.
template <class D, class Value>
struct LawInputs {
  const D& d;
  const LawEntry& law;
  const Value& value_of_input;
  GRADUS_FUNCTION auto operator[](int i) const {
    return value_of_input(d.plan.law_inputs[law.input_begin + i]);
  }
};

// Runs a law on numbers, `value_of_input(entry)` yielding its inputs. Splines change under an entry
// of a parameter, if there is one.
template <class Number, class D, class Value>
GRADUS_FUNCTION Number run_law(const D& d, const LawEntry& law, const Value& value_of_input,
                               const PartialEntry* entry = nullptr) {
  LawRun<D, Number> run = law_run<Number>(d);
  const ProgramView program = program_of(d, law);
  evaluate(program, LawInputs<D, Value>{d, law, value_of_input}, run.value,
           SplineReader<D>{d, entry});
  return run.value[program.instruction_count - 1];
}

// The same, and the derivatives by the inputs. They stay until the next run. That by time is zero
// unless it is asked for: it may be infinite, as that of sqrt(t) at 0, where nobody needs it.
template <class Number, class D, class Value>
GRADUS_FUNCTION LawRun<D, Number> differentiate_law(const D& d, const LawEntry& law,
                                                    const Value& value_of_input, bool by_time,
                                                    const PartialEntry* entry = nullptr) {
  LawRun<D, Number> run = law_run<Number>(d);
  if (is_input(d, law)) {
    run.value.set(0, value_of_input(d.plan.law_inputs[law.input_begin]));
    run.input.set(0, Number(1));
    return run;
  }
  run_law<Number>(d, law, value_of_input, entry);
  const ProgramView program = program_of(d, law);
  for (int i = 0; i < input_count(law); ++i) run.input.set(i, Number(0));
  reverse(
      program, program.instruction_count - 1, run.value, run.adjoint,
      [&](int i, const Number& adjoint) {
        if (by_time || d.plan.law_inputs[law.input_begin + i].kind != LawInputKind::time)
          run.input.set(i, run.input[i] + adjoint);
      },
      SplineReader<D>{d, entry});
  return run;
}

// The value of a law that was run.
template <class D, class Number>
GRADUS_INLINE Number result_of(const LawEntry& law, const LawRun<D, Number>& run) {
  return run.value[law.instruction_end - law.instruction_begin - 1];
}

// The law at the motion m.
template <class D, class Rates>
GRADUS_CALL RealOf<D> law_value(const D& d, const MotionLayout& m, const LawEntry& law,
                                const Rates& rate) {
  return run_law<RealOf<D>>(d, law,
                            [&](const LawInputEntry& in) { return input_value(d, m, in, rate); });
}

template <class D, class Rates>
GRADUS_CALL RealOf<D> law_rate(const D& d, const MotionLayout& m, const LawEntry& law,
                               const Rates& rate) {
  return run_law<Slope<RealOf<D>>>(d, law,
                                   [&](const LawInputEntry& in) {
                                     return slope(input_value(d, m, in, rate),
                                                  input_rate(d, m, in, rate));
                                   })
      .derivative[0];
}

template <class D, class Rates, class Accelerations>
GRADUS_CALL RealOf<D> law_acceleration(const D& d, const MotionLayout& m, const LawEntry& law,
                                       const Rates& rate, const Accelerations& acceleration) {
  return acceleration_of(run_law<Hyper<RealOf<D>>>(d, law, [&](const LawInputEntry& in) {
    return hyper(input_value(d, m, in, rate), input_rate(d, m, in, rate),
                 input_acceleration(d, m, in, acceleration));
  }));
}

// The law and its derivatives by the inputs.
template <class D, class Rates>
GRADUS_CALL LawRun<D, RealOf<D>> law_gradient(const D& d, const MotionLayout& m,
                                              const LawEntry& law, const Rates& rate,
                                              bool by_time = false) {
  return differentiate_law<RealOf<D>>(
      d, law, [&](const LawInputEntry& in) { return input_value(d, m, in, rate); }, by_time);
}

// The same with first and second rates.
template <class D, class Rates, class Accelerations>
GRADUS_CALL LawRun<D, Hyper<RealOf<D>>> law_gradient_rates(const D& d, const MotionLayout& m,
                                                           const LawEntry& law, const Rates& rate,
                                                           const Accelerations& acceleration) {
  return differentiate_law<Hyper<RealOf<D>>>(
      d, law,
      [&](const LawInputEntry& in) {
        return hyper(input_value(d, m, in, rate), input_rate(d, m, in, rate),
                     input_acceleration(d, m, in, acceleration));
      },
      true);
}

// Derivatives by the inputs and their change, where `change(in)` is that of an input, and splines
// change under an entry, if there is one.
template <class D, class Change>
GRADUS_CALL LawRun<D, Slope<RealOf<D>>> law_gradient_change(const D& d, const MotionLayout& m,
                                                            const LawEntry& law,
                                                            const Change& change,
                                                            const PartialEntry* entry = nullptr) {
  return differentiate_law<Slope<RealOf<D>>>(
      d, law,
      [&](const LawInputEntry& in) {
        return slope(input_value(d, m, in, d.at(d.layout.velocity)), change(in));
      },
      false, entry);
}

// Calls visit(number of the spline, derivative of the law by it, where it is evaluated) for the
// splines of a law, after differentiate_law().
template <class D, class Number, class Visit>
GRADUS_FUNCTION void for_each_spline(const D& d, const LawEntry& law, const LawRun<D, Number>& run,
                                     const Visit& visit) {
  for (int k = law.call_begin; k < law.call_end; ++k) {
    const SplineCallEntry& call = d.plan.spline_calls[k];
    const Instruction& at = d.plan.law_instructions[law.instruction_begin + call.instruction];
    visit(call.spline, Number(run.adjoint[call.instruction]), Number(run.value[at.a]));
  }
}

// How the law changes by those of its splines that an entry changes.
template <class D, class Number>
GRADUS_FUNCTION Number law_change(const D& d, const LawEntry& law, const LawRun<D, Number>& run,
                                  const PartialEntry& entry) {
  Number sum(0.0);
  for_each_spline(d, law, run, [&](int spline, const Number& adjoint, const Number& x) {
    if (entry.kind == PartialKind::spline && entry.index == spline)
      sum += adjoint * SplineReader<D>{d}.change(entry, x);
  });
  return sum;
}

// A derivative by an input, or its change.
template <class D>
GRADUS_INLINE RealOf<D> weight_of_input(const LawRun<D, RealOf<D>>& run, int i) {
  return run.input[i];
}
template <class D>
GRADUS_INLINE RealOf<D> weight_of_input(const LawRun<D, Slope<RealOf<D>>>& run, int i) {
  return run.input[i].derivative[0];
}

// A derivative by an input, without its change.
template <class D>
GRADUS_INLINE RealOf<D> value_part(const LawRun<D, RealOf<D>>& run, int i) {
  return run.input[i];
}
template <class D>
GRADUS_INLINE RealOf<D> value_part(const LawRun<D, Slope<RealOf<D>>>& run, int i) {
  return run.input[i].value;
}

// What the inputs of a law need to know of coordinate c.
template <class D>
GRADUS_INLINE AxisOf<D> axis_for(const D& d, const MotionLayout& m, const LawEntry& law, int c) {
  return law.reads_axes != 0 ? axis_motion(d, m, c) : AxisOf<D>{};
}

// Derivative of a law of positions by coordinate c: the sum of these by its inputs, times what c
// does to them.
template <class D, class Run>
GRADUS_FUNCTION RealOf<D> law_by_position(const D& d, const MotionLayout& m, const LawEntry& law,
                                          int c, const AxisOf<D>& s, const Run& run) {
  RealOf<D> sum(0);
  for (int i = 0; i < moving_count(law); ++i)
    sum += weight_of_input<D>(run, i) *
           input_by_position(d, m, d.plan.law_inputs[law.input_begin + i], c, s);
  return sum;
}

template <class D, class Run>
GRADUS_FUNCTION RealOf<D> law_by_rate(const D& d, const LawEntry& law, int c, const AxisOf<D>& s,
                                      const Run& run) {
  RealOf<D> sum(0);
  for (int i = 0; i < moving_count(law); ++i)
    sum += run.input[i] * input_by_rate(d, d.plan.law_inputs[law.input_begin + i], c, s);
  return sum;
}

// Calls visit(coordinate, derivative by it) for all that the law feels.
template <class D, class Run, class Visit>
GRADUS_FUNCTION void for_each_slope(const D& d, const MotionLayout& m, const LawEntry& law,
                                    const Run& run, const Visit& visit) {
  for (int t = law.touch_begin; t < law.touch_end; ++t) {
    const int c = d.plan.touches[t].coordinate;
    visit(c, law_by_position(d, m, law, c, axis_for(d, m, law, c), run));
  }
}

// The same of a law that is its input.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_input_slope(const D& d, const MotionLayout& m, const LawEntry& law,
                                          const Visit& visit) {
  const LawInputEntry& in = d.plan.law_inputs[law.input_begin];
  if (in.kind == LawInputKind::coordinate) return visit(in.index, RealOf<D>(1));
  if (in.kind == LawInputKind::length)
    return for_each_line_column(
        d, in.index, [&](int c, const VectorOf<D>& q) { visit(c, length_change(d, in.index, q)); });
  if (in.kind == LawInputKind::pose_work)
    return for_each_pose_column(d, in.index, [&](int c, const MotionOf<D>& answer, bool) {
      visit(c, pose_work(d, in.index, in.component, answer));
    });
  for (int t = law.touch_begin; t < law.touch_end; ++t) {
    const int c = d.plan.touches[t].coordinate;
    visit(c, input_by_position(d, m, in, c, axis_motion(d, m, c)));
  }
}

// Derivatives of Phi, dPhi/dt and d2Phi/dt2 under a change of the inputs, `column(entry)`.
template <class D, class Column>
GRADUS_ROUTINE InputColumn<RealOf<D>> law_column(const D& d, const LawEntry& law,
                                                 const LawRun<D, Hyper<RealOf<D>>>& run,
                                                 const Column& column) {
  using Real = typename D::Real;
  InputColumn<Real> sum{Real(0), Real(0), Real(0)};
  for (int i = 0; i < input_count(law); ++i) {
    const InputColumn<Real> x = column(d.plan.law_inputs[law.input_begin + i]);
    const Hyper<Real> a = run.input[i];
    const Real value = a.value.value;
    sum.value += value * x.value;
    sum.rate += rate_of(a) * x.value + value * x.rate;
    sum.acceleration +=
        acceleration_of(a) * x.value + Real(2) * (rate_of(a) * x.rate) + value * x.acceleration;
  }
  return sum;
}

// The generalised force multiplier * s_z of a law s of positions: of a constraint, and with minus
// its size of a force that works on s. Loads, and the part of their stiffness that is not the
// turning of features. docs/theory.md, section 6.
template <class D>
GRADUS_FUNCTION void add_input_load(const D& d, const LoadLayout& load, const LawInputEntry& in,
                                    const RealOf<D>& f) {
  if (in.kind == LawInputKind::feature) add_load(d, load, in.index, along(in.component, f));
  if (in.kind == LawInputKind::coordinate) d.at(load.direct)[in.index] += f;
  if (in.kind == LawInputKind::pose_work) add_pose_load(d, load, in.index, in.component, f);
  if (in.kind != LawInputKind::length) return;
  const auto pull = f * line_direction(d, in.index);
  add_load(d, load, d.plan.lines[in.index].to, pull);
  add_load(d, load, d.plan.lines[in.index].from, -pull);
}
template <class D>
GRADUS_FUNCTION void add_law_loads(const D& d, const LoadLayout& load, const LawEntry& law,
                                   const RealOf<D>& multiplier) {
  if (is_input(d, law))
    return add_input_load(d, load, d.plan.law_inputs[law.input_begin], multiplier);
  const auto run = law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity));
  for (int i = 0; i < moving_count(law); ++i)
    add_input_load(d, load, d.plan.law_inputs[law.input_begin + i], multiplier * run.input[i]);
}

// Calls visit(line, derivative of the law by its length) for the lengths among the inputs of a law
// of positions.
template <class D, class Run, class Visit>
GRADUS_FUNCTION void for_each_length(const D& d, const LawEntry& law, const Run& run,
                                     const Visit& visit) {
  for (int i = 0; i < moving_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    if (in.kind == LawInputKind::length) visit(in.index, value_part<D>(run, i));
  }
}

// Slope times the second derivatives of the length of line k by its motion `moved` and by
// coordinates: visit(coordinate, product).
template <class D, class Visit>
GRADUS_FUNCTION void for_each_bend(const D& d, int k, const RealOf<D>& slope,
                                   const VectorOf<D>& moved, const Visit& visit) {
  const auto turn = slope * direction_change(d, k, moved);
  for_each_line_column(d, k, [&](int c, const VectorOf<D>& q) { visit(c, dot(turn, q)); });
}

// Second derivatives of a law of positions by one change of its inputs, change(in), line(line) and
// pose(pose), and by the coordinates that it feels, less those of features, which are in the
// turning terms of loads: visit(coordinate, product). `of_rows` as in pose_bend().
template <class D, class Change, class Line, class Pose, class Visit>
GRADUS_FUNCTION void for_each_second_slope(const D& d, const MotionLayout& m, const LawEntry& law,
                                           const Change& change, const Line& line, const Pose& pose,
                                           bool of_rows, const Visit& visit) {
  if (is_input(d, law)) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin];
    if (in.kind == LawInputKind::length)
      for_each_bend(d, in.index, RealOf<D>(1), line(in.index), visit);
    if (in.kind == LawInputKind::pose_work)
      for_each_pose_bend(d, in.index, in.component, pose(in.index), of_rows, visit);
    return;
  }
  const auto run = law_gradient_change(d, m, law, change);
  for_each_slope(d, m, law, run, visit);
  for_each_length(d, law, run, [&](int k, const RealOf<D>& slope) {
    for_each_bend(d, k, slope, line(k), visit);
  });
}

// multiplier * s_zz less the second derivatives of the features.
template <class D>
GRADUS_ROUTINE void add_law_stiffness(const D& d, const MotionLayout& m, const LawEntry& law,
                                      const RealOf<D>& multiplier, int matrix) {
  const int n = d.plan.coordinate_count;
  const auto stiffness = d.at(matrix);
  const LawInputEntry& first = d.plan.law_inputs[law.input_begin];
  if (is_input(d, law) && first.kind != LawInputKind::length && !works_on_pose(d, law)) return;
  for (int b = law.touch_begin; b < law.touch_end; ++b) {
    const int column = d.plan.touches[b].coordinate;
    const auto axis = axis_for(d, m, law, column);
    for_each_second_slope(
        d, m, law,
        [&](const LawInputEntry& in) { return input_by_position(d, m, in, column, axis); },
        [&](int k) { return line_column(d, k, column); },
        [&](int k) { return moved_pose(d, k, column, axis_motion(d, m, column)); }, false,
        [&](int row, const RealOf<D>& slope) {
          stiffness[row * n + column] += multiplier * slope;
        });
  }
}

GRADUS_KERNELS_END
