// Products with the Jacobian of all outputs by all inputs: columns against rows, differences and
// dual numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/mechanism/exchange_models.hpp"

namespace gradus::test {
namespace {

struct Case {
  const char* name;
  Model (*model)();
  const char* formulation;
  const char* integrator;
  bool is_assembled_first = false;  // some turns of a spherical joint are independent
};

class Exchanged : public testing::TestWithParam<Case> {
 protected:
  Mechanism mechanism(double tolerance = 1e-11) const {
    const Model model = GetParam().model();
    Options options;
    options.backend = "cpu:1";
    options.formulation = GetParam().formulation;
    options.integrator = GetParam().integrator;
    options.tolerance = tolerance;
    options.rtol = 1e-11;
    options.atol = 1e-13;
    return Mechanism(model, options, all_of(model));
  }
};

double dot(const std::vector<double>& a, const std::vector<double>& b, double& scale) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] * b[k];
    scale += std::abs(a[k] * b[k]);
  }
  return sum;
}

double largest(const std::vector<double>& a) {
  double most = 0.0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

TEST_P(Exchanged, ColumnsAndRowsAreTransposes) {
  const Mechanism m = mechanism();
  Session session(m);
  const InputNumbers at = some_designs(m, 1);
  for (const double phase : {0.3, 2.1}) {
    InputNumbers directions = make_inputs(m);
    OutputNumbers weights = make_outputs(m);
    fill(directions, phase);
    fill(weights, phase);
    // All seeds together, and those of each kind alone.
    for (int kind = 0; kind < 6; ++kind) {
      InputNumbers v = directions;
      OutputNumbers w = weights;
      if (kind == 1) v.parameters.clear();
      if (kind == 2) v.start_states.clear();
      if (kind >= 3) w = {};
      if (kind == 3) w.objectives = weights.objectives;
      if (kind == 4) w.sensors = weights.sensors;
      if (kind == 5) w.final_states = weights.final_states;
      OutputNumbers forwards = make_outputs(m);
      InputNumbers backwards = make_inputs(m);
      ASSERT_EQ(session.jacobian_vector(at, v, forwards.to()), 0U);
      ASSERT_EQ(session.vector_jacobian(at, w, backwards.to()), 0U);
      OutputNumbers full = w;
      if (full.objectives.empty()) full.objectives.resize(weights.objectives.size());
      if (full.sensors.empty()) full.sensors.resize(weights.sensors.size());
      if (full.final_states.empty()) full.final_states.resize(weights.final_states.size());
      InputNumbers seeds = v;
      if (seeds.parameters.empty()) seeds.parameters.resize(directions.parameters.size());
      if (seeds.start_states.empty()) seeds.start_states.resize(directions.start_states.size());
      double scale = 0.0;
      const double by_columns = dot(row(full), row(forwards), scale);
      const double by_rows = dot(row(backwards), row(seeds), scale);
      EXPECT_GT(std::abs(by_columns), 1e-6 * scale) << "kind " << kind;
      EXPECT_LE(std::abs(by_columns - by_rows), 1e-10 * scale) << "kind " << kind;
    }
  }
}

TEST_P(Exchanged, ColumnsAreLimitsOfDifferences) {
  const Mechanism m = mechanism(1e-12);
  Session session(m);
  InputNumbers at = some_designs(m, 1);
  if (GetParam().is_assembled_first)
    at.start_states = m.start_state(at.parameters, at.start_states);
  for (const bool of_states : {false, true}) {
    InputNumbers v = make_inputs(m);
    fill(of_states ? v.start_states : v.parameters, 0.7);
    OutputNumbers column = make_outputs(m);
    ASSERT_EQ(session.jacobian_vector(at, v, column.to()), 0U);
    const std::vector<double> exact = row(column);
    EXPECT_GT(largest(exact), 1e-6);
    double least = 1.0;
    for (double h = 1e-3; h > 1e-7; h /= 5.0) {
      std::vector<double> difference(exact.size());
      for (const double side : {1.0, -1.0}) {
        InputNumbers moved = at;
        for (std::size_t p = 0; p < v.parameters.size(); ++p)
          moved.parameters[p] += side * h * v.parameters[p];
        for (std::size_t c = 0; c < v.start_states.size(); ++c)
          moved.start_states[c] += side * h * v.start_states[c];
        OutputNumbers values = make_outputs(m);
        ASSERT_EQ(session.evaluate(moved, values.to()), 0U);
        const std::vector<double> numbers = row(values);
        for (std::size_t k = 0; k < numbers.size(); ++k)
          difference[k] += side * numbers[k] / (2.0 * h);
      }
      double worst = 0.0;
      for (std::size_t k = 0; k < exact.size(); ++k)
        worst = std::max(worst, std::abs(difference[k] - exact[k]) / (1.0 + std::abs(exact[k])));
      least = std::min(least, worst);
    }
    EXPECT_LE(least, 1e-6) << (of_states ? "start states" : "parameters");
  }
}

TEST_P(Exchanged, ProductsBringTheValues) {
  const Mechanism m = mechanism();
  Session session(m);
  constexpr std::size_t kDesigns = 3;
  const InputNumbers at = some_designs(m, kDesigns);
  InputNumbers v = make_inputs(m, kDesigns);
  OutputNumbers w = make_outputs(m, kDesigns);
  fill(v, 0.1);
  fill(w, 0.2);
  OutputNumbers plain = w;
  OutputNumbers forwards = w;
  OutputNumbers backwards = w;
  ASSERT_EQ(session.evaluate(at, plain.to()), 0U);
  ASSERT_EQ(session.jacobian_vector(at, v, {}, forwards.to()), 0U);
  ASSERT_EQ(session.vector_jacobian(at, w, {}, backwards.to()), 0U);
  const std::vector<double> values = row(plain);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double bound = 1e-9 * (1.0 + std::abs(values[k]));
    EXPECT_NEAR(row(forwards)[k], values[k], bound);
    EXPECT_NEAR(row(backwards)[k], values[k], bound);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, Exchanged,
    testing::Values(Case{"open", open_chain, "matrix-r", "dop853"},
                    Case{"open", open_chain, "ali3p", "newmark"},
                    Case{"five_bar", closed_five_bar, "matrix-r", "dop853"},
                    Case{"five_bar", closed_five_bar, "ali3p", "newmark"},
                    Case{"four_bar", spatial_four_bar, "matrix-r", "dop853", true},
                    Case{"four_bar", spatial_four_bar, "ali3p", "newmark", true},
                    Case{"platform", stewart_platform, "matrix-r", "dop853"},
                    Case{"platform", stewart_platform, "ali3p", "newmark"}),
    [](const auto& tested) {
      std::string name = std::string(tested.param.name) + "_" + tested.param.formulation;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace gradus::test
