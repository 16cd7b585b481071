// Continuous adjoints: they discretise other equations than the motion does, so that they agree
// with the exact gradient of the steps only as these shrink, at the order of the trapezoidal rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

struct Case {
  std::string name, formulation, integrator, mechanism;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

Model mechanism(const std::string& name) {
  if (name == "loop") return general_loop(JointType::revolute);
  if (name == "spherical loop") return closed_by(JointType::spherical);
  if (name == "guided loop") return guided_loop();
  return name == "tree" ? every_force() : skew_chain();
}

// Largest deviation from the exact gradient of steps so short that only the adjoint's error counts.
double deviation(const Case& c, double step, std::vector<double>* rows = nullptr) {
  Model model = parametrise_all(mechanism(c.mechanism));
  model.analysis.formulation = c.formulation;
  model.analysis.integrator = c.integrator;
  if (c.formulation == "index1") model.analysis.stabilisation = "baumgarte";
  model.analysis.penalty = 1e7;
  model.analysis.duration = 0.1;
  model.analysis.step = step;
  const Result direct = run_gradient(model, "direct");
  const Result adjoint = run_gradient(model, "continuous-adjoint");
  const std::size_t parameters = direct.parameters.size();
  if (rows != nullptr)
    for (std::size_t o = 0; o < direct.objectives.size(); ++o) {
      const auto row = [&](const std::vector<double>& all) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(o * parameters);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(parameters));
      };
      rows->push_back(largest_deviation(row(direct.gradient), row(adjoint.gradient), parameters));
    }
  return largest_deviation(direct.gradient, adjoint.gradient, parameters);
}

std::string label(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class ContinuousAdjoint : public testing::TestWithParam<Case> {};

TEST_P(ContinuousAdjoint, ConvergesAtSecondOrder) {
  std::vector<double> coarse;
  std::vector<double> fine;
  deviation(GetParam(), 2e-3, &coarse);
  deviation(GetParam(), 5e-4, &fine);
  ASSERT_EQ(coarse.size(), fine.size());
  for (std::size_t o = 0; o < coarse.size(); ++o) {
    // A factor of 16 for the whole; what is lost in round-off needs no order.
    EXPECT_LT(fine[o], std::max(coarse[o] / 8.0, 1e-9)) << "objective " << o << " " << coarse[o];
    EXPECT_LT(fine[o], 1e-3) << "objective " << o;
    EXPECT_GT(coarse[o], 1e-9) << "objective " << o << ": no error, the test would prove nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formulations, ContinuousAdjoint,
    testing::Values(Case{"MatrixRNewmark", "matrix-r", "newmark", "loop"},
                    Case{"MatrixRRungeKutta", "matrix-r", "rk4", "spherical loop"},
                    Case{"MatrixRDriven", "matrix-r", "newmark", "guided loop"},
                    Case{"PenaltyNewmark", "penalty", "newmark", "loop"},
                    Case{"Index1Baumgarte", "index1", "trapezoidal", "loop"},
                    Case{"SemiRecursive", "semi-recursive", "newmark", "tree"},
                    Case{"FullyRecursive", "fully-recursive", "rk4", "tree"},
                    Case{"Ali3pLoop", "ali3p", "newmark", "loop"},
                    Case{"Ali3pSphericalLoop", "ali3p", "newmark", "spherical loop"},
                    Case{"Ali3pDriven", "ali3p", "newmark", "guided loop"},
                    Case{"Ali3pTree", "ali3p", "newmark", "tree"}),
    label);

TEST(ContinuousAdjointErrors, SayWhatIsMissing) {
  const auto message = [](Model model, std::size_t memory) -> std::string {
    Options options;
    options.backend = "cpu:1";
    options.method = "continuous-adjoint";
    options.memory = memory;
    try {
      gradient(model, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  Model model = parametrise_all(skew_chain());
  model.analysis.duration = 0.02;
  EXPECT_NE(message(model, 100).find("keeps all steps"), std::string::npos);
  Model other = model;
  other.objectives.push_back({"soon", ObjectiveKind::value, "q", "", "", {}, {0.01}});
  EXPECT_NE(message(other, 0).find("\"soon@0.01\": no continuous adjoint (it is a value"),
            std::string::npos)
      << message(other, 0);
  other = model;
  other.sensors.push_back({"push", "reaction_force", "j3"});
  other.objectives.push_back({"load", ObjectiveKind::integral, "push.y", "", ""});
  EXPECT_NE(message(other, 0).find("\"load\": no continuous adjoint (it depends on the sensor"),
            std::string::npos)
      << message(other, 0);
  model.analysis.integrator = "generalised-alpha";
  EXPECT_NE(message(model, 0).find("use newmark"), std::string::npos);
  model.analysis.formulation = "semi-recursive";
  model.analysis.integrator = "dop853";
  EXPECT_NE(message(model, 0).find("fixed steps"), std::string::npos);
  model = parametrise_all(driven_loop());
  model.analysis.formulation = "kinematic";
  EXPECT_NE(message(model, 0).find("no differential equation"), std::string::npos);
}

}  // namespace
}  // namespace gradus::derivative
