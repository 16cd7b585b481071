// Every formulation with every integrator: the order at which the end of a motion and integrals
// over it approach those of the converged motion, which is the oracle's; the energy of what
// conserves it, and what projections leave of the constraints.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "src/model/keys.hpp"
#include "src/motion/tableau.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/oracle_comparison.hpp"

namespace gradus::test {
namespace {

constexpr double kDuration = 0.2;  // s

// Squared velocity and acceleration of a point of the last body, over the motion.
void add_integrals(Model& model) {
  const std::string body = model.bodies.back().name;
  for (const char* sensor : {"v", "a"}) {
    const std::string name = body + "_" + sensor;
    model.objectives.push_back(
        {name + " squared", ObjectiveKind::integral, "dot(" + name + ", " + name + ")", "", ""});
  }
}

MechanismPair without_damping(MechanismPair pair) {
  set_damping_of_springs(pair.model, 0.0);
  for (auto& spring : pair.reference.springs) spring.damping = 0.0;
  add_integrals(pair.model);
  return pair;
}

// Joints of every kind, spherical and floating ones among them.
MechanismPair open_tree() {
  return without_damping(random_tree_of_all_joints(4, 8));
}
// Eight bodies in a loop, cut at a revolute joint; several motions are free.
MechanismPair closed_loop() {
  return without_damping(random_loop_of_all_joints(3, 8, oracle::JointType::kRevolute));
}

const MechanismPair& mechanism(bool loop) {
  static const MechanismPair pairs[] = {open_tree(), closed_loop()};
  return pairs[loop ? 1 : 0];
}

Result simulated(const Model& model) {
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  Result result = simulate(model, options);
  EXPECT_TRUE(result.all_ok()) << result.status[0].message << " at " << result.status[0].time;
  return result;
}

// Far more accurate than what is compared with it.
Result converged(bool loop) {
  Model model = mechanism(loop).model;
  model.analysis.formulation = loop ? "matrix-r" : "semi-recursive";
  model.analysis.integrator = "dop853";
  model.analysis.rtol = 1e-13;
  model.analysis.atol = 1e-14;
  model.analysis.duration = kDuration;
  model.analysis.step = kDuration / 100;
  return simulated(model);
}

const Result& reference(bool loop) {
  static const Result results[] = {converged(false), converged(true)};
  return results[loop ? 1 : 0];
}

double norm(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

// Positions and velocities of all bodies at the end; the rows of each are those of `add_sensors`.
std::vector<double> end_state(const Result& result) {
  std::vector<double> values;
  for (std::size_t k = 0; k + 1 < result.final_sensors.size(); ++k)
    if (k % 9 < 6) values.push_back(result.final_sensors[k]);
  return values;
}

struct Errors {
  double state, integrals, energy;
};

double relative_error(const std::vector<double>& values, const std::vector<double>& exact) {
  std::vector<double> difference;
  for (std::size_t k = 0; k < exact.size(); ++k) difference.push_back(values[k] - exact[k]);
  return norm(difference) / norm(exact);
}

// Change of the total energy, the last sensor, from the start to the end.
double energy_change(const Result& result) {
  const double start = result.trajectories[0].sensors[result.sensor_components.size() - 1];
  return std::abs(result.final_sensors.back() - start) / (1.0 + std::abs(start));
}

Errors errors(const Model& model, bool loop) {
  const Result result = simulated(model);
  const Result& exact = reference(loop);
  return {relative_error(end_state(result), end_state(exact)),
          relative_error(result.objective_values, exact.objective_values), energy_change(result)};
}

// So few that errors are far above round-off, so many that they are those of the leading term.
int coarsest_steps(int order) {
  static const std::map<int, int> steps{{1, 400}, {2, 50}, {4, 25}, {5, 12}};
  return steps.at(order);
}

// How many times a halved step halves the error, on average over both halvings: single ones vary
// where the leading terms of several components cancel.
double observed_order(const std::array<Errors, 3>& e, double Errors::*part) {
  return 0.5 * std::log2(e[0].*part / e[2].*part);
}

// The finest errors stand above round-off, so that the orders mean something.
void expect_order(const std::array<Errors, 3>& e, double Errors::*part, int order,
                  const char* what) {
  SCOPED_TRACE(what);
  ASSERT_GT(e[2].*part, 3e-13) << "nothing but round-off";
  EXPECT_GT(observed_order(e, part), order - 0.35);
  EXPECT_LT(observed_order(e, part), order + 0.5);
}

std::array<Errors, 3> errors_of_three_steps(Model model, int order, bool loop) {
  std::array<Errors, 3> all{};
  int steps = coarsest_steps(order);
  for (Errors& e : all) {
    model.analysis.step = kDuration / steps;
    e = errors(model, loop);
    steps *= 2;
  }
  return all;
}

// The energy is a function of the state, so its error falls at least as fast. At the finest step it
// is far below the energies that are exchanged, which are of order 1.
void expect_energy_kept(const std::array<Errors, 3>& e, int order) {
  static const std::map<int, double> bound{{1, 1e-2}, {2, 1e-4}, {4, 1e-7}, {5, 1e-8}};
  EXPECT_LT(e[2].energy, bound.at(order));
  if (e[2].energy > 1e-12) {
    EXPECT_GT(observed_order(e, &Errors::energy), order - 0.5);
  }
}

void expect_fixed_step_order(const Model& model, int order, bool loop) {
  const auto all = errors_of_three_steps(model, order, loop);
  expect_order(all, &Errors::state, order, "state");
  expect_order(all, &Errors::integrals, order, "integrals");
  expect_energy_kept(all, order);
}

// Over four decades errors fall as the tolerance, give or take a decade and a half: a method of
// order 8 takes three steps where it takes any. They never lie above it. Radau IIA is of a higher
// order than its estimate, so that they fall faster.
void expect_errors_follow_tolerance(Model model, const TestedIntegrator& integrator, bool loop) {
  model.analysis.step = kDuration / 10;
  std::array<Errors, 2> all{};
  const std::array<double, 2> rtol{1e-4, 1e-8};
  for (std::size_t k = 0; k < 2; ++k) {
    model.analysis.rtol = rtol[k];
    model.analysis.atol = 0.1 * rtol[k];
    all[k] = errors(model, loop);
    EXPECT_LT(all[k].state, rtol[k]);
    EXPECT_LT(all[k].integrals, 10 * rtol[k]);
    EXPECT_LT(all[k].energy, 10 * rtol[k]);
    EXPECT_GT(all[k].state, integrator.implicit ? 1e-15 : 1e-13) << "nothing but round-off";
  }
  const double decades = std::log10(all[0].state / all[1].state);
  EXPECT_GT(decades, 2.5) << all[0].state << " " << all[1].state;
  EXPECT_LT(decades, integrator.implicit ? 7.5 : 5.5) << all[0].state << " " << all[1].state;
}

class Convergence : public testing::TestWithParam<Method> {
 protected:
  Model model(bool loop) const {
    Model m = mechanism(loop).model;
    GetParam().use_in(m);
    m.analysis.tolerance = 1e-12;
    m.analysis.duration = kDuration;
    return m;
  }
  void expect_order(bool loop) const {
    const TestedIntegrator& integrator = GetParam().integrator;
    if (integrator.adaptive)
      expect_errors_follow_tolerance(model(loop), integrator, loop);
    else if (integrator.order < 9)  // round-off leaves too little to see of it: stiff_test.cpp
      expect_fixed_step_order(model(loop), integrator.order, loop);
  }
};

std::string label(const testing::TestParamInfo<Method>& info) {
  return info.param.label();
}

TEST_P(Convergence, OpenTree) {
  expect_order(false);
}

using ConvergenceOfLoops = Convergence;

TEST_P(ConvergenceOfLoops, ClosedLoop) {
  expect_order(true);
}

using ConvergenceOfProjections = Convergence;

TEST_P(ConvergenceOfProjections, LeavesNothingOfTheConstraints) {
  Model m = model(GetParam().formulation.loops);
  m.analysis.step = kDuration / 40;
  const Result result = simulated(m);
  ASSERT_EQ(result.constraint_violation.size(), 3U);
  for (const double violation : result.constraint_violation) EXPECT_LT(violation, 1e-9);
}

std::vector<Method> methods_whose(bool TestedFormulation::*trait) {
  std::vector<Method> all = tested_methods(false);
  std::erase_if(all, [trait](const Method& method) { return !(method.formulation.*trait); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, Convergence, testing::ValuesIn(tested_methods(false)), label);
INSTANTIATE_TEST_SUITE_P(Methods, ConvergenceOfLoops,
                         testing::ValuesIn(methods_whose(&TestedFormulation::loops)), label);
INSTANTIATE_TEST_SUITE_P(Methods, ConvergenceOfProjections,
                         testing::ValuesIn(methods_whose(&TestedFormulation::projects)), label);

// Between their steps adaptive integrators interpolate: polynomials of degree five over steps that
// are long for their tolerance.
TEST(Interpolation, StaysNearTheMotion) {
  Model m = mechanism(true).model;
  m.analysis.formulation = "matrix-r";
  m.analysis.integrator = "dop853";
  m.analysis.duration = kDuration;
  m.analysis.step = kDuration / 100;
  m.analysis.rtol = 1e-9;
  m.analysis.atol = 1e-10;
  const Result result = simulated(m);
  EXPECT_LT(result.step_count[0], 50.0);
  const std::vector<double>& found = result.trajectories[0].coordinates;
  const std::vector<double>& exact = reference(true).trajectories[0].coordinates;
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k) EXPECT_NEAR(found[k], exact[k], 1e-7);
}

// What no projection holds drifts, as a power of the step.
TEST(Constraints, DriftWithoutProjection) {
  Model m = mechanism(true).model;
  m.analysis.formulation = "index1";
  m.analysis.stabilisation = "none";
  m.analysis.integrator = "rk4";
  m.analysis.duration = kDuration;
  m.analysis.step = kDuration / 20;
  const double coarse = simulated(m).constraint_violation[0];
  m.analysis.step = kDuration / 40;
  const double fine = simulated(m).constraint_violation[0];
  EXPECT_GT(fine, 1e-9);
  EXPECT_GT(std::log2(coarse / fine), 3.5);
}

// What the orders are measured against is the motion that the oracle finds from the same start.
TEST(Reference, IsTheMotionOfTheOracle) {
  for (const bool loop : {false, true}) {
    const Result& result = reference(loop);
    MechanismPair pair = mechanism(loop);
    start_as_recorded(pair, result);
    oracle::IntegrationOptions options;
    options.duration = kDuration;
    options.steps = 2000;
    const auto end = oracle::integrate(pair.reference, oracle::assemble(pair.reference), options);
    const PointRow worst = deviation(pair, result, result.steps, end.state, end.acceleration);
    EXPECT_LT(worst.r.maxCoeff(), 1e-10);
    EXPECT_LT(worst.v.maxCoeff(), 1e-9);
    EXPECT_LT(worst.a.maxCoeff(), 1e-8 * (1.0 + end.acceleration.cwiseAbs().maxCoeff()));
  }
}

// The tables of tests/support/methods.hpp leave nothing out; a driven mechanism has tests of its
// own.
TEST(Methods, AreAllTested) {
  for (const FormulationTraits& traits : formulations()) {
    const std::string name(traits.name);
    const auto& all = tested_formulations();
    const bool tested = std::any_of(all.begin(), all.end(),
                                    [&](const TestedFormulation& f) { return f.name == name; });
    EXPECT_TRUE(tested || name == "kinematic") << name;
  }
  for (const std::string_view name : keys::integrators)
    EXPECT_NO_THROW(tested_integrator(std::string(name)));
}

}  // namespace
}  // namespace gradus::test
