// gradus sweep STUDY
#include "gradus/gradus.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/run_study.hpp"
#include "src/cli/sweep_report.hpp"

namespace gradus::cli {
namespace {

StudyOutcome do_sweep(const Study& study, const StudySettings& settings) {
  const SweepResult result = sweep(study, settings);
  StudyOutcome outcome{result.complete, true, "", ""};
  if (result.status.empty()) return outcome;
  outcome.report = sweep_report(result);
  outcome.succeeded = result.failed() < result.designs;
  outcome.problem = "all designs failed";
  return outcome;
}

}  // namespace

int run_sweep(const Arguments& arguments) {
  return run_study("sweep", do_sweep, arguments);
}

}  // namespace gradus::cli
