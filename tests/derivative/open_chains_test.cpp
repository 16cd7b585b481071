// Whole-run gradients of open chains and trees, every number of the model being a parameter.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

Model with_reference(Model model, const char* reference) {
  model.analysis.reference = reference;
  return model;
}

TEST(OpenChain, SkewChainAtCentresOfMass) {
  expect_exact_gradient(parametrise_all(with_reference(skew_chain(), "rtdyn0")));
}

TEST(OpenChain, SkewChainAtTheOrigin) {
  expect_exact_gradient(parametrise_all(with_reference(skew_chain(), "rtdyn1")));
}

TEST(OpenChain, BranchedTreeAtCentresOfMass) {
  expect_exact_gradient(parametrise_all(with_reference(branched_tree(), "rtdyn0")));
}

TEST(OpenChain, BranchedTreeAtTheOrigin) {
  expect_exact_gradient(parametrise_all(with_reference(branched_tree(), "rtdyn1")));
}

// The carriages never turn.
const std::vector<std::string> kNeverTurn{"inertia x", "inertia y", "inertia z",
                                          "com x",     "com y",     "com z"};

TEST(OpenChain, LongArmedGantry) {
  expect_exact_gradient(parametrise_all(long_armed_gantry(), kNeverTurn));
}

TEST(OpenChain, CoarseAndFineSteps) {
  for (const double step : {5e-2, 2e-3}) {
    Model model = parametrise(skew_chain(), [](const std::string& path) {
      return path == "mass b2" || path == "com b3.y" || path == "point b1.tip.z" ||
             path == "axis j3.x" || path == "child_axis j2.y" || path == "velocity j4" ||
             path == "damping s1" || path == "gravity.z";
    });
    model.analysis.step = step;
    model.analysis.duration = 0.4;
    expect_exact_gradient(model);
  }
}

}  // namespace
}  // namespace gradus::derivative
