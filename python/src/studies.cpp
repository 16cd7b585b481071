// Studies from their files, descriptions and checks: what the program does, as documents.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "python/src/interruption.hpp"
#include "python/src/mechanism.hpp"
#include "python/src/options.hpp"
#include "src/results/reports.hpp"

namespace gradus::python {
namespace {

// Whether the study is complete: an interruption leaves what can be resumed.
bool run_study(const std::string& verb, const std::filesystem::path& file,
               const std::filesystem::path& folder, const std::string& existing,
               const std::optional<std::string>& backend, const std::optional<std::string>& kernels,
               const std::function<void(const std::string&)>& log,
               const std::function<void(double)>& progress) {
  return run_interruptibly([&] {
    Study study = read_study(file);
    if (backend) study.options.backend = *backend;
    if (kernels) study.options.kernels = *kernels;
    study.options.log = log;
    StudySettings settings;
    settings.folder = folder;
    settings.existing = existing == "resume"      ? ExistingResults::resume
                        : existing == "overwrite" ? ExistingResults::overwrite
                                                  : ExistingResults::refuse;
    settings.log = log;
    if (progress)
      settings.progress = [&progress](const StudyProgress& p) {
        progress(p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total)
                             : std::numeric_limits<double>::quiet_NaN());
      };
    settings.interrupted = settings.cancelled = [] { return Interruption::is_asked_for(); };
    if (verb == "sweep") return sweep(study, settings).complete;
    if (verb == "optimize") return optimize(study, settings).complete;
    return fit(study, settings).complete;
  });
}

}  // namespace

void bind_studies(nb::module_& module) {
  module.def("run_study", &run_study, nb::arg("verb"), nb::arg("file"), nb::arg("folder"),
             nb::arg("existing"), nb::arg("backend").none(), nb::arg("kernels").none(),
             nb::arg("log").none(), nb::arg("progress").none());
  module.def("write_report",
             [](const std::filesystem::path& folder, const std::filesystem::path& file) {
               const WithoutInterpreter released;
               write_report(folder, file);
             });
  module.def("describe", [](const Model& model) {
    return run_interruptibly([&] { return results::description_document(describe(model)); });
  });
  const auto modes_options = [](const std::map<std::string, double>& set) {
    Options options;
    options.set = set;
    options.cancelled = [] { return Interruption::is_asked_for(); };
    return options;
  };
  module.def(
      "modes", [=](const Model& model, const std::map<std::string, double>& set, bool gradient) {
        return run_interruptibly(
            [&] { return results::modes_document(modes(model, modes_options(set), gradient)); });
      });
  module.def("write_modes_page", [=](const Model& model, const std::map<std::string, double>& set,
                                     bool gradient, const std::filesystem::path& file) {
    const Options options = modes_options(set);
    run_interruptibly(
        [&] { write_modes_page(model, options, modes(model, options, gradient), file); });
  });
  module.def("check", [](const Model& model, const nb::dict& arguments) {
    const Options options = options_of(arguments);
    return run_interruptibly(
        [&] { return results::check_document(model.name, check(model, options)); });
  });
}

}  // namespace gradus::python
