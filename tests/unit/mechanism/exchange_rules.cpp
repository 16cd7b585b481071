// What start states mean, where they are moved to, and what is refused of exchanges.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <thread>

#include "gradus/error.hpp"
#include "tests/unit/mechanism/exchange_models.hpp"

namespace gradus::test {
namespace {

Options of(const char* formulation, const char* integrator, const char* backend = "cpu:1") {
  Options options;
  options.backend = backend;
  options.formulation = formulation;
  options.integrator = integrator;
  options.tolerance = 1e-11;
  return options;
}

std::vector<double> values_of(const Mechanism& m, const InputNumbers& at) {
  Session session(m);
  OutputNumbers values = make_outputs(m, at.parameters.size() / m.parameter_count());
  EXPECT_EQ(session.evaluate(at, values.to()), 0U);
  return row(values);
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double bound) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], bound * (1.0 + std::abs(expected[k]))) << k;
}

// Rates of Euler parameters p from an angular velocity in the parent's axes: E(p)^T w / 2.
std::array<double, 4> rates(const double* p, const double* w) {
  return {0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]),
          0.5 * (p[0] * w[0] + p[3] * w[1] - p[2] * w[2]),
          0.5 * (-p[3] * w[0] + p[0] * w[1] + p[1] * w[2]),
          0.5 * (p[2] * w[0] - p[1] * w[1] + p[0] * w[2])};
}

constexpr double kStart[11] = {0.3, 0.7, 0.1, -0.5, 0.5, 0.2, 0.4, 1.1, -0.6, 0.8, -0.3};

// The open chain with its start as parameters: positions of all six coordinates, velocities of all
// five, those of the spherical joint being angular; and with the outputs of all_of() as objectives.
Model open_chain_as_stated() {
  Model model = open_chain();
  for (int k = 0; k < 11; ++k) {
    Parameter parameter;
    parameter.name = "s" + std::to_string(k);
    parameter.value = kStart[k];
    model.parameters.push_back(parameter);
  }
  model.joints[0].start = {{"s0", "s6", false, false}};
  model.joints[1].start = {{"s1", 0, false, false},
                           {"s2", "s7", false, false},
                           {"s3", "s8", false, false},
                           {"s4", "s9", false, false}};
  model.joints[2].start = {{"s5", "s10", false, false}};
  const auto add = [&](const std::string& expression, ObjectiveKind kind) {
    Objective objective{"o" + std::to_string(model.objectives.size()), kind, expression, "", ""};
    if (kind == ObjectiveKind::value) objective.at = all_of(model).times;
    model.objectives.push_back(objective);
  };
  for (const char* output :
       {"tip.x", "tip.y", "tip.z", "spin.x", "spin.y", "spin.z", "turn.0", "turn.1", "turn.2",
        "turn.3", "pull.x", "pull.y", "pull.z", "coil", "effort"})
    add(output, ObjectiveKind::value);
  const auto sense = [&](const char* name, const char* type, const char* joint) {
    model.sensors.push_back({name, type, joint});
  };
  sense("z0", "coordinate", "hinge");
  sense("z5", "coordinate", "slide");
  sense("v0", "rate", "hinge");
  sense("v1", "rate", "ball");
  sense("v5", "rate", "slide");
  for (const char* output : {"z0", "turn.0", "turn.1", "turn.2", "turn.3", "z5", "v0", "v1.0",
                             "v1.1", "v1.2", "v1.3", "v5"})
    add(output, ObjectiveKind::terminal);
  return model;
}

