// Evaluations of a compiled mechanism have the bits of the verbs, whoever makes them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "gradus/error.hpp"
#include "tests/unit/mechanism/small_models.hpp"

namespace gradus::test {
namespace {

struct Combination {
  const char* formulation;
  const char* integrator;
  const char* method;
};

Options of(const Combination& way, const char* backend = "cpu:1") {
  Options options;
  options.backend = backend;
  options.formulation = way.formulation;
  options.integrator = way.integrator;
  options.method = way.method;
  return options;
}

class Evaluation : public testing::TestWithParam<Combination> {};

// What a session writes for `count` designs.
std::vector<double> by_session(Session& session, const Mechanism& mechanism,
                               const std::vector<double>& rows, std::size_t count) {
  std::vector<double> objectives(count * mechanism.objective_count());
  std::vector<double> gradient(objectives.size() * mechanism.parameter_count());
  Arrays to;
  to.objectives = objectives;
  to.gradient = gradient;
  EXPECT_EQ(session.gradient(rows, to), 0U);
  objectives.insert(objectives.end(), gradient.begin(), gradient.end());
  return objectives;
}

std::vector<double> by_verb(const Model& model, Options options, const std::vector<double>& rows) {
  options.designs.values = rows;
  const Result result = gradient(model, options);
  std::vector<double> all = result.objective_values;
  all.insert(all.end(), result.gradient.begin(), result.gradient.end());
  return all;
}

TEST_P(Evaluation, HasTheBitsOfTheVerbs) {
  const Model model = short_five_bar();
  for (const char* backend : {"cpu:1", "cpu:2", "debug"}) {
    const std::string method = GetParam().method;
    if (backend[0] == 'd' && method != "direct" && method != "adjoint") continue;
    const Options options = of(GetParam(), backend);
    const Mechanism mechanism(model, options);
    Session session(mechanism);
    // Other numbers of designs in between change what a session holds.
    for (const std::size_t count : {1U, 9U, 2U, 9U}) {
      const std::vector<double> rows = designs_around(mechanism, count);
      EXPECT_EQ(by_session(session, mechanism, rows, count), by_verb(model, options, rows))
          << backend << ", " << count << " designs";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Evaluation,
                         testing::Values(Combination{"ali3p", "newmark", "direct"},
                                         Combination{"ali3p", "newmark", "adjoint"},
                                         Combination{"matrix-r", "rk4", "direct"},
                                         Combination{"index1", "dop853", "adjoint"},
                                         Combination{"matrix-r", "newmark", "continuous-adjoint"},
                                         Combination{"penalty", "radau5", "direct"},
                                         Combination{"matrix-r", "rk4", "dual"}));

TEST(Session, HandsOverTheMotion) {
  const Mechanism mechanism(short_five_bar(), of({"ali3p", "newmark", "direct"}));
  const std::vector<double> rows = designs_around(mechanism, 3);
  const Result result = mechanism.simulate(rows);
  std::vector<double> objectives(3 * mechanism.objective_count());
  std::vector<double> sensors(3 * mechanism.sensor_component_count());
  std::vector<double> violation(9);
  Arrays to;
  to.objectives = objectives;
  to.final_sensors = sensors;
  to.violation = violation;
  Session session(mechanism);
  EXPECT_EQ(session.simulate(rows, to), 0U);
  EXPECT_EQ(objectives, result.objective_values);
  EXPECT_EQ(sensors, result.final_sensors);
  EXPECT_EQ(violation, result.constraint_violation);
}

TEST(Mechanism, HeedsTheMemoryThatARunIsGiven) {
  Model model = short_five_bar();
  model.analysis.duration = 0.3;
  const Mechanism mechanism(model, of({"ali3p", "newmark", "adjoint"}));
  Options options = mechanism.options();
  options.memory = 30 * 1024;
  const Result all = mechanism.gradient({});
  const Result within = mechanism.gradient({}, options);
  EXPECT_EQ(all.recomputation, 0.0);
  EXPECT_GT(within.recomputation, 0.0);
  EXPECT_EQ(within.gradient, all.gradient);
}

// Each thread has a session; all share one mechanism.
TEST(Session, ServesManyThreads) {
  const Mechanism mechanism(short_five_bar(), of({"matrix-r", "rk4", "direct"}));
  const std::vector<double> rows = designs_around(mechanism, 5);
  Session one(mechanism);
  const std::vector<double> expected = by_session(one, mechanism, rows, 5);
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (std::vector<double>& own : found)
    threads.emplace_back([&] {
      Session session(mechanism);
      for (int repeat = 0; repeat < 3; ++repeat) own = by_session(session, mechanism, rows, 5);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& own : found) EXPECT_EQ(own, expected);
}

// A crank longer than its loop allows.
TEST(Session, ReportsDesignsThatFail) {
  const Mechanism mechanism(short_five_bar(), of({"ali3p", "newmark", "direct"}));
  std::vector<double> rows = designs_around(mechanism, 3);
  const std::size_t width = mechanism.parameter_count();
  rows[width + width - 1] = 100.0;
  std::vector<double> objectives(3 * mechanism.objective_count());
  Arrays to;
  to.objectives = objectives;
  Session session(mechanism);
  EXPECT_EQ(session.simulate(rows, to), 1U);
  EXPECT_TRUE(session.status(0).ok);
  EXPECT_FALSE(session.status(1).ok);
  EXPECT_FALSE(session.status(1).message.empty());
  EXPECT_TRUE(std::isnan(objectives[mechanism.objective_count()]));
  EXPECT_TRUE(std::isfinite(objectives[0]));
}

template <class Call>
std::string complaint_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Session, RefusesArraysThatDoNotFit) {
  const Mechanism mechanism(short_five_bar(), of({"ali3p", "newmark", "direct"}));
  Session session(mechanism);
  std::vector<double> rows = designs_around(mechanism, 2);
  std::vector<double> numbers(7);
  Arrays to;
  to.objectives = numbers;
  EXPECT_EQ(complaint_of([&] { session.simulate(rows, to); }),
            "objectives: found 7 numbers, expected 6 for [n_design, n_objective]");
  to = {};
  to.gradient = numbers;
  EXPECT_NE(complaint_of([&] { session.simulate(rows, to); }).find("simulate computes none"),
            std::string::npos);
  EXPECT_NE(complaint_of([&] { session.gradient(rows, to); }).find("expected 30"),
            std::string::npos);
  rows.pop_back();
  EXPECT_EQ(complaint_of([&] { session.simulate(rows, {}); }),
            "parameters: found 9 numbers, expected rows of 5");
  rows.push_back(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(complaint_of([&] { session.simulate(rows, {}); }),
            "parameters: found a number that is not finite (design 1, parameter 4)");
  EXPECT_NE(complaint_of([&] { session.status(0); }), "");
}

TEST(Mechanism, KeepsWhatOptionsSet) {
  Options options = of({"ali3p", "newmark", "direct"});
  options.set["L_s1"] = 2.3;
  const Model model = short_five_bar();
  const Mechanism mechanism(model, options);
  EXPECT_EQ(mechanism.nominal()[0], 2.3);
  EXPECT_EQ(mechanism.gradient().gradient, gradient(model, options).gradient);
}

}  // namespace
}  // namespace gradus::test
