// Derivatives by parameters of residuals, constraints and sensors, and by coordinates of sensors,
// against dual numbers.
#include <vector>

#include "kernels/stages/objectives.hpp"
#include "tests/derivative/kernel_check.hpp"

namespace gradus::derivative {
namespace {

using kernels::PartialEntry;

std::string name_of(const Model& model, int p) {
  return model.parameters[static_cast<std::size_t>(p)].name;
}

TEST(Partials, ResidualsAndConstraints) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    f.set_random_state(11);
    evaluate_everything(f.design());
    kernels::parameter_partials(f.design());
    const kernels::Layout& l = f.layout();
    const int parameters = f.view().parameter_count;
    const int rows = f.view().constraint_rows;
    const kernels::LoadLayout* loads[3] = {&l.load, &l.velocity_load, &l.acceleration_load};
    const int constraints[3] = {l.constraint, l.constraint_rate, l.constraint_acceleration};
    for (int p = 0; p < parameters; ++p) {
      SCOPED_TRACE(name_of(model, p));
      const double value = g.parameter(p).value;
      g.parameter(p) = seeded(value);
      g.prepare();
      g.set_random_state(11);
      evaluate_everything(g.design());
      bool touched = false;
      for (int level = 0; level < 3; ++level) {
        for (int c = 0; c < f.view().coordinate_count; ++c) {
          const double dual = slope_of(kernels::generalised_force(g.design(), *loads[level], c));
          // On the scale of a force: tens of newtons, times a few metres.
          EXPECT_NEAR(f.value(l.residual_partial[level], c * parameters + p), dual,
                      1e-11 * std::max(10.0, std::abs(dual)))
              << "stage " << level << " coordinate " << c;
          touched = touched || std::abs(dual) > 1e-6;
        }
        for (int i = 0; i < rows; ++i) {
          const double dual = slope_of(g.at(constraints[level], i));
          EXPECT_NEAR(f.value(l.constraint_partial[level], i * parameters + p), dual,
                      1e-12 * std::max(10.0, std::abs(dual)))
              << "level " << level << " row " << i;
          touched = touched || std::abs(dual) > 1e-6;
        }
      }
      const bool starts = name_of(model, p).rfind("position", 0) == 0 ||
                          name_of(model, p).rfind("velocity", 0) == 0;
      EXPECT_NE(touched, starts) << "all but start values change some residual";
      g.parameter(p) = Dual1(value);
    }
  });
}

// Derivatives of all signals by dual numbers, with entry i of the array at `seed` seeded.
std::vector<double> signal_slopes(Fixture<Dual1>& g, int seed, int i) {
  Dual1& entry = g.at(seed, i);
  const Dual1 kept = entry;
  entry = seeded(kept.value);
  evaluate_everything(g.design());
  kernels::signals(g.design(), true);
  entry = kept;
  std::vector<double> slopes;
  for (int k = 0; k < g.view().signal_count; ++k)
    slopes.push_back(slope_of(g.at(g.layout().signal, k)));
  return slopes;
}

TEST(Partials, SensorsByCoordinates) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    f.set_random_state(12);
    g.set_random_state(12);
    evaluate_everything(f.design());
    kernels::energy_rows(f.design());
    const kernels::Layout& l = f.layout();
    const int n = f.view().coordinate_count;
    std::vector<std::vector<double>>
        duals;  // by the entries of positions, velocities, accelerations
    for (const int state : {l.position, l.velocity, l.acceleration})
      for (int c = 0; c < n; ++c) duals.push_back(signal_slopes(g, state, c));
    for (int s = 0; s < f.view().sensor_count; ++s) {
      const kernels::SensorEntry& sensor = f.view().sensors[s];
      if (kernels::is_reaction(sensor.kind)) continue;
      SCOPED_TRACE(f.plan().sensor_names[static_cast<std::size_t>(s)]);
      for (int k = 0; k < sensor.size; ++k) {
        const auto adjoint = f.design().at(l.signal_adjoint);
        for (int i = 0; i < sensor.size; ++i) adjoint[i] = i == k ? 1.0 : 0.0;
        for (int i = 0; i < 3 * n; ++i) f.at(l.objective_rows, i) = 0.0;
        kernels::add_sensor_rows(f.design(), sensor, adjoint, f.design().at(l.objective_rows));
        Comparison comparison("sensor by coordinates");
        for (int i = 0; i < 3 * n; ++i)
          comparison.add(
              f.value(l.objective_rows, i),
              duals[static_cast<std::size_t>(i)][static_cast<std::size_t>(sensor.signal + k)]);
        comparison.expect_equal();
      }
    }
  });
}

TEST(Partials, SensorsByParameters) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    f.set_random_state(13);
    evaluate_everything(f.design());
    kernels::energy_rows(f.design());
    const kernels::Layout& l = f.layout();
    Comparison comparison("sensors by parameters");
    for (int p = 0; p < f.view().parameter_count; ++p) {
      const double value = g.parameter(p).value;
      g.parameter(p) = seeded(value);
      g.prepare();
      g.set_random_state(13);
      evaluate_everything(g.design());
      kernels::signals(g.design(), true);
      for (int s = 0; s < f.view().sensor_count; ++s) {
        const kernels::SensorEntry& sensor = f.view().sensors[s];
        if (kernels::is_reaction(sensor.kind)) continue;
        for (int k = 0; k < sensor.size; ++k) {
          const auto adjoint = f.design().at(l.signal_adjoint);
          for (int i = 0; i < sensor.size; ++i) adjoint[i] = i == k ? 1.0 : 0.0;
          double sum = 0.0;
          for (int e = f.view().partial_begin[p]; e < f.view().partial_begin[p + 1]; ++e) {
            const PartialEntry& entry = f.view().partials[e];
            if (entry.touches_sensors == 0) continue;
            const auto axis = kernels::is_locked_axis(entry.kind)
                                  ? kernels::locked_axis(f.design(), entry).actual
                                  : kernels::AxisMotion<double>{};
            sum += kernels::sensor_partial(f.design(), sensor, entry, axis, adjoint);
          }
          const double dual = slope_of(g.at(l.signal, sensor.signal + k));
          comparison.add(sum, dual);
          EXPECT_NEAR(sum, dual, 1e-11 * std::max(1.0, std::abs(dual)))
              << name_of(model, p) << " " << f.plan().sensor_names[static_cast<std::size_t>(s)];
        }
      }
      g.parameter(p) = Dual1(value);
    }
    comparison.expect_equal(1e-11);
  });
}

}  // namespace
}  // namespace gradus::derivative
