// Every launch of a motion with columns, recorded and played back: the bits of the general kernels.
#include "src/specialise/recorded_motion.hpp"

#include <gtest/gtest.h>

#include "gradus/model.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/random_forces.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::specialise {
namespace {

RecordedMotion recorded(const Model& model, double step, std::size_t steps) {
  const RecordedMotion motion = record_motion(build_plan(model, Reference::rtdyn0), step, steps);
  EXPECT_FALSE(motion.kernels.empty());
  for (const RecordedKernel& kernel : motion.kernels) {
    EXPECT_EQ(kernel.differences, 0u) << kernel.name;
    if (kernel.recordings < 32) {  // beyond, only the general kernels run
      EXPECT_EQ(kernel.launches, kernel.held + kernel.recordings) << kernel.name;
    }
  }
  return motion;
}

struct RecordedModel : testing::TestWithParam<const char*> {};

// What was recorded in earlier steps holds for most of the later ones.
TEST_P(RecordedModel, HoldsAndKeepsItsBits) {
  const Model model = read_model(source_path(std::string("models/") + GetParam()));
  const std::size_t steps = 80;
  std::size_t launches = 0, held = 0;
  for (const RecordedKernel& kernel : recorded(model, model.analysis.step, steps).kernels) {
    launches += kernel.launches;
    held += kernel.held;
  }
  EXPECT_GT(launches, 8 * steps);
  EXPECT_GT(static_cast<double>(held), 0.8 * static_cast<double>(launches));
}

INSTANTIATE_TEST_SUITE_P(Models, RecordedModel,
                         testing::Values("five-bar/five-bar.json",
                                         "slider-crank/slider-crank-spring.json",
                                         "stewart-platform/stewart-platform.json"));

TEST(RecordedMotion, EveryJointAndForceKeepsItsBits) {
  recorded(derivative::every_joint(), 1e-3, 12);
  recorded(derivative::every_force(), 1e-3, 12);
  recorded(derivative::skew_chain(), 1e-3, 12);
}

// Columns of everything that a parameter may change.
TEST(RecordedMotion, EveryPartialKeepsItsBits) {
  recorded(derivative::parametrise_all(derivative::skew_chain()), 1e-3, 6);
  recorded(derivative::parametrise_all(derivative::general_loop(JointType::revolute)), 1e-3, 4);
}

TEST(RecordedMotion, LoopsKeepTheirBits) {
  recorded(derivative::tilted_four_bar(), 1e-3, 12);
  recorded(derivative::two_four_bars(), 1e-3, 12);
  recorded(derivative::guided_loop(), 1e-3, 12);
  recorded(derivative::general_loop(JointType::revolute), 1e-3, 12);
  recorded(derivative::double_general_loop(), 1e-3, 12);
}

TEST(RecordedMotion, RandomTreesKeepTheirBits) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    recorded(test::random_tree_of_all_joints(seed, 3 + static_cast<int>(seed)).model, 1e-3, 8);
}

}  // namespace
}  // namespace gradus::specialise
