// Terms of the slider-crank in reference-point coordinates (21 coordinates, 20 independent
// equations), which Verulkar, Sandu, Sandu and Dopico (arXiv:2312.15771, table 1) time.
#include "bench/micro/fixture.hpp"
#include "bench/models.hpp"
#include "kernels/stages/linearise.hpp"
#include "src/motion/mechanism.hpp"

namespace gradus::bench {
namespace {

Plan plan_of_bodies() {
  Options options;
  options.backend = "cpu:1";
  options.coordinates = "reference-point";
  return CompiledMechanism(slider_crank(), options).plan();
}

template <class Term>
void time_term(benchmark::State& state, const Term& term) {
  Fixture fixture(state, plan_of_bodies(), 1e-3);
  const auto d = fixture.design();
  state.counters["coordinates"] = d.plan.coordinate_count;
  state.counters["rank"] = d.plan.constraint_rank - d.plan.start_rows;
  run(state, fixture, [&] { term(d, fixture.layout()); });
}

void constraint_jacobian(benchmark::State& state) {
  time_term(state, [](const auto& d, const auto& l) { kernels::constraint_jacobian(d, l.motion); });
}

void constraint_rates(benchmark::State& state) {
  time_term(state, [](const auto& d, const auto& l) {
    kernels::constraint_rates(d, l.motion, d.at(l.velocity));
  });
}

// Phi_q^T multiplier, by bodies: wrenches, before they become generalised forces.
void constraint_forces(benchmark::State& state) {
  time_term(state, [](const auto& d, const auto& l) {
    kernels::clear_loads(d, l.load);
    kernels::add_constraint_loads(d, l.load, d.at(l.multiplier));
    kernels::accumulate_loads(d, l.load);
  });
}

// (Phi_q z')_q z', and in the same pass d(Phi_q z'')/dq and d(Phi_q z')/dq.
void constraint_jacobian_rates(benchmark::State& state) {
  time_term(state, [](const auto& d, const auto& l) {
    kernels::constraint_jacobian_rates(d, l.motion, d.at(l.velocity), d.at(l.acceleration));
  });
}

BENCHMARK(constraint_jacobian);
BENCHMARK(constraint_rates);
BENCHMARK(constraint_forces);
BENCHMARK(constraint_jacobian_rates);

}  // namespace
}  // namespace gradus::bench
