// What a check concludes, from arrays.
#include "src/sensitivity/evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gradus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One objective, of which all methods find the same entries.
Evidence evidence_of(const std::vector<double>& row, double noise = 1e-13,
                     double objective_noise = 1e-13) {
  Evidence e;
  e.objectives = {"psi"};
  for (std::size_t p = 0; p < row.size(); ++p) e.parameters.push_back("p" + std::to_string(p));
  e.parameter_values.assign(row.size(), 1.0);
  e.direct = e.adjoint = e.dual = e.refined = row;
  e.noise.assign(row.size(), noise);
  e.objective_values = {0.0};
  e.objective_noise = {objective_noise};
  for (const double step : {1e-4, 1e-5})
    e.differences.push_back({step, std::vector<double>(row.size(), 2.0 * step), row});
  return e;
}

CheckFindings findings_of(const Evidence& evidence) {
  return {{true, "it moves"}, "half the step", "", evidence};
}

TEST(Evidence, ASmallEntryBesideALargeOne) {
  Evidence e = evidence_of({1240.0, 0.002});
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::proved);
  for (const auto method : {&Evidence::direct, &Evidence::adjoint, &Evidence::dual}) {
    Evidence faulty = e;
    (faulty.*method)[1] *= 1.1;
    const std::vector<CheckLine> lines = judge(faulty);
    EXPECT_EQ(lines[0].verdict, CheckVerdict::proved);
    EXPECT_EQ(lines[1].verdict, CheckVerdict::wrong);
    const CheckReport report = conclude(findings_of(faulty));
    EXPECT_FALSE(report.passed);
    EXPECT_TRUE(report.accuracy.passed && report.model.passed);
    EXPECT_EQ(report.derivative.message,
              "1 of 2 derivatives agree; 1 wrong, the first that of \"psi\" by \"p1\"");
    e = evidence_of({1240.0, 0.002});
  }
}

// Of no account, and not known any better: zero. Of account: not proved.
TEST(Evidence, WhatRoundingHidesIsZeroIfItIsSmall) {
  Evidence e = evidence_of({1240.0, 1e-10}, 1e-12);
  e.noise[0] = 1e-13;
  e.parameter_values[1] = 100.0;
  e.dual[1] = 1.1e-10;
  e.differences[0].slopes[1] = 3e-9;
  e.differences[1].slopes[1] = 1e-8;
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::proved);
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::zero);
  e.parameter_values[1] = 1e9;
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::undetermined);
}

// Designs next to each other lie on either side of a kink, where the derivative jumps by more than
// its size: that is no zero beside an entry that stands out.
TEST(Evidence, WhatRoundingHidesIsNoZeroIfItMatters) {
  Evidence e = evidence_of({1.0, 0.02}, 1e-12);
  e.noise[1] = 0.03;
  e.differences[0].slopes[1] = e.differences[1].slopes[1] = 0.01;
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::proved);
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::undetermined);
  EXPECT_FALSE(conclude(findings_of(e)).derivative.passed);
  e.noise[1] = 0.002;
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::undetermined);
  e.noise[1] = 1e-5;
  e.direct[1] = e.adjoint[1] = e.dual[1] = 1e-4;
  e.differences[0].slopes[1] = e.differences[1].slopes[1] = 2e-4;
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::zero);
}

// The others cannot tell: they share the fault.
TEST(Evidence, DifferencesAloneFindAFault) {
  Evidence e = evidence_of({1240.0, 0.002});
  e.direct[1] = e.adjoint[1] = e.dual[1] = 0.0022;
  EXPECT_EQ(judge(e)[1].verdict, CheckVerdict::wrong);
}

TEST(Evidence, RowsOfZerosPass) {
  Evidence e = evidence_of({0.0, 0.0}, 0.0, 0.0);
  for (const CheckLine& line : judge(e)) EXPECT_EQ(line.verdict, CheckVerdict::zero);
  e = evidence_of({3e-17, -1e-18}, 2e-17, 1e-17);
  e.adjoint = {-1e-17, 4e-18};
  e.dual = {0.0, -2e-17};
  e.refined = {5e-17, 1e-17};
  e.differences[0].slopes = {2e-13, -1e-13};
  e.differences[1].slopes = {1e-12, 0.0};
  const CheckReport report = conclude(findings_of(e));
  EXPECT_TRUE(report.passed);
  for (const CheckLine& line : report.lines) EXPECT_EQ(line.verdict, CheckVerdict::zero);
  EXPECT_EQ(report.derivative.message, "2 of 2 derivatives agree (2 zero)");
}

