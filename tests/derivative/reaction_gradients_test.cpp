// Whole-run gradients of objectives that depend on reactions, of joints and of loops: every
// formulation and integrator, joint, force and projection.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "src/model/spanning_tree.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

using test::Method;

JointType type_of(const Model& model, const std::string& name) {
  for (const auto* joints : {&model.joints, &model.loops})
    for (const Joint& joint : *joints)
      if (joint.name == name) return joint.type;
  throw InputError("no joint " + name);
}

// In place of the objectives: integrals of the force and, where there can be one, of the moment of
// every joint listed, and the values of both at the end, other sensors among them.
Model with_reactions(Model model, const std::vector<std::string>& joints) {
  model.objectives.clear();
  const auto add = [&](const std::string& name, ObjectiveKind kind, const std::string& expression) {
    model.objectives.push_back({name, kind, expression, "", ""});
  };
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::string force = "force_" + std::to_string(k);
    const std::string moment = "moment_" + std::to_string(k);
    model.sensors.push_back({force, "reaction_force", joints[k]});
    model.sensors.push_back({moment, "reaction_moment", joints[k]});
    add("force of " + joints[k], ObjectiveKind::integral,
        "dot(" + force + ", " + force + ")*(1 + t) + " + force + ".y*q");
    if (type_of(model, joints[k]) != JointType::spherical)
      add("moment of " + joints[k], ObjectiveKind::integral,
          "dot(" + moment + ", [0.4, -1, 0.7]) + dot(" + moment + ", " + moment + ")");
    add("end of " + joints[k], ObjectiveKind::terminal,
        "dot(" + force + ", [1, -0.6, 0.8]) + dot(" + moment + ", [-2, 3, 1]) + qdd");
  }
  return model;
}

// A few numbers of every kind: bodies, joint frames in the tree and of the cut joint, points,
// springs, gravity and starts.
Model with_some_parameters(const Model& model) {
  static const std::vector<std::string> some{
      "mass ball",        "com rod.y",  "inertia plate.xy",   "point raft.tip.x", "axis sleeve.x",
      "child_axis pin.y", "axis cut.x", "point ground.end.y", "stiffness s1",     "damping s2",
      "length s3",        "gravity.y",  "position socket.1",  "velocity socket.2"};
  return parametrise(model, [](const std::string& path) {
    return std::find(some.begin(), some.end(), path) != some.end();
  });
}

Model briefly(Model model, double step, int steps) {
  model.analysis.step = step;
  model.analysis.duration = steps * step;
  return model;
}

Model in_use(Model model, const Method& method) {
  method.use_closely_in(model);
  return briefly(std::move(model), 0.02 / 6, 6);
}

class ReactionsOfFormulation : public testing::TestWithParam<Method> {};

TEST_P(ReactionsOfFormulation, HaveExactGradients) {
  const Method& method = GetParam();
  const Model model = method.formulation.loops
                          ? with_reactions(closed_by(JointType::revolute), {"sleeve", "pin", "cut"})
                          : with_reactions(every_joint(), {"cross", "sleeve", "table"});
  expect_exact_gradient(in_use(with_some_parameters(model), method), tolerances_of(method));
}

INSTANTIATE_TEST_SUITE_P(Methods, ReactionsOfFormulation,
                         testing::ValuesIn(test::tested_methods(false)),
                         [](const auto& method) { return method.param.label(); });

const std::vector<std::string> kChain{"sea",  "cross", "socket", "sleeve", "table",
                                      "weld", "eye",   "pin",    "cut"};

class ReactionsOfCutJoint : public testing::TestWithParam<JointType> {};

// Reactions of every joint of a chain that a joint of every kind closes.
TEST_P(ReactionsOfCutJoint, HaveExactGradients) {
  const Model model = with_reactions(closed_by(GetParam()), kChain);
  expect_exact_gradient(briefly(with_some_parameters(model), 0.004, 5));
}

INSTANTIATE_TEST_SUITE_P(EveryKind, ReactionsOfCutJoint,
                         testing::Values(JointType::revolute, JointType::prismatic,
                                         JointType::cardan, JointType::cylindrical,
                                         JointType::spherical, JointType::planar,
                                         JointType::fixed));

// Every number of the tree with forces of every kind.
TEST(Reactions, AmongForcesOfEveryKind) {
  const Model model =
      with_reactions(every_force(), {"cross", "socket", "sleeve", "table", "weld", "eye", "pin"});
  Tolerances t;
  t.smallest_entry = 1e-12;  // of what is only felt elsewhere in the tree
  expect_exact_gradient(briefly(parametrise_all(model), 0.004, 3), t);
}

