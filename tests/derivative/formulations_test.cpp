// Whole-run gradients of every formulation with every integrator.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <tuple>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

using test::Method;

constexpr int kSteps = 6;

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

Model briefly(Model model, const Method& method) {
  method.use_closely_in(model);
  model.analysis.duration = 0.02;
  model.analysis.step = model.analysis.duration / kSteps;
  return model;
}

class FormulationGradient : public testing::TestWithParam<Method> {};

// A chain of every joint, spherical ones among them.
TEST_P(FormulationGradient, IsExact) {
  const Method& method = GetParam();
  const Model model = method.formulation.loops ? closed_by(JointType::revolute) : every_joint();
  expect_exact_gradient(briefly(with_some_parameters(model), method), tolerances_of(method));
}

INSTANTIATE_TEST_SUITE_P(Methods, FormulationGradient,
                         testing::ValuesIn(test::tested_methods(false)),
                         [](const auto& method) { return method.param.label(); });

const test::TestedFormulation& formulation_labelled(const std::string& label) {
  const auto& all = test::tested_formulations();
  return *std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.label == label; });
}

// Steps of its own, implicit stages, and constraints that are only stabilised.
std::vector<Method> methods_for_cut_joints() {
  return {{formulation_labelled("matrix_r"), test::tested_integrator("dop853")},
          {formulation_labelled("index1"), test::tested_integrator("radau5")},
          {formulation_labelled("index1_baumgarte"), test::tested_integrator("rk4")}};
}

struct NamedJoint {
  const char* name;
  JointType type;
};

void PrintTo(const NamedJoint& joint, std::ostream* out) {
  *out << joint.name;
}

class CutJointGradient : public testing::TestWithParam<std::tuple<Method, NamedJoint>> {};

TEST_P(CutJointGradient, IsExact) {
  const auto& [method, joint] = GetParam();
  expect_exact_gradient(briefly(with_some_parameters(closed_by(joint.type)), method),
                        tolerances_of(method));
}

std::string cut_label(const testing::TestParamInfo<CutJointGradient::ParamType>& info) {
  return std::get<0>(info.param).label() + "_" + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(
    EveryKind, CutJointGradient,
    testing::Combine(testing::ValuesIn(methods_for_cut_joints()),
                     testing::Values(NamedJoint{"revolute", JointType::revolute},
                                     NamedJoint{"prismatic", JointType::prismatic},
                                     NamedJoint{"cardan", JointType::cardan},
                                     NamedJoint{"cylindrical", JointType::cylindrical},
                                     NamedJoint{"spherical", JointType::spherical},
                                     NamedJoint{"planar", JointType::planar},
                                     NamedJoint{"fixed", JointType::fixed})),
    cut_label);

}  // namespace
}  // namespace gradus::derivative