void check_against_dual_numbers(const char* formulation, const char* integrator) {
  Options options = of(formulation, integrator);
  options.method = "dual";
  const Result stated = gradient(open_chain_as_stated(), options);
  const Model model = open_chain();
  const Mechanism m(model, of(formulation, integrator), all_of(model));

  const std::size_t n = m.parameter_count();
  std::vector<double> direction(n + 11);
  fill(direction, 0.4);
  InputNumbers at;
  InputNumbers v;
  at.parameters.assign(m.nominal().begin(), m.nominal().end());
  v.parameters.assign(direction.begin(), direction.begin() + static_cast<std::ptrdiff_t>(n));
  const double* const d = direction.data() + n;
  // Of unit length, and the direction across it: the start as stated is normalised.
  double p[4];
  double dp[4];
  double length = 0.0;
  for (int k = 1; k < 5; ++k) length += kStart[k] * kStart[k];
  length = std::sqrt(length);
  double along = 0.0;
  for (int k = 0; k < 4; ++k) along += kStart[k + 1] * d[k + 1] / length;
  for (int k = 0; k < 4; ++k) p[k] = kStart[k + 1] / length;
  for (int k = 0; k < 4; ++k) dp[k] = (d[k + 1] - along * p[k]) / length;
  const auto rate = rates(p, kStart + 7);
  const auto turned = rates(dp, kStart + 7);
  const auto faster = rates(p, d + 7);
  at.start_states.assign(kStart, kStart + 7);
  v.start_states.assign(d, d + 7);
  for (std::size_t k = 0; k < 4; ++k) {
    at.start_states.push_back(rate[k]);
    v.start_states.push_back(turned[k] + faster[k]);
  }
  at.start_states.push_back(kStart[10]);
  v.start_states.push_back(d[10]);

  Session session(m);
  OutputNumbers column = make_outputs(m);
  OutputNumbers values = make_outputs(m);
  ASSERT_EQ(session.jacobian_vector(at, v, column.to(), values.to()), 0U);
  // The caller's sensors lie [time, component], as objectives they are [component, time].
  const std::size_t components = m.exchanged_component_count();
  const std::size_t rows = stated.objective_values.size();
  ASSERT_EQ(row(column).size(), rows);
  for (std::size_t o = 0; o < rows; ++o) {
    std::size_t place = o;
    const std::size_t sensors = m.objective_count();
    if (o >= sensors && o < sensors + 3 * components)
      place = sensors + (o - sensors) % 3 * components + (o - sensors) / 3;
    double sum = 0.0;
    double scale = 1.0;
    for (std::size_t k = 0; k < direction.size(); ++k) {
      sum += stated.gradient[o * direction.size() + k] * direction[k];
      scale += std::abs(stated.gradient[o * direction.size() + k] * direction[k]);
    }
    EXPECT_NEAR(row(column)[place], sum, 1e-9 * scale) << "row " << o;
    EXPECT_NEAR(row(values)[place], stated.objective_values[o], 1e-9 * scale) << "row " << o;
  }
}

TEST(StartStates, AreDifferentiatedAsDualNumbersAre) {
  check_against_dual_numbers("ali3p", "newmark");
  check_against_dual_numbers("matrix-r", "dop853");
}

// The five-bar: its two cranks are held, the two hinges behind them follow.
TEST(StartStates, OfClosedLoopsAreThoseOfHeldCoordinates) {
  const Model model = closed_five_bar();
  const Mechanism m(model, of("ali3p", "newmark"), all_of(model));
  InputNumbers at = some_designs(m, 1);

  Model stated = model;
  for (const char* name : {"a", "b", "c", "d"}) {
    Parameter parameter;
    parameter.name = name;
    const auto k = static_cast<std::size_t>(name[0] - 'a');
    parameter.value = at.start_states[k < 2 ? k : k + 2];
    stated.parameters.push_back(parameter);
  }
  stated.joints[0].start = {{"a", "c", false, false}};
  stated.joints[1].start = {{"b", "d", false, false}};
  Options options = of("ali3p", "newmark");
  options.method = "dual";
  const Result dual = gradient(stated, options);

  Session session(m);
  const std::size_t n = m.parameter_count();
  for (std::size_t o = 0; o < m.objective_count(); ++o) {
    OutputNumbers w = make_outputs(m);
    w.objectives[o] = 1.0;
    InputNumbers products = make_inputs(m);
    OutputNumbers values = make_outputs(m);
    ASSERT_EQ(session.vector_jacobian(at, w, products.to(), values.to()), 0U);
    EXPECT_NEAR(values.objectives[o], dual.objective_values[o], 1e-10);
    for (std::size_t k = 0; k < n + 4; ++k) {
      const std::size_t c = k - n;
      const double found =
          k < n ? products.parameters[k] : products.start_states[c < 2 ? c : c + 2];
      const double expected = dual.gradient[o * (n + 4) + k];
      EXPECT_NEAR(found, expected, 1e-9 * (1.0 + std::abs(expected)));
      EXPECT_TRUE(o != 2 || expected != 0.0);
    }
    for (const std::size_t follows : {2U, 3U, 6U, 7U})
      EXPECT_EQ(products.start_states[follows], 0.0);
  }

  // What follows may be anything near.
  const std::vector<double> values = values_of(m, at);
  at.start_states[2] += 0.05;
  at.start_states[7] -= 3.0;
  expect_near(values_of(m, at), values, 1e-9);
  at.start_states[0] += 0.05;
  EXPECT_GT(std::abs(values_of(m, at)[0] - values[0]), 1e-6);
}

TEST(StartStates, OfTheModelGiveItsMotion) {
  for (const Model& model : {closed_five_bar(), stewart_platform()}) {
    const Mechanism m(model, of("ali3p", "newmark"), all_of(model));
    InputNumbers at;
    at.parameters.assign(m.nominal().begin(), m.nominal().end());
    at.start_states = m.start_state();
    Result stated = m.simulate();
    stated.objective_values.resize(m.objective_count());
    std::vector<double> found = values_of(m, at);
    found.resize(m.objective_count());
    expect_near(found, stated.objective_values, 1e-9);
  }
}

