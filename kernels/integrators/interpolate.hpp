// The motion within the last step: the polynomial of degree five that has positions, velocities and
// accelerations of both ends. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// Where both ends of the last step lie, and what is between them: of the motion or of its columns.
struct StepEnds {
  int position, velocity, acceleration;
  int last_position, last_velocity, last_acceleration;
  int position_between, velocity_between;
};

// z0 + v0 x + a0 x^2/2 + x^3 (p + q x + r x^2) at the fraction x of a step.
template <class Real>
struct StepCourse {
  Real z0, v0, a0, p, q, r;
};
template <class D>
GRADUS_FUNCTION StepCourse<RealOf<D>> step_course(const D& d, const StepEnds& s, int i, double h) {
  using Real = typename D::Real;
  const Real z0 = d.at(s.last_position)[i];
  const Real v0 = Real(h) * d.at(s.last_velocity)[i];
  const Real a0 = Real(h * h) * d.at(s.last_acceleration)[i];
  const Real v1 = Real(h) * d.at(s.velocity)[i];
  const Real a1 = Real(h * h) * d.at(s.acceleration)[i];
  const Real dz = d.at(s.position)[i] - z0 - v0 - Real(0.5) * a0;
  const Real dv = v1 - v0 - a0;
  const Real da = a1 - a0;
  return {z0,
          v0,
          a0,
          Real(10) * dz - Real(4) * dv + Real(0.5) * da,
          Real(-15) * dz + Real(7) * dv - da,
          Real(6) * dz - Real(3) * dv + Real(0.5) * da};
}

// Whether nothing accelerates entry i, but for round-off of positions: states that events set stay
// as they are between these, and have whole numbers, perhaps.
template <class D>
GRADUS_FUNCTION bool keeps_rate(const D& d, const StepEnds& s, int i, double h) {
  if constexpr (std::is_same<RealOf<D>, double>::value) {
    if (!has_events(d)) return false;
    const double start = d.at(s.last_position)[i], end = d.at(s.position)[i];
    const double rate = d.at(s.velocity)[i];
    return d.at(s.last_velocity)[i] == rate && d.at(s.last_acceleration)[i] == 0.0 &&
           d.at(s.acceleration)[i] == 0.0 &&
           absolute(end - start - h * rate) <= 1e-13 * (absolute(start) + absolute(end));
  }
  return false;
}

// Entry i at the fraction x of the last step, which is h long.
template <class D>
GRADUS_ROUTINE void interpolate_entry(const D& d, const StepEnds& s, int i, double x, double h) {
  using Real = typename D::Real;
  if (keeps_rate(d, s, i, h)) {
    d.at(s.position_between)[i] = d.at(s.last_position)[i] + Real(x * h) * d.at(s.velocity)[i];
    d.at(s.velocity_between)[i] = d.at(s.velocity)[i];
    return;
  }
  const StepCourse<Real> p = step_course(d, s, i, h);
  const Real y(x);
  d.at(s.position_between)[i] =
      p.z0 + y * (p.v0 + y * (Real(0.5) * p.a0 + y * (p.p + y * (p.q + y * p.r))));
  d.at(s.velocity_between)[i] =
      Real(1.0 / h) *
      (p.v0 + y * (p.a0 + y * (Real(3) * p.p + y * (Real(4) * p.q + y * (Real(5) * p.r)))));
}

// The acceleration of the same polynomial.
template <class D>
GRADUS_FUNCTION RealOf<D> interpolated_acceleration(const D& d, const StepEnds& s, int i, double x,
                                                    double h) {
  using Real = typename D::Real;
  const StepCourse<Real> p = step_course(d, s, i, h);
  const Real y(x);
  return Real(1.0 / (h * h)) *
         (p.a0 + y * (Real(6) * p.p + y * (Real(12) * p.q + y * (Real(20) * p.r))));
}

// All entries, `size` of them. At the end of the step they are what they are there.
template <class D>
GRADUS_FUNCTION void interpolate_entries(const D& d, const StepEnds& s, int size, double time) {
  const double start = common(d.at(d.layout.integrator.last_time)[0]);
  const double h = common(d.at(d.layout.integrator.time)[0]) - start;
  const bool at_end = !(h > 0.0) || (time - start) / h > 1.0 - 1e-12;
  if (at_end) {
    copy_array(d, s.position, s.position_between, size);
    copy_array(d, s.velocity, s.velocity_between, size);
    return;
  }
  for (int i = 0; i < size; ++i) interpolate_entry(d, s, i, (time - start) / h, h);
}

// Position and velocity at a time within the last step, and their columns where they are recorded.
template <class D>
GRADUS_ROUTINE void interpolate_state(const D& d, double time) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  interpolate_entries(d,
                      {s.position, s.velocity, s.acceleration, s.last_position, s.last_velocity,
                       s.last_acceleration, l.position, l.velocity},
                      d.plan.coordinate_count, time);
  if (!records_columns(d)) return;
  interpolate_entries(d,
                      {s.position_columns, s.velocity_columns, s.acceleration_columns,
                       s.last_position_columns, s.last_velocity_columns,
                       s.last_acceleration_columns, l.columns[kPosition], l.columns[kVelocity]},
                      column_size(d), time);
}

// The state at time `arguments.time` between the last two steps, for recording, with what the
// constraints and the equations of motion make of it.
template <class D>
GRADUS_FUNCTION void interpolate(const D& d, const LaunchArguments& arguments) {
  interpolate_state(d, arguments.time);
  evaluate_accelerations(d, *arguments.evaluation, arguments.time, true);
  if (records_columns(d)) evaluate_columns(d, *arguments.evaluation, true);
}

GRADUS_KERNELS_END
