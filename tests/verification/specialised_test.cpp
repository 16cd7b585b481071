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
  static std::vector<double> run(const MotionRequest& request, std::size_t lessons, int lanes,
                                 std::size_t* programmed = nullptr, std::size_t* missed = nullptr) {
    SpecialisedChunk chunk(request, lessons, lanes);
    RecordedDesign& design = chunk.design();
    for (int p = 0; p < design.plan().parameter_count; ++p)
      for (int lane = 0; lane < lanes; ++lane)
        design.memory()[static_cast<std::size_t>((design.layout().parameter + p) * lanes + lane)] *=
            1.0 + 0.004 * lane;
    const Formulation formulation = request.formulation->make(design.layout(), design.settings());
    std::vector<double> seen;
    run_time_loop(request, formulation, chunk, [&](std::size_t, const Instant&) {
      seen.insert(seen.end(), design.memory().begin(),
                  design.memory().begin() + design.layout().size * lanes);
      return true;
    });
    EXPECT_EQ(design.status(), kernels::Status::ok);
    if (programmed != nullptr) *programmed = chunk.programmed_steps();
    if (missed != nullptr) *missed = chunk.missed_steps();
    return seen;
  }

  // Returns how many steps were undone.
  static std::size_t expect_same(const Model& model, Sensitivity sensitivity, std::size_t steps,
                                 std::size_t lessons, int lanes = 1) {
    const Plan plan = build_plan(model, Reference::rtdyn0);
    const MotionRequest request = steps_by_ali3p(plan, model.analysis.step, steps, sensitivity);
    std::size_t programmed = 0, missed = 0;
    EXPECT_TRUE(run(request, lessons, lanes, &programmed, &missed) == run(request, 0, lanes));
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

// After few lessons steps come to ways that were not recorded, and are undone.
TEST_F(SpecialisedMotion, HasThemWhereStepsAreUndone) {
  const Model model = read_model(source_path("models/slider-crank/slider-crank.json"));
  EXPECT_GT(expect_same(model, Sensitivity::direct, 1200, 30), 10u);
}

// Designs that differ, each with the numbers that it has among others that go by general kernels.
TEST_F(SpecialisedMotion, HasThemInLanes) {
  const Model five_bar = read_model(source_path("models/five-bar/five-bar.json"));
  const Model slider_crank = read_model(source_path("models/slider-crank/slider-crank.json"));
  for (const kernels::Translation& translation : kernels::translations()) {
    if (translation.packs == nullptr) continue;
    SCOPED_TRACE(translation.name);
    expect_same(five_bar, Sensitivity::direct, 300, 150, translation.lanes);
    expect_same(slider_crank, Sensitivity::direct, 600, 200, translation.lanes);
    expect_same(slider_crank, Sensitivity::none, 600, 200, translation.lanes);
  }
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
