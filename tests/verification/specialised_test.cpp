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
  // The memory of a motion whenever it may be looked at; its program is made after so many steps,
  // never after 0.
  static std::vector<double> run(const MotionRequest& request, std::size_t lessons,
                                 kernels::KernelId divide, std::size_t* programmed = nullptr,
                                 std::size_t* missed = nullptr) {
    SpecialisedChunk chunk(request, lessons, divide);
    const RecordedDesign& design = chunk.design();
    const Formulation formulation = request.formulation->make(design.layout(), design.settings());
    std::vector<double> seen;
    run_time_loop(request, formulation, chunk, [&](std::size_t, const Instant&) {
      seen.insert(seen.end(), design.memory().begin(), design.memory().end());
      return true;
    });
    EXPECT_EQ(design.status(), kernels::Status::ok);
    if (programmed != nullptr) *programmed = chunk.programmed_steps();
    if (missed != nullptr) *missed = chunk.missed_steps();
    return seen;
  }

  // Returns how many steps were undone.
  static std::size_t expect_same(const Model& model, Sensitivity sensitivity, std::size_t steps,
                                 std::size_t lessons,
                                 kernels::KernelId divide = kernels::KernelId::solve_position) {
    const Plan plan = build_plan(model, Reference::rtdyn0);
    const MotionRequest request = steps_by_ali3p(plan, model.analysis.step, steps, sensitivity);
    std::size_t programmed = 0, missed = 0;
    EXPECT_TRUE(run(request, lessons, divide, &programmed, &missed) == run(request, 0, divide));
    EXPECT_GT(programmed, (steps - lessons) / 4) << "missed " << missed;
    return missed;
  }
};

// Among them an objective whose value is taken where a step ends that is done by a program if its
// like are.
TEST_F(SpecialisedMotion, HasTheNumbersOfGeneralKernels) {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  Objective late = model.objectives.front();
  late.name = "late";
  late.kind = ObjectiveKind::value;
  late.at = {300 * model.analysis.step};
  model.objectives.push_back(late);
  expect_same(model, Sensitivity::direct, 350, 150);
  expect_same(model, Sensitivity::none, 350, 150);
}

// After few lessons steps come to ways that were not recorded, and are undone; with the iteration
// in the second part when the first is done.
TEST_F(SpecialisedMotion, HasThemWhereStepsAreUndone) {
  const Model model = read_model(source_path("models/slider-crank/slider-crank.json"));
  for (const kernels::KernelId divide :
       {kernels::KernelId::solve_position, kernels::KernelId::predict})
    EXPECT_GT(expect_same(model, Sensitivity::direct, 1200, 30, divide), 10u);
}

TEST_F(SpecialisedMotion, IsRefusedWhereInstantsAreLookedFor) {
  Model model = derivative::tilted_four_bar();
  const auto refused = [&](ObjectiveKind kind) {
    model.objectives.front().kind = kind;
    const Plan plan = build_plan(model, Reference::rtdyn0);
    return !has_step_programs(steps_by_ali3p(plan, 1e-3, 10, Sensitivity::direct));
  };
  EXPECT_FALSE(refused(ObjectiveKind::integral));
  EXPECT_TRUE(refused(ObjectiveKind::maximum));
}

}  // namespace
}  // namespace gradus::specialise
