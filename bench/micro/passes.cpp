// Walks over the tree, one at a time.
#include "bench/micro/fixture.hpp"
#include "kernels/stages/linearise.hpp"

namespace gradus::bench {
namespace {

using kernels::constraint_jacobian;

void positions(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture, [&] { kernels::positions(d); });
}

void velocities_and_accelerations(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  const kernels::Layout& l = fixture.layout();
  run(state, fixture, [&] {
    kernels::velocities(d, l.free_motion, d.at(l.free_velocity));
    kernels::accelerations(d, l.free_motion, d.at(l.free_velocity), d.at(l.free_acceleration),
                           kernels::weight(d));
  });
}

// Inertia, momentum, gyroscopic part and inertial force of all sub-trees.
void composites(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture,
      [&] { kernels::composites(d, fixture.layout().free_motion, fixture.layout().load); });
}

// The forces alone: what an iteration of the chord method needs in place of the composites.
void inertial_forces(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture,
      [&] { kernels::inertial_forces(d, fixture.layout().free_motion, fixture.layout().load); });
}

void residual(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture, [&] { kernels::evaluate_residual(d); });
}

void tangents(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture, [&] { kernels::tangents(d); });
}

void jacobian(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture, [&] { constraint_jacobian(d, fixture.layout().free_motion); });
}

void jacobian_rates(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  const kernels::Layout& l = fixture.layout();
  run(state, fixture, [&] {
    kernels::constraint_jacobian_rates(d, l.motion, d.at(l.velocity), d.at(l.acceleration));
  });
}

void parameter_partials(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture, [&] { kernels::parameter_partials(d); });
}

void linearise(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  run(state, fixture, [&] { kernels::linearise(d); });
}

BENCHMARK(positions)->Apply(all_models);
BENCHMARK(velocities_and_accelerations)->Apply(all_models);
BENCHMARK(composites)->Apply(all_models);
BENCHMARK(inertial_forces)->Apply(all_models);
BENCHMARK(residual)->Apply(all_models);
BENCHMARK(tangents)->Apply(all_models);
BENCHMARK(jacobian)->ArgName("bodies")->Arg(0);  // the chains have no loop
BENCHMARK(jacobian_rates)->ArgName("bodies")->Arg(0);
BENCHMARK(parameter_partials)->Apply(all_models);
BENCHMARK(linearise)->Apply(all_models);

}  // namespace
}  // namespace gradus::bench