// Laws that hold between the bodies of two loops. Some numbers are hardly felt there.
TEST(Reactions, AmongConstraints) {
  Tolerances t;
  t.dual = 1e-11;
  t.smallest_entry = 1e-10;
  expect_exact_gradient(
      briefly(parametrise_all(with_reactions(guided_loop(), {"j1", "j4", "k3"}),
                              {"zero j4", "inertia", "com", "stiffness s2", "damping s2"}),
              0.004, 4),
      t);
}

TEST(Reactions, OfPrescribedMotion) {
  Model model =
      parametrise(with_reactions(driven_loop(), {"j1", "j3"}), [](const std::string& path) {
        return path.rfind("mass", 0) == 0 || path.rfind("axis", 0) == 0 || path == "gravity.y" ||
               path.rfind("stiffness", 0) == 0;
      });
  model.analysis.formulation = "kinematic";
  expect_exact_gradient(briefly(model, 0.01, 5));
}

// A driver that comes to rest at the end of a step: the position of the next is known at once, its
// multipliers are those of the step before until they have been solved for.
TEST(Reactions, OfDriversThatComeToRest) {
  const Model model = parse_model(R"json({
    "schema": "gradus-model/1", "name": "rest",
    "parameters": { "L": 0.5, "a": 0.3, "D": 0.6 },
    "ground": { "points": { "B": ["D", 0, 0] } },
    "bodies": {
      "crank": { "mass": 1, "com": [0.1, 0, 0], "inertia": { "xx": 0.001, "yy": 0.01, "zz": 0.01 }, "points": { "tip": ["L*0.4", 0, 0] } },
      "coupler": { "mass": 0.5, "com": [0.3, 0, 0], "inertia": { "xx": 0.001, "yy": 0.01, "zz": 0.01 }, "points": { "tip": [0.6, 0, 0] } }
    },
    "joints": {
      "A": { "type": "revolute", "parent": "ground", "child": "crank", "initial": { "position": { "guess": 1 } } },
      "1": { "type": "revolute", "parent": "crank.tip", "child": "coupler", "initial": { "position": { "guess": -0.5 } } }
    },
    "constraints": {
      "drive": { "coordinate": "A", "value": "1 + spline(t, [0, 0.1, 0.2], [0, 0.1, a], 'clamped', 'hold')" },
      "rod": { "distance": ["ground.B", "coupler.tip"], "value": 0.5 }
    },
    "sensors": { "torque": { "constraint_force": "drive" } },
    "objectives": { "torque": { "value": "torque", "at": [0.19, 0.2, 0.21, 0.22] }, "effort": { "integral": "torque^2" } },
    "analysis": { "duration": 0.3, "step": 0.01 }
  })json",
                                  "rest");
  const Result direct = run_gradient(model, "direct");
  for (const char* method : {"adjoint", "dual"}) {
    const Result other = run_gradient(model, method);
    for (std::size_t k = 0; k < direct.gradient.size(); ++k)
      EXPECT_NEAR(direct.gradient[k], other.gradient[k],
                  1e-11 * (1.0 + std::abs(other.gradient[k])))
          << method << ", " << k;
  }
}

// Joints that the tree follows from their child to their parent: moments are then taken about a
// point of the body that the reaction does not act on. Both reference points of the bodies.
TEST(Reactions, OfReversedJoints) {
  for (const char* reference : {"rtdyn0", "rtdyn1"}) {
    Model model = skew_chain();
    for (const std::size_t k : {1U, 2U}) {
      Joint& joint = model.joints[k];
      std::swap(joint.parent, joint.child);
      std::swap(joint.axis, joint.child_axis);
    }
    model.analysis.reference = reference;
    expect_exact_gradient(
        briefly(parametrise_all(with_reactions(model, {"j1", "j2", "j3", "j4"})), 0.01, 4));
  }
}

