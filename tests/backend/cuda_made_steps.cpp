// Steps on a GPU by kernels made for the mechanism, beside general ones on the CPU.
#include <vector>

#include "tests/backend/five_bar.hpp"
#include "tests/backend/gpu.hpp"
#include "tests/backend/made_steps.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::test {
namespace {

class CudaMadeSteps : public NeedsGpu {
 protected:
  static void expect_them(const Model& model, Options options, bool with_columns, int percent) {
    options.formulation = "ali3p";
    options.backend = "cpu";
    const Result host = with_columns ? gradient(model, options) : simulate(model, options);
    options.backend = "cuda";
    const MadeRun made = run_made(model, options, with_columns);
    EXPECT_EQ(made.result.backend, "cuda:0");
    EXPECT_GE(made.percent, percent) << made.log;
    expect_agreement(made.result, host);
  }
};

TEST_F(CudaMadeSteps, HaveTheNumbersOfTheHost) {
  Options options = short_run("cuda", 300);
  options.method = "direct";
  options.duration = 0.3;
  expect_them(with_values({0.15, 0.2}), options, true, 90);
  expect_them(five_bar(), options, false, 90);
}

TEST_F(CudaMadeSteps, HaveThemInEveryKindOfMechanism) {
  for (const Model& model :
       {derivative::branched_tree(), derivative::driven_loop(), derivative::bennett_linkage()}) {
    SCOPED_TRACE(model.name);
    Options options;
    options.method = "direct";
    options.designs.count = 5;
    options.designs.spread = 1e-4;
    options.duration = 60 * model.analysis.step;
    expect_them(model, options, true, 80);
  }
}

}  // namespace
}  // namespace gradus::test
