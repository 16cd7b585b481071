// One design on host memory, compiled from a model, whose kernels a test calls one by one. With
// double it computes numbers, with a dual number it differentiates the very same kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gradus/model.hpp"
#include "kernels/core/design.hpp"
#include "kernels/math/dual.hpp"
#include "kernels/stages/numbers.hpp"
#include "src/plan/layout.hpp"
#include "src/plan/plan.hpp"

namespace gradus::support {

// A dual number with one direction: what tests differentiate with.
using Dual1 = kernels::Dual<double, 1>;

inline double value_of(double x) {
  return x;
}
inline double value_of(const Dual1& x) {
  return x.value;
}
inline double slope_of(const Dual1& x) {
  return x.derivative[0];
}

inline Dual1 seeded(double value) {
  Dual1 x(value);
  x.derivative[0] = 1.0;
  return x;
}

// Numbers that look random and are the same on every machine, in [-1, 1].
class Numbers {
 public:
  explicit Numbers(unsigned seed) : state_(seed * 2654435761U + 12345U) {}
  double next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<double>(state_ >> 8) / 8388608.0 - 1.0;
  }
  std::vector<double> next(int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(next());
    return values;
  }

 private:
  std::uint32_t state_;
};

template <class Real>
class DesignFixture {
 public:
  using Design = kernels::Design<Real, false>;

  // `tableau` is that of the one-step method, if its arrays are wanted.
  explicit DesignFixture(const Model& model, Reference reference = Reference::rtdyn0,
                         const kernels::TableauView& tableau = {},
                         Sensitivity sensitivity = Sensitivity::direct)
      : DesignFixture(build_plan(model, reference), model.analysis, tableau, sensitivity) {}
  DesignFixture(Plan plan, const Analysis& analysis, const kernels::TableauView& tableau,
                Sensitivity sensitivity, const Extras& extras = {})
      : plan_(std::move(plan)) {
    chunk_.plan = plan_.view();
    chunk_.layout = make_layout(chunk_.plan, sensitivity, tableau, extras);
    chunk_.settings = {analysis.step, 0.25, 0.5, analysis.tolerance, 50, 1};
    chunk_.settings.with_columns = sensitivity == Sensitivity::direct ? 1 : 0;
    chunk_.settings.with_adjoint = sensitivity == Sensitivity::adjoint ? 1 : 0;
    memory_.assign(static_cast<std::size_t>(chunk_.layout.size), Real(0));
    chunk_.memory = memory_.data();
    chunk_.status = &status_;
    chunk_.failure_time = &failure_time_;
    chunk_.design_count = 1;
    for (int p = 0; p < chunk_.plan.parameter_count; ++p)
      parameter(p) = Real(plan_.nominal[static_cast<std::size_t>(p)]);
    prepare();
  }
  DesignFixture(const DesignFixture&) = delete;
  DesignFixture& operator=(const DesignFixture&) = delete;

  Design design() const { return Design(chunk_, 0); }
  const Plan& plan() const { return plan_; }
  const kernels::PlanView& view() const { return chunk_.plan; }
  const kernels::Layout& layout() const { return chunk_.layout; }
  kernels::Status status() const { return status_; }

  Real& parameter(int p) { return at(chunk_.layout.parameter, p); }
  Real& at(int offset, int i) { return memory_[static_cast<std::size_t>(offset + i)]; }
  double value(int offset, int i) { return value_of(at(offset, i)); }

  // Runs a kernel as a time loop would.
  template <class Kernel>
  void run(const Kernel& kernel) {
    kernels::LaunchArguments arguments{};
    arguments.chunk = chunk_;
    kernel(Design(arguments.chunk, 0), arguments);
  }
  // Fills the slots, and clears everything but the parameters.
  void prepare() {
    run([](const Design& d, const auto& arguments) { kernels::prepare_numbers(d, arguments); });
  }

  void set(int offset, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      at(offset, static_cast<int>(i)) = Real(values[i]);
  }

  // Puts every state the kernels start from at values that look random: coordinates, both motions,
  // multipliers, what the projections changed, and the time.
  void set_random_state(unsigned seed) {
    Numbers numbers(seed);
    const kernels::Layout& l = chunk_.layout;
    const int n = chunk_.plan.coordinate_count;
    for (const int offset : {l.position, l.velocity, l.acceleration, l.free_velocity,
                             l.free_acceleration, l.velocity_change, l.acceleration_change})
      set(offset, numbers.next(n));
    at(l.time, 0) = Real(0.37);
    for (const int offset : {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier})
      set(offset, numbers.next(chunk_.plan.constraint_rows));
  }

 private:
  Plan plan_;
  kernels::Chunk chunk_{};
  std::vector<Real> memory_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
};

}  // namespace gradus::support
