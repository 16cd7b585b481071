// Classical Runge-Kutta of order 4 with a fixed step, for the motion and for integrals over it.
#pragma once

#include "tests/oracle/dynamics.hpp"
#include "tests/oracle/projection.hpp"

namespace oracle {

// What is known at a time that ends a step. `acceleration` holds 6 numbers per body, `integrals`
// one per integrand.
template <typename S>
struct Sample {
  double time = 0.0;
  State<S> state;
  VectorX<S> acceleration;
  VectorX<S> integrals;
};

// Integrands at a state, from point_position and its like.
template <typename S>
using Integrand =
    std::function<VectorX<S>(const Model<S>&, const State<S>&, const VectorX<S>& acceleration)>;

template <typename S>
using Observer = std::function<void(const Sample<S>&)>;

struct IntegrationOptions {
  double duration = 1.0;
  int steps = 1000;
  bool project = true;  // bring positions and velocities back onto the constraints after every step
};

template <typename S>
class Integrator {
 public:
  Integrator(const Model<S>& model, const IntegrationOptions& options, Integrand<S> integrand)
      : model_(model), options_(options), integrand_(std::move(integrand)) {}

  // Calls the observer, if any, at the start and after every step; returns the last sample.
  Sample<S> run(const State<S>& start, const Observer<S>& observer) {
    const double step = options_.duration / options_.steps;
    Sample<S> sample;
    sample.state = start;
    choose_rows(start);
    Rates first = rates(start, 0.0);
    sample.acceleration = first.velocity;
    sample.integrals = VectorX<S>::Zero(first.integrals.size());
    if (observer) observer(sample);
    for (int i = 0; i < options_.steps; ++i) {
      advance(sample, first, step);
      sample.time = (i + 1) * step;
      choose_rows(sample.state);
      if (options_.project) {
        project_positions(model_, sample.state, rows_, sample.time);
        project_velocities(model_, sample.state, rows_, sample.time);
      }
      first = rates(sample.state, sample.time);
      sample.acceleration = first.velocity;
      if (observer) observer(sample);
    }
    return sample;
  }

 private:
  struct Rates {
    VectorX<S> pose, velocity, integrals;
  };

  // Which constraints are independent is decided once per step, at its start, where the state
  // satisfies all of them: the intermediate states leave the constraints a little, and rows
  // redundant on them would contradict each other there.
  void choose_rows(const State<S>& state) {
    rows_ = independent_rows<S>(evaluate_constraints(model_, state).jacobian);
  }

  Rates rates(const State<S>& state, double time) const {
    Rates result;
    result.pose = pose_rate(state);
    result.velocity = accelerations_on_rows(model_, state, time, rows_);
    if (integrand_) result.integrals = integrand_(model_, state, result.velocity);
    return result;
  }

  static State<S> moved(const State<S>& state, const Rates& rate, double step) {
    State<S> result = state;
    result.pose += rate.pose * S(step);
    result.velocity += rate.velocity * S(step);
    return result;
  }

  void advance(Sample<S>& sample, const Rates& k1, double step) const {
    const double middle = sample.time + step / 2.0;
    const Rates k2 = rates(moved(sample.state, k1, step / 2.0), middle);
    const Rates k3 = rates(moved(sample.state, k2, step / 2.0), middle);
    const Rates k4 = rates(moved(sample.state, k3, step), sample.time + step);
    const S sixth(step / 6.0), two(2.0);
    sample.state.pose += (k1.pose + k2.pose * two + k3.pose * two + k4.pose) * sixth;
    sample.state.velocity +=
        (k1.velocity + k2.velocity * two + k3.velocity * two + k4.velocity) * sixth;
    sample.integrals +=
        (k1.integrals + k2.integrals * two + k3.integrals * two + k4.integrals) * sixth;
    // Removes the drift of the length of the Euler parameters and nothing else.
    displace<S>(sample.state, VectorX<S>::Zero(sample.state.velocity.size()));
  }

  const Model<S>& model_;
  IntegrationOptions options_;
  Integrand<S> integrand_;
  std::vector<int> rows_;
};

template <typename S>
Sample<S> integrate(const Model<S>& model, const State<S>& start, const IntegrationOptions& options,
                    const Integrand<S>& integrand = {}, const Observer<S>& observer = {}) {
  return Integrator<S>(model, options, integrand).run(start, observer);
}

}  // namespace oracle