// A state at the end is one to start from.
TEST(StartStates, ContinueMotions) {
  Model model = open_chain();
  model.objectives.clear();
  const Options options = of("matrix-r", "rk4");
  Exchange exchange;
  exchange.start_states = true;
  exchange.final_state = true;
  const Mechanism half(model, options, exchange);
  model.analysis.duration *= 2.0;
  const Mechanism whole(model, options, exchange);
  InputNumbers at = some_designs(half, 2);
  const std::vector<double> expected = values_of(whole, at);
  at.start_states = values_of(half, at);
  expect_near(values_of(half, at), expected, 1e-12);
}

TEST(StartStates, NeedNeitherParametersNorObjectives) {
  Model model = open_chain();
  model.parameters.clear();
  model.objectives.clear();
  model.definitions = {{"L", "0.5"}, {"k", "30"}};
  Exchange exchange;
  exchange.start_states = true;
  exchange.final_state = true;
  const Mechanism m(model, of("ali3p", "newmark"), exchange);
  const InputNumbers at = some_designs(m, 2);
  InputNumbers v = make_inputs(m, 2);
  OutputNumbers w = make_outputs(m, 2);
  fill(v, 0.2);
  fill(w, 0.3);
  InputNumbers backwards = v;
  OutputNumbers forwards = w;
  Session session(m);
  EXPECT_EQ(session.jacobian_vector(at, v, forwards.to()), 0U);
  EXPECT_EQ(session.vector_jacobian(at, w, backwards.to()), 0U);
  double by_columns = 0.0;
  double by_rows = 0.0;
  for (std::size_t k = 0; k < w.final_states.size(); ++k) {
    by_columns += w.final_states[k] * forwards.final_states[k];
    by_rows += backwards.start_states[k] * v.start_states[k];
  }
  EXPECT_GT(std::abs(by_columns), 1e-3);
  EXPECT_NEAR(by_columns, by_rows, 1e-10);
  const Mechanism nothing(model, of("ali3p", "newmark"));
  EXPECT_EQ(Session(nothing).vector_jacobian({}, {}, InputArrays<double>{}), 0U);
}

// Constraints at the start are start values.
TEST(StartStates, TakeThePlaceOfConstraintsAtTheStart) {
  Model model = open_chain();
  Constraint begin;
  begin.name = "begin";
  begin.type = "expression";
  begin.value = "tip.y - 0.2 - 0.1*t";
  begin.at_start = true;
  model.constraints = {begin};
  Exchange exchange;
  exchange.start_states = true;
  exchange.times = {0.0};
  exchange.sensors = {"turn"};
  const Mechanism m(model, of("matrix-r", "rk4"), exchange);
  InputNumbers at = some_designs(m, 1);
  OutputNumbers values = make_outputs(m);
  Session session(m);
  ASSERT_EQ(session.evaluate(at, values.to()), 0U);
  double norm = 0.0;
  for (std::size_t k = 1; k < 5; ++k) norm += at.start_states[k] * at.start_states[k];
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(values.sensors[k], at.start_states[k + 1] / std::sqrt(norm), 1e-12);
}

TEST(StartStates, ThatCannotCloseFail) {
  const Model model = closed_five_bar();
  const Mechanism m(model, of("ali3p", "newmark"), all_of(model));
  InputNumbers at = some_designs(m, 2);
  // Both cranks of the second point away from the other side.
  at.start_states[2 * m.coordinate_count()] = 3.1;
  at.start_states[2 * m.coordinate_count() + 1] = 0.0;
  Session session(m);
  OutputNumbers values = make_outputs(m, 2);
  InputNumbers products = make_inputs(m, 2);
  OutputNumbers w = make_outputs(m, 2);
  fill(w, 0.3);
  EXPECT_EQ(session.vector_jacobian(at, w, products.to(), values.to()), 1U);
  EXPECT_TRUE(session.status(0).ok);
  EXPECT_FALSE(session.status(1).message.empty());
  EXPECT_TRUE(std::isfinite(products.parameters[0]));
  EXPECT_TRUE(std::isnan(products.parameters[m.parameter_count()]));
  EXPECT_TRUE(std::isnan(values.final_states.back()));
}

