// StudyRun -> JSON.
#include "src/results/study_folders.hpp"

#include "gradus/run.hpp"

namespace gradus::results {

Json study_head(const std::string& schema, bool ok, const StudyRun& run) {
  return {{"schema", schema},
          {"version", version()},
          {"status", ok ? "ok" : "failed"},
          {"study", run.study},
          {"description", run.description},
          {"model", run.model},
          {"backend", run.backend},
          {"formulation", run.formulation},
          {"integrator", run.integrator},
          {"reference", run.reference},
          {"method", run.method},
          {"step", run.step},
          {"duration", run.duration}};
}

}  // namespace gradus::results
