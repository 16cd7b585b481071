// RunRecord -> JSON.
#include "src/study/run_record.hpp"

#include <nlohmann/json.hpp>

#include "gradus/run.hpp"
#include "src/results/atomic_file.hpp"

namespace gradus {

void write_run_record(const std::filesystem::path& folder, const RunRecord& record) {
  const double rate =
      record.seconds > 0.0 ? static_cast<double>(record.done) / record.seconds : 0.0;
  const nlohmann::ordered_json json{
      {"schema", "gradus-run/1"},         {"version", version()},     {"backend", record.backend},
      {"processes", record.processes},    {record.what, record.done}, {"seconds", record.seconds},
      {record.what + "_per_second", rate}};
  results::write_file(folder / "run.json", json.dump(2) + "\n");
}

}  // namespace gradus
