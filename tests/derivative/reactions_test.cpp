// Derivatives of the reactions of every joint and loop at fixed multipliers and by them, against
// dual numbers.
#include "kernels/stages/objectives.hpp"
#include "tests/derivative/kernel_check.hpp"

namespace gradus::derivative {
namespace {

// Force and moment of every joint and loop, all of which some objective uses.
Model with_reactions(Model model) {
  model.objectives.clear();
  const auto add = [&](const Joint& joint) {
    for (const char* const type : {"reaction_force", "reaction_moment"}) {
      const std::string name = "reaction_" + std::to_string(model.sensors.size());
      model.sensors.push_back({name, type, joint.name});
      model.objectives.push_back({name, ObjectiveKind::terminal, name + ".x", "", ""});
    }
  };
  for (const Joint& joint : model.joints) add(joint);
  for (const Joint& loop : model.loops) add(loop);
  return model;
}

template <class Use>
void for_each_reacting_model(const Use& use) {
  for_each_kernel_model(
      [&](const Model& model, Reference reference) { use(with_reactions(model), reference); });
}

// Without constraints nothing is projected.
template <class Real>
void set_state(Fixture<Real>& f, unsigned seed) {
  f.set_random_state(seed);
  const int n = f.view().coordinate_count;
  if (f.view().constraint_rank == 0)
    f.set(f.layout().acceleration_change, std::vector<double>(static_cast<std::size_t>(n), 0.0));
}

template <class Real>
void evaluate_signals(Fixture<Real>& f) {
  evaluate_everything(f.design());
  kernels::signals(f.design(), true);
}

// Signal adjoints of a sensor: those of its component k alone.
kernels::View<double, false> unit_adjoint(Fixture<double>& f, int k) {
  const auto adjoint = f.design().at(f.layout().signal_adjoint);
  for (int i = 0; i < 3; ++i) adjoint[i] = i == k ? 1.0 : 0.0;
  return adjoint;
}

// Calls use(sensor) for the reactions of a design.
template <class Use>
void for_each_reaction(Fixture<double>& f, const Model& model, const Use& use) {
  for (int s = 0; s < f.view().sensor_count; ++s) {
    if (!kernels::is_reaction(f.view().sensors[s].kind)) continue;
    const Sensor& sensor = model.sensors[static_cast<std::size_t>(s)];
    SCOPED_TRACE((sensor.type == "reaction_force" ? "force of " : "moment of ") + sensor.target);
    use(f.view().sensors[s]);
  }
}

// d signal / d entry i of the array at `seed`.
std::vector<double> slopes(Fixture<Dual1>& g, int seed, int i) {
  Dual1& entry = g.at(seed, i);
  const Dual1 kept = entry;
  entry = seeded(kept.value);
  evaluate_signals(g);
  entry = kept;
  std::vector<double> all;
  for (int k = 0; k < g.view().signal_count; ++k)
    all.push_back(slope_of(g.at(g.layout().signal, k)));
  return all;
}

struct Derivative {
  const char* what;
  int seed;
  int row;  // offset of the row that is compared
  int size;
};

TEST(Reactions, AnswerToTheMotionAndToMultipliers) {
  for_each_reacting_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    set_state(f, 21);
    set_state(g, 21);
    evaluate_signals(f);
    const kernels::Layout& l = f.layout();
    const int n = f.view().coordinate_count;
    const int m = f.view().constraint_rows;
    const Derivative derivatives[] = {
        {"position", l.position, l.objective_rows, n},
        {"free velocity", l.free_velocity, l.objective_rows + 3 * n, n},
        {"free acceleration", l.free_acceleration, l.objective_rows + 2 * n, n},
        {"change of acceleration", l.acceleration_change, l.objective_rows + 2 * n, n},
        {"multiplier", l.multiplier, l.reaction_multiplier, m},
        {"multiplier of the projection", l.acceleration_multiplier, l.reaction_multiplier, m}};
    for (const Derivative& derivative : derivatives) {
      SCOPED_TRACE(derivative.what);
      std::vector<std::vector<double>> duals;
      for (int i = 0; i < derivative.size; ++i) duals.push_back(slopes(g, derivative.seed, i));
      Comparison all(derivative.what);
      for_each_reaction(f, model, [&](const kernels::SensorEntry& sensor) {
        for (int k = 0; k < 3; ++k) {
          for (int i = 0; i < 5 * n; ++i) f.at(l.objective_rows, i) = 0.0;
          for (int i = 0; i < m; ++i) f.at(l.reaction_multiplier, i) = 0.0;
          kernels::add_sensor_rows(f.design(), sensor, unit_adjoint(f, k),
                                   f.design().at(l.objective_rows));
          for (int i = 0; i < derivative.size; ++i) {
            const double dual =
                duals[static_cast<std::size_t>(i)][static_cast<std::size_t>(sensor.signal + k)];
            const double value = f.value(derivative.row, i);
            all.add(value, dual);
            EXPECT_NEAR(value, dual, 1e-11 * std::max(10.0, std::abs(dual)))
                << "component " << k << " by " << i;
          }
        }
      });
      // Multipliers of an open tree keep Euler parameters normalised and exert no force.
      const bool by_multiplier = derivative.row == l.reaction_multiplier;
      if (!by_multiplier || !kernels::is_open_tree(f.view())) all.expect_equal(1e-11);
    }
  });
}

TEST(Reactions, AnswerToParameters) {
  for_each_reacting_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    set_state(f, 22);
    evaluate_signals(f);
    const kernels::Layout& l = f.layout();
    Comparison all("reactions by parameters");
    for (int p = 0; p < f.view().parameter_count; ++p) {
      SCOPED_TRACE(model.parameters[static_cast<std::size_t>(p)].name);
      const double value = g.parameter(p).value;
      g.parameter(p) = seeded(value);
      g.prepare();
      set_state(g, 22);
      evaluate_signals(g);
      for_each_reaction(f, model, [&](const kernels::SensorEntry& sensor) {
        for (int k = 0; k < 3; ++k) {
          const auto adjoint = unit_adjoint(f, k);
          double sum = 0.0;
          for (int e = f.view().partial_begin[p]; e < f.view().partial_begin[p + 1]; ++e)
            if (f.view().partials[e].touches_sensors != 0)
              sum += kernels::reaction_partial(f.design(), sensor, f.view().partials[e],
                                               kernels::virtual_axis(f.design(), sensor, adjoint));
          const double dual = slope_of(g.at(l.signal, sensor.signal + k));
          all.add(sum, dual);
          EXPECT_NEAR(sum, dual, 1e-11 * std::max(10.0, std::abs(dual))) << "component " << k;
        }
      });
      g.parameter(p) = Dual1(value);
    }
    all.expect_equal(1e-11);
  });
}

}  // namespace
}  // namespace gradus::derivative
