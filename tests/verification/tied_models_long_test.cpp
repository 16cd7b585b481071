// The same as tied_models_test.cpp for 1600 models.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/verification/tied_runs.hpp"

namespace gradus::test {
namespace {

TEST(TiedModelsLong, AreRightOrFail) {
  const TiedCount count = run_tied_models(0, 1600, 3);
  std::cout << to_string(count);
  EXPECT_TRUE(count.wrong.empty());
  EXPECT_EQ(count.false_alarms, 0);
}

}  // namespace
}  // namespace gradus::test
