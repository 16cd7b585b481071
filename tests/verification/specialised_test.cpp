// Motions by programs made for their mechanism: the numbers of general kernels.
#include "src/specialise/specialised_chunk.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/plan/plan.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::specialise {
namespace {

struct SpecialisedMotion : testing::Test {
  // A motion whose program is made after so many steps, and what it leaves; 0: of general kernels.
  static std::vector<double> run(const MotionRequest& request, std::size_t lessons,
                                 std::size_t* programmed = nullptr, std::size_t* missed = nullptr) {
    SpecialisedChunk chunk(request, lessons);
    const Formulation formulation =
        request.formulation->make(chunk.design().layout(), chunk.design().settings());
    run_time_loop(request, formulation, chunk, [](std::size_t, const Instant&) { return true; });
    EXPECT_EQ(chunk.design().status(), kernels::Status::ok);
    if (programmed != nullptr) *programmed = chunk.programmed_steps();
    if (missed != nullptr) *missed = chunk.missed_steps();
    std::vector<double> carried;
    for (const Span& span : carried_between_steps(chunk.design().layout(), chunk.design().plan()))
      for (int k = 0; k < span.count; ++k)
        carried.push_back(chunk.design().memory()[static_cast<std::size_t>(span.begin + k)]);
    return carried;
  }

  static MotionRequest request_of(const Plan& plan, double step, std::size_t steps,
                                  Sensitivity sensitivity) {
    MotionRequest request;
    request.plan = &plan;
    request.formulation = &formulation_traits("ali3p");
    request.step = step;
    request.steps = steps;
    request.sensitivity = sensitivity;
    return request;
  }

  static void expect_same(const Model& model, std::size_t steps, std::size_t lessons) {
    const Plan plan = build_plan(model, Reference::rtdyn0);
    for (const Sensitivity sensitivity : {Sensitivity::none, Sensitivity::direct}) {
      const MotionRequest request = request_of(plan, model.analysis.step, steps, sensitivity);
      std::size_t programmed = 0, missed = 0;
      const std::vector<double> special = run(request, lessons, &programmed, &missed);
      EXPECT_EQ(special, run(request, 0)) << model.name;
      EXPECT_GT(programmed, (steps - lessons) / 2) << model.name << ", missed " << missed;
    }
  }
};

TEST_F(SpecialisedMotion, HasTheNumbersOfGeneralKernels) {
  expect_same(read_model(source_path("models/five-bar/five-bar.json")), 600, 300);
}

// After few lessons steps come to ways that were not recorded, and are undone.
TEST_F(SpecialisedMotion, HasThemWhereStepsAreUndone) {
  const Model model = read_model(source_path("models/slider-crank/slider-crank.json"));
  const Plan plan = build_plan(model, Reference::rtdyn0);
  const MotionRequest request = request_of(plan, model.analysis.step, 1200, Sensitivity::direct);
  std::size_t programmed = 0, missed = 0;
  EXPECT_EQ(run(request, 30, &programmed, &missed), run(request, 0));
  EXPECT_GT(programmed, 100u);
  EXPECT_GT(missed, 10u);
}

}  // namespace
}  // namespace gradus::specialise
