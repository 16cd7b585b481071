// First-order states in a mechanism with loops, by every method: their gradients, and the same bits
// wherever they run.
#include <gtest/gtest.h>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

// A drive with integral action and a filter in a mechanism with a loop.
Model controlled_loop() {
  Model m = guided_loop();
  m.states = {{"wound", "0.3 - q - 0.1*filtered", "0.2*depth"},
              {"filtered", "(qd - filtered)*beat", 0.05}};
  force_of(m, "servo")["value"] = "-0.7*filtered + depth*cos(t) + 1.3*wound";
  m.objectives.push_back({"states", ObjectiveKind::integral, "wound^2 + filtered*q", "", ""});
  m.objectives.push_back({"last", ObjectiveKind::terminal, "wound + 2*filtered", "", ""});
  m.analysis.duration = 0.012;
  m.analysis.step = 0.002;
  return m;
}

class StatesOf : public testing::TestWithParam<test::Method> {};

TEST_P(StatesOf, HaveExactGradients) {
  Model m = controlled_loop();
  GetParam().use_closely_in(m);
  expect_exact_gradient(m, tolerances_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, StatesOf, testing::ValuesIn(test::methods_that_hold_loops()),
                         [](const auto& method) { return method.param.label(); });

TEST(StatesOfALoop, HaveTheSameBitsInLanesAndOnDevices) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Options options;
    options.method = "direct";
    options.designs.count = 11;
    options.designs.spread = 0.05;
    options.formulation = formulation;
    expect_same_bits_everywhere(controlled_loop(), options);
  }
}

}  // namespace
}  // namespace gradus::derivative