// All share one mechanism, which compiles what products need when the first asks for it.
TEST(StartStates, ServeManyThreads) {
  const Model model = closed_five_bar();
  const auto run = [](const Mechanism& m) {
    Session session(m);
    const InputNumbers at = some_designs(m, 3);
    InputNumbers v = make_inputs(m, 3);
    OutputNumbers w = make_outputs(m, 3);
    fill(v, 0.2);
    fill(w, 0.6);
    OutputNumbers columns = w;
    InputNumbers rows = v;
    std::vector<double> all;
    for (int repeat = 0; repeat < 2; ++repeat) {
      EXPECT_EQ(session.jacobian_vector(at, v, columns.to()), 0U);
      EXPECT_EQ(session.vector_jacobian(at, w, rows.to()), 0U);
      all = row(columns);
      for (const double x : row(rows)) all.push_back(x);
    }
    return all;
  };
  const std::vector<double> expected =
      run(Mechanism(model, of("matrix-r", "dop853"), all_of(model)));
  const Mechanism shared(model, of("matrix-r", "dop853"), all_of(model));
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (std::vector<double>& own : found) threads.emplace_back([&] { own = run(shared); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& own : found) EXPECT_EQ(own, expected);
}

TEST(StartStates, RunOnDevices) {
  const Model model = closed_five_bar();
  const Mechanism host(model, of("ali3p", "newmark", "cpu:2"), all_of(model));
  const Mechanism device(model, of("ali3p", "newmark", "debug"), all_of(model));
  const InputNumbers at = some_designs(host, 3);
  expect_near(values_of(device, at), values_of(host, at), 1e-12);
  OutputNumbers w = make_outputs(host, 3);
  fill(w, 0.6);
  InputNumbers by_host = make_inputs(host, 3);
  InputNumbers by_device = by_host;
  EXPECT_EQ(Session(host).vector_jacobian(at, w, by_host.to()), 0U);
  EXPECT_EQ(Session(device).vector_jacobian(at, w, by_device.to()), 0U);
  expect_near(row(by_device), row(by_host), 1e-11);
}

template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Exchanges, RefuseWhatTheyCannotHandOver) {
  const Model model = closed_five_bar();
  const auto refusal = [&](const Exchange& exchange) {
    return refusal_of([&] { Mechanism(model, of("ali3p", "newmark"), exchange); });
  };
  EXPECT_EQ(refusal({false, {0.0, 0.012}, {}, false}),
            "sensor times: found 0.012 (no step ends there, they are 0.005 s long), the nearest "
            "possible times are 0.01 and 0.015");
  EXPECT_NE(refusal({false, {0.01, 1.0}, {}, false}).find("the motion ends at 0.02 s"),
            std::string::npos);
  EXPECT_NE(refusal({false, {0.01, 0.01}, {}, false}).find("ascending"), std::string::npos);
  EXPECT_NE(refusal({false, {-0.01}, {}, false}).find("ascending"), std::string::npos);
  EXPECT_NE(refusal({false, {0.01}, {"enrgy"}, false}).find("did you mean \"energy\""),
            std::string::npos);
  EXPECT_NE(refusal({false, {}, {"energy"}, false}).find("give times"), std::string::npos);
}

TEST(Exchanges, RefuseArraysThatDoNotFit) {
  const Model model = closed_five_bar();
  const Mechanism m(model, of("ali3p", "newmark"), {true, {0.01}, {"r2"}, false});
  const Mechanism plain(model, of("ali3p", "newmark"));
  EXPECT_EQ(m.exchanged_component_count(), 3U);
  Session session(m);
  InputNumbers at = some_designs(m, 2);
  OutputNumbers values = make_outputs(m, 2);
  EXPECT_EQ(
      refusal_of([&] { Session(plain).evaluate(at, {}); }),
      "start_states: found 16 numbers, expected 0 for a mechanism whose exchange has no start "
      "states");
  EXPECT_EQ(refusal_of([&] { session.jacobian_vector(at.parameters, at.parameters, {}); }),
            "start_states: found 0 numbers, expected 16 for [n_design, 2 n_coordinate]");
  std::vector<double> five(5);
  values.sensors = five;
  EXPECT_EQ(refusal_of([&] { session.evaluate(at, values.to()); }),
            "sensors: found 5 numbers, expected 6 for [n_design, n_time, n_exchanged_component]");
  values = make_outputs(m, 2);
  values.final_states = five;
  EXPECT_NE(refusal_of([&] { session.evaluate(at, values.to()); }).find("no final state"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] {
              session.jacobian_vector(at, {five, {}}, {});
            }).find("expected 10"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] {
              session.vector_jacobian(at, {}, {{}, five});
            }).find("expected 16"),
            std::string::npos);
  at.start_states[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal_of([&] { session.evaluate(at, {}); }),
            "start_states: found a number that is not finite (design 0, number 3)");
}

}  // namespace
}  // namespace gradus::test
