// One path for both verbs that give a Result.
#include "src/cli/run_common.hpp"

#include <filesystem>

#include "src/cli/exit_codes.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/result_report.hpp"
#include "src/cli/standard_output.hpp"
#include "src/model/json_document.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/folder.hpp"
#include "src/results/summary.hpp"

namespace gradus::cli {
namespace {

// What was in force, for summary.json: the model's own values where the command line gave none.
Options resolve(Options options, const Analysis& analysis) {
  options.formulation = options.formulation.value_or(analysis.formulation);
  options.reference = options.reference.value_or(analysis.reference);
  options.step = options.step.value_or(analysis.step);
  options.duration = options.duration.value_or(analysis.duration);
  options.tolerance = options.tolerance.value_or(analysis.tolerance);
  return options;
}

Result run_with_progress(Verb verb, const Model& model, const Arguments& arguments) {
  Progress progress(!arguments.quiet && !arguments.json);
  Options options = with_remarks(arguments);
  options.progress = progress.callback();
  return verb(model, options);
}

// The model lies beside its results, so that the folder says all about them. An earlier summary
// would vouch for another model.
void keep_model(const std::filesystem::path& folder, const std::string& text) {
  results::remove_file(folder / "summary.json");
  results::AtomicFile copy(folder / "model.json");
  copy.write(text);
  copy.commit();
}

}  // namespace

int run_and_report(Verb verb, const Arguments& arguments) {
  const std::string text = read_document(arguments.model);
  const Model model = parse_model(text, arguments.model);
  // Before the run: hours of work must not end at a folder that cannot be written.
  if (!arguments.out.empty()) results::prepare_folder(arguments.out);
  const Result result = run_with_progress(verb, model, arguments);
  if (!arguments.out.empty()) {
    keep_model(arguments.out, text);
    results::write_results(arguments.out, result, resolve(arguments.options, model.analysis),
                           arguments.hdf5);
  }
  if (arguments.json)
    results::write_result_document(result, write_standard_output);
  else
    write_standard_output(result_report(result));
  if (result.all_ok()) return done;
  write_error(results::failure_message(result));
  return numerical_failure;
}

Options with_remarks(const Arguments& arguments) {
  Options options = arguments.options;
  if (!arguments.quiet) options.log = write_remark;
  return options;
}

}  // namespace gradus::cli
