// gradus optimize STUDY
#include "gradus/gradus.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/optimization_report.hpp"
#include "src/cli/run_study.hpp"

namespace gradus::cli {
namespace {

StudyOutcome do_optimize(const Study& study, const StudySettings& settings) {
  const OptimizationResult result = optimize(study, settings);
  StudyOutcome outcome{result.complete, true, "", ""};
  if (result.starts.empty()) return outcome;
  outcome.report = optimization_report(result);
  outcome.succeeded = result.succeeded;
  outcome.problem =
      result.check.remark.empty() ? result.starts[result.best].reason : result.check.remark;
  return outcome;
}

}  // namespace

int run_optimize(const Arguments& arguments) {
  return run_study("optimize", do_optimize, arguments);
}

}  // namespace gradus::cli
