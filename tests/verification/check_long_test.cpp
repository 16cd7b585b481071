// The verb `check` on random mechanisms: no false alarm, and every fault that is put into a
// gradient found.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/verification/check_trials.hpp"

namespace gradus::test {
namespace {

TEST(CheckLong, MechanismsWithoutFalseAlarmAndFaultsFound) {
  Tally tally;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const CheckFindings findings = findings_of(seed);
    expect_no_alarm(seed, findings, tally);
    if (seed <= 40) expect_faults_found(seed, findings);
  }
  std::cout << tally.derivatives << " derivatives of " << tally.mechanisms << " mechanisms, "
            << tally.zeros << " zero, " << tally.by_dual << " by dual numbers alone; steps of "
            << tally.inaccurate << " are too long\n";
  EXPECT_LE(tally.inaccurate, 1U);
  EXPECT_LE(tally.jumping, 1U);
  EXPECT_LT(tally.by_dual, tally.derivatives / 20);
}

}  // namespace
}  // namespace gradus::test
