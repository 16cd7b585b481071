// None of many models that are tied once too often, or come to singular configurations, ends well
// with wrong numbers, and those whose constraints agree run.
#include <gtest/gtest.h>

#include "tests/verification/tied_runs.hpp"

namespace gradus::test {
namespace {

TEST(TiedModels, AreRightOrFail) {
  const TiedCount count = run_tied_models(96, 160, 3);
  EXPECT_TRUE(count.wrong.empty()) << to_string(count);
  EXPECT_EQ(count.false_alarms, 0) << to_string(count);
  EXPECT_GT(count.right, count.runs / 4);
  EXPECT_GT(count.failed, count.runs / 4);
}

}  // namespace
}  // namespace gradus::test