TEST(Evidence, NoisyDifferencesSaySo) {
  Evidence e = evidence_of({1.0, 2.0}, 1e-13, 1e-4);
  e.differences[0].slopes = {1.3, 1.9};
  e.differences[1].slopes = {-2.0, 8.0};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::proved_by_dual);
  EXPECT_TRUE(conclude(findings_of(e)).passed);
  e.dual = {nan, nan};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::undetermined);
  EXPECT_FALSE(conclude(findings_of(e)).derivative.passed);
}

TEST(Evidence, ADerivativeThatRoundingSpoilsIsNotProved) {
  Evidence e = evidence_of({1.0, 2.0}, 1e-2, 1e-2);
  e.dual = {1.05, 1.9};
  for (const CheckLine& line : judge(e)) EXPECT_EQ(line.verdict, CheckVerdict::undetermined);
}

TEST(Evidence, WithoutDualNumbersDifferencesProve) {
  Evidence e = evidence_of({1.0, 2.0});
  e.dual = {nan, nan};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::proved);
  e.adjoint[0] = nan;
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::wrong);
}

// Whose error falls with the square of the step, and is known from its neighbour.
TEST(Evidence, TruncationIsTakenFromTheSweep) {
  Evidence e = evidence_of({1.0, 2.0});
  e.differences[0].slopes = {1.3, 2.0};
  e.differences[1].slopes = {1.003, 2.0};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::proved_by_dual);
  e.differences.push_back({1e-6, {2e-6, 2e-6}, {1.00003, 2.0}});
  const CheckLine line = judge(e)[0];
  EXPECT_EQ(line.verdict, CheckVerdict::proved);
  EXPECT_EQ(line.difference_step, 1e-6);
}

// Two that happen to lie near each other say nothing where the others lie elsewhere.
TEST(Evidence, DifferencesThatContradictEachOtherAreNoBetterThanThat) {
  Evidence e = evidence_of({1.0, 2.0});
  e.differences[0].slopes = {1.0004, 2.0};
  e.differences[1].slopes = {1.00041, 2.0};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::wrong);
  e.differences.push_back({1e-6, {2e-6, 2e-6}, {1.0001, 2.0}});
  e.differences.push_back({1e-7, {2e-7, 2e-7}, {0.99995, 2.0}});
  const CheckLine line = judge(e)[0];
  EXPECT_EQ(line.verdict, CheckVerdict::proved);
  EXPECT_GT(line.difference_error, 3e-4);
}

TEST(Evidence, OfDifferencesNoMoreIsAskedThanTheyCanSay) {
  Evidence e = evidence_of({1.0, 2.0});
  e.differences[0].slopes = e.differences[1].slopes = {1.00005, 2.0};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::proved);
  e.differences[0].slopes = e.differences[1].slopes = {1.0005, 2.0};
  EXPECT_EQ(judge(e)[0].verdict, CheckVerdict::wrong);
}

TEST(Evidence, AccuracyIsAVerdictOfItsOwn) {
  Evidence e = evidence_of({1240.0, 200.0});
  e.refined[1] = 205.0;
  const CheckReport report = conclude(findings_of(e));
  EXPECT_TRUE(report.derivative.passed);
  EXPECT_FALSE(report.accuracy.passed);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.lines[0].accurate);
  EXPECT_EQ(report.accuracy.message,
            "at half the step 1 of 2 derivatives change by more than a hundredth, most that of "
            "\"psi\" by \"p1\" from 200 to 205; shorten the steps");
  CheckFindings adaptive = findings_of(e);
  adaptive.refinement = kTenthOfTheTolerance;
  EXPECT_NE(conclude(adaptive).accuracy.message.find("; choose smaller tolerances"),
            std::string::npos);
  e.refined = {1240.0, 200.1};  // no hundredth of the entry
  EXPECT_TRUE(conclude(findings_of(e)).passed);
  CheckFindings failed = findings_of(evidence_of({1.0, 2.0}));
  failed.refinement_failure = "no";
  EXPECT_EQ(conclude(failed).accuracy.message, "at half the step the motion fails: no");
}

TEST(Evidence, AModelThatFailsIsNamed) {
  CheckFindings findings;
  findings.model = {false, "the motion fails"};
  const CheckReport report = conclude(findings);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.lines.empty());
  EXPECT_FALSE(report.derivative.passed);
}

}  // namespace
}  // namespace gradus
