// The verb `check` on random mechanisms: no false alarm, and every fault that is put into a
// gradient found.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/verification/check_trials.hpp"

namespace gradus::test {
namespace {

TEST(CheckLong, ThreeHundredMechanismsWithoutFalseAlarm) {
  Tally tally;
  for (unsigned seed = 1; seed <= 300; ++seed) expect_no_alarm(seed, tally);
  std::cout << tally.derivatives << " derivatives of " << tally.mechanisms << " mechanisms, "
            << tally.zeros << " zero, " << tally.by_dual << " by dual numbers alone; steps of "
            << tally.inaccurate << " are too long\n";
  EXPECT_LE(tally.inaccurate, 3U);
  EXPECT_LE(tally.jumping, 3U);
  EXPECT_LT(tally.by_dual, tally.derivatives / 20);
}

TEST(CheckLong, AHundredFaultsAreFound) {
  for (unsigned seed = 1; seed <= 100; ++seed) expect_faults_found(seed);
}

}  // namespace
}  // namespace gradus::test
