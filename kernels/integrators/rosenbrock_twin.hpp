// A design in numbers that carry a derivative along one direction each: what a Rosenbrock method
// has of the Jacobian at the start of its steps, and of the time there, is differentiated by it,
// columns and rows of the evaluation being run once more. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/evaluation_adjoint.hpp"
#include "kernels/math/dual.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
using TwinOf = Design<Dual<typename D::Real, 1>, false>;
using Twin = Design<Dual<double, 1>, false>;

// Of designs in plain numbers: compiled apart (launch/rosenbrock_twin.cpp), or every kernel that
// does whole steps would have another evaluation in it, and take twice as long to compile.
void accelerate_twin(const Twin& twin, const Evaluation& evaluation, const Dual<double, 1>& time);
void solve_twin_columns(const Twin& twin, const Evaluation& evaluation);
void prepare_twin_rows(const Twin& twin, const Evaluation& evaluation);
void twin_evaluation_adjoint(const Twin& twin, const Evaluation& evaluation);

// Of dual numbers, in checks.
template <class T>
GRADUS_ROUTINE void accelerate_twin(const T& twin, const Evaluation& evaluation,
                                    const typename T::Real& time) {
  evaluate_accelerations(twin, evaluation, time, false);
}

template <class Real>
GRADUS_INLINE Dual<Real, 1> along(const Real& value, const Real& change) {
  Dual<Real, 1> number(value);
  number.derivative[0] = change;
  return number;
}

// Everything that the design holds, and no derivatives.
template <class D>
GRADUS_ROUTINE TwinOf<D> twin_of(const D& d) {
  const TwinOf<D> twin(d, static_cast<typename TwinOf<D>::Real*>(d.twin));
  for (int i = 0; i < d.layout.size; ++i) twin.memory[i] = typename TwinOf<D>::Real(d.memory[i]);
  return twin;
}

// Puts the twin at the start of the step, moving along the increment of position, `share` times the
// stage and the time, and evaluates it.
template <class D>
GRADUS_ROUTINE void evaluate_twin(const D& d, const TwinOf<D>& twin, const Evaluation& evaluation,
                                  int increment, int stage, double share, double time_share) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const bool moves = increment >= 0;
    twin.at(l.position)[c] =
        along(Real(d.at(s.position)[c]), moves ? Real(d.at(increment)[c]) : Real(0));
    twin.at(l.velocity)[c] =
        along(Real(d.at(s.velocity)[c]), moves ? Real(share) * d.at(stage)[c] : Real(0));
  }
  accelerate_twin(twin, evaluation, along(Real(d.at(s.time)[0]), Real(time_share)));
}

GRADUS_KERNELS_END
