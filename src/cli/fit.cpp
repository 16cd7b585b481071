// gradus fit STUDY
#include "gradus/gradus.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/fit_report.hpp"
#include "src/cli/run_study.hpp"

namespace gradus::cli {
namespace {

StudyOutcome do_fit(const Study& study, const StudySettings& settings) {
  const FitResult result = fit(study, settings);
  StudyOutcome outcome{result.complete, true, "", ""};
  if (result.starts.empty()) return outcome;
  outcome.report = fit_report(result);
  outcome.succeeded = result.succeeded;
  const FitStart& best = result.starts[result.best];
  outcome.problem = "the fit did not succeed: " +
                    (best.converged ? "its gradient did not pass the check" : best.reason);
  return outcome;
}

}  // namespace

int run_fit(const Arguments& arguments) {
  return run_study("fit", do_fit, arguments);
}

}  // namespace gradus::cli
