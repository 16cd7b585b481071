// Evaluations by programs made for their mechanism: the numbers of general kernels, whatever the
// formulation, the integrator and the sensitivities.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

Model five_bar() {
  return read_model(source_path("models/five-bar/five-bar.json"));
}
Model slider_crank() {
  return read_model(source_path("models/slider-crank/slider-crank-spring.json"));
}
Model chain() {
  return derivative::parametrise_all(derivative::skew_chain());
}

struct Case {
  Model (*model)();
  const char* formulation;
  const char* integrator;
  Sensitivity sensitivity;
  double duration;    // s
  double rtol = 0.0;  // 0: steps of fixed length
  double step = 1e-3;
  std::size_t designs = 1;
  bool is_optimised = false;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.formulation << ", " << c.integrator;
}

struct EvaluationPrograms : testing::TestWithParam<Case> {};

TEST_P(EvaluationPrograms, HaveTheNumbersOfGeneralKernels) {
  const Case& c = GetParam();
  std::optional<QuickCompiler> quick;
  if (!c.is_optimised) quick.emplace();
  Options options;
  options.formulation = c.formulation;
  options.integrator = c.integrator;
  options.duration = c.duration;
  options.step = c.step;
  if (c.rtol > 0.0) options.rtol = c.rtol;
  options.lanes = c.designs > 1 ? possible_lanes().back() : 1;
  expect_same_numbers(c.model(), options, c.sensitivity, c.designs, 3);
}

constexpr Sensitivity none = Sensitivity::none;
constexpr Sensitivity direct = Sensitivity::direct;
constexpr Sensitivity adjoint = Sensitivity::adjoint;

INSTANTIATE_TEST_SUITE_P(
    Methods, EvaluationPrograms,
    testing::Values(Case{five_bar, "index1", "dop853", direct, 2.0, 1e-6, 1e-3, 1, true},
                    Case{five_bar, "index1", "radau5", direct, 1.0, 1e-6},
                    Case{five_bar, "index1", "rk4", direct, 0.1, 0.0, 1e-3, 11},
                    Case{slider_crank, "matrix-r", "dopri5", adjoint, 1.0, 1e-6},
                    Case{slider_crank, "penalty", "rk4", none, 0.1, 0.0, 1e-3, 11, true},
                    Case{slider_crank, "index1", "newmark", adjoint, 0.1},
                    Case{chain, "fully-recursive", "dopri5", none, 1.0, 1e-6},
                    Case{chain, "semi-recursive", "rodas5p", none, 1.0, 1e-6},
                    Case{derivative::of_everything, "semi-recursive", "dop853", direct, 0.05, 1e-6},
                    Case{derivative::led_by_states, "index1", "dopri5", direct, 0.5, 1e-6}));

}  // namespace
}  // namespace gradus::specialise
