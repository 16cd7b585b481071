// The verb `check` on random mechanisms.
#include "tests/verification/check_trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/sensitivity/gradient.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/verification/check_mechanisms.hpp"

namespace gradus::test {
namespace {

// Entry k becomes wrong by a tenth, by the methods that share the fault.
void expect_found(const CheckFindings& findings, std::size_t k,
                  const std::vector<std::vector<double> Evidence::*>& methods) {
  CheckFindings faulty = findings;
  for (const auto method : methods) (faulty.evidence.*method)[k] *= 1.1;
  const CheckReport report = conclude(faulty);
  EXPECT_FALSE(report.derivative.passed);
  EXPECT_EQ(report.lines[k].verdict, CheckVerdict::wrong)
      << report.lines[k].objective << " by " << report.lines[k].parameter << ": "
      << report.lines[k].direct;
  const auto wrong =
      std::count_if(report.lines.begin(), report.lines.end(),
                    [](const CheckLine& line) { return line.verdict == CheckVerdict::wrong; });
  EXPECT_EQ(wrong, 1);
}

// What finer steps still change is inaccurate indeed.
void expect_inaccurate(unsigned seed, const std::vector<CheckLine>& lines) {
  Model model = random_model_to_check(seed);
  model.analysis.step /= 8.0;
  model.analysis.rtol /= 100.0;
  model.analysis.atol /= 100.0;
  Options options;
  options.backend = "cpu:1";
  const Result finest = gradient(model, options);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (lines[k].accurate) continue;
    EXPECT_GT(std::abs(lines[k].direct - finest.gradient[k]), 0.01 * std::abs(finest.gradient[k]))
        << seed << ": " << lines[k].objective << " by " << lines[k].parameter;
  }
}

}  // namespace

CheckFindings findings_of(unsigned seed) {
  Options options;
  options.backend = "cpu:1";
  const auto mechanism =
      std::make_shared<const CompiledMechanism>(random_model_to_check(seed), options);
  return gather_findings(mechanism, options);
}

void expect_no_alarm(unsigned seed, const CheckFindings& findings, Tally& tally) {
  const CheckReport report = conclude(findings);
  // A bushing that turns through half a turn has no derivative there, and the check says so.
  if (report.model.message.find("accelerations jump") != std::string::npos) {
    ++tally.jumping;
    return;
  }
  EXPECT_TRUE(report.model.passed) << seed << ": " << report.model.message;
  EXPECT_TRUE(report.derivative.passed) << seed << ": " << report.derivative.message;
  if (!report.accuracy.passed) {
    expect_inaccurate(seed, report.lines);
    ++tally.inaccurate;
  }
  ++tally.mechanisms;
  tally.derivatives += report.lines.size();
  for (const CheckLine& line : report.lines) {
    double row = 0.0;
    for (const CheckLine& other : report.lines)
      if (other.objective == line.objective) row = std::max(row, std::abs(other.direct));
    if (line.verdict == CheckVerdict::zero) {
      EXPECT_LE(std::abs(line.direct), std::max(1e-9 * row, 1e-11)) << line.parameter;
    }
    EXPECT_TRUE(line.passed) << seed << ": " << line.objective << " by " << line.parameter << " is "
                             << to_string(line.verdict) << ": direct " << line.direct << ", scale "
                             << line.scale << ", adjoint " << line.adjoint_deviation << ", dual "
                             << line.dual_deviation << " of " << line.rounding << ", difference "
                             << line.difference_deviation << " of " << line.difference_error
                             << " at " << line.difference_step << ", refined "
                             << line.refined_deviation;
    tally.zeros += line.verdict == CheckVerdict::zero;
    tally.by_dual += line.verdict == CheckVerdict::proved_by_dual;
  }
}

void expect_faults_found(unsigned seed, const CheckFindings& findings) {
  const std::vector<CheckLine> lines = judge(findings.evidence);
  Draw draw(seed);
  std::size_t k = 0;
  do k = static_cast<std::size_t>(draw.below(static_cast<int>(lines.size())));
  while (lines[k].verdict == CheckVerdict::zero);
  SCOPED_TRACE("mechanism " + std::to_string(seed));
  expect_found(findings, k, {&Evidence::direct});
  expect_found(findings, k, {&Evidence::direct, &Evidence::adjoint});
  if (lines[k].verdict == CheckVerdict::proved)
    expect_found(findings, k, {&Evidence::direct, &Evidence::adjoint, &Evidence::dual});
}

}  // namespace gradus::test