// In the plane, where three of six equations say nothing new: wherever the loop is cut, its joints
// carry the same and answer alike.
TEST(Reactions, DoNotDependOnTheCut) {
  std::vector<Result> results;
  for (const int cut : {1, 2, 3}) {
    Model model = four_bar(cut);
    model.objectives.clear();
    for (const std::string joint : {"A", "1", "2", "B"}) {
      model.sensors.push_back({"force_" + joint, "reaction_force", joint});
      const std::string f = "force_" + joint;
      model.objectives.push_back({f, ObjectiveKind::integral,
                                  f + ".x^2*(1 + t) + 2*" + f + ".y^2 + " + f + ".x*" + f + ".y",
                                  "", ""});
    }
    model = briefly(parametrise(model,
                                [](const std::string& path) {
                                  return path.rfind("mass", 0) == 0 || path == "gravity.y" ||
                                         path == "stiffness s1" || path == "point crank.tip.x";
                                }),
                    0.004, 10);
    model.analysis.formulation = "index1";
    model.analysis.rtol = 1e-11;
    model.analysis.atol = 1e-12;
    expect_exact_gradient(model);
    results.push_back(run_gradient(model, "direct"));
  }
  for (const Result& r : results) {
    ASSERT_EQ(r.parameters.size(), results[0].parameters.size());
    EXPECT_LT(largest_deviation(results[0].gradient, r.gradient, r.parameters.size()), 1e-9);
  }
}

// Steps that are taken once more on the way back.
TEST(Reactions, WithinABudgetOfMemory) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Model model =
        with_some_parameters(with_reactions(closed_by(JointType::revolute), {"sleeve", "cut"}));
    model = briefly(model, 1e-4, 500);  // more steps than fit
    model.analysis.formulation = formulation;
    if (formulation == std::string("index1")) model.analysis.integrator = "rk4";
    Options budget;
    budget.memory = 300000;
    const Result kept = run_gradient(model, "adjoint");
    const Result taken_again = run_gradient(model, "adjoint", budget);
    EXPECT_GT(taken_again.recomputation, 0.0);
    EXPECT_EQ(kept.gradient, taken_again.gradient);
  }
}

Model some_loop() {
  return briefly(
      with_some_parameters(with_reactions(closed_by(JointType::cylindrical), {"sleeve", "cut"})),
      0.01, 4);
}

TEST(Reactions, WithProjectionsByPenalty) {
  for (const double penalty : {1e4, 1e9}) {
    Model model = some_loop();
    model.analysis.projections = "penalty";
    model.analysis.penalty = penalty;
    expect_exact_gradient(model);
  }
}

// A joint puts on its child what its parent would feel with the other sign, whichever of the two
// the tree reaches first.
TEST(Reactions, AreThoseOnTheChildThatTheModelNames) {
  Model model = skew_chain();
  model.objectives.clear();
  model.sensors = {{"force", "reaction_force", "j3"}, {"moment", "reaction_moment", "j3"}};
  for (const char* sum : {"dot(force, [1, -0.6, 0.8])", "dot(moment, [-2, 3, 1])"})
    model.objectives.push_back({sum, ObjectiveKind::integral, sum, "", ""});
  model = briefly(with_some_parameters(model), 1e-2, 5);
  Model other = model;
  other.joints[2] = reversed(model.joints[2]);
  const Result on_child = run_gradient(model, "direct");
  Result on_parent = run_gradient(other, "direct");
  ASSERT_EQ(on_child.parameters.size(), on_parent.parameters.size());
  for (double& x : on_parent.gradient) x = -x;
  EXPECT_LT(largest_deviation(on_parent.gradient, on_child.gradient, on_child.parameters.size()),
            1e-9);
  ASSERT_EQ(on_child.final_sensors.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(on_parent.final_sensors[k], -on_child.final_sensors[k], 1e-9);
}

// Nothing takes away what round-off leaves of the constraints in the accelerations, by 1/h^2, and
// forces answer to it.
TEST(Reactions, WithoutProjections) {
  Model model = some_loop();
  model.analysis.projections = "none";
  model.analysis.integrator = "generalised-alpha";
  Tolerances t;
  t.dual = 1e-9;
  expect_exact_gradient(model, t);
}

// Some steps project, others do not.
TEST(Reactions, WithProjectionsOnCondition) {
  for (const char* projections : {"exact", "penalty"}) {
    Model model = some_loop();
    model.analysis.projections = "none";
    model.analysis.integrator = "generalised-alpha";
    const Result drifting = run_gradient(model, "direct");
    model.analysis.projections = projections;
    model.analysis.penalty = 1e5;
    model.analysis.projection_tolerance =
        0.3 * *std::max_element(drifting.constraint_violation.begin(),
                                drifting.constraint_violation.end());
    Tolerances t;
    t.dual = 1e-9;
    expect_exact_gradient(model, t);
  }
}

}  // namespace
}  // namespace gradus::derivative
