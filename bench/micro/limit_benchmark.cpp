// The program gradus_bench_limit: column-steps per second beside what the machine could do at best.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "bench/micro/count.hpp"
#include "bench/micro/peak.hpp"
#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"
#include "src/study/benchmark/measurement.hpp"

namespace gradus::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "gradus_bench_limit";
constexpr const char* kUsage =
    "gradus_bench_limit: column-steps per second of direct gradients by ali3p on one thread, "
    "beside\n"
    "what the counted operations and bytes would allow at the measured peaks of the processor\n"
    "  --repeats N   measurements (default 5)\n"
    "  --quick       few steps, one repeat: proves that the benchmark works\n"
    "  --only TEXT   mechanisms whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of standard output\n";

struct Mechanism {
  std::string name;
  Model model;
  std::size_t steps;
};

std::vector<Mechanism> mechanisms() {
  return {{"five-bar", five_bar(), 500},
          {"slider-crank", slider_crank(), 500},
          {"chain of 32", chain(32, 128), 50}};
}

double processor_seconds(const Model& model, std::size_t designs, std::size_t steps) {
  Options options;
  options.backend = "cpu:1";
  options.formulation = "ali3p";
  options.designs.count = designs;
  options.designs.spread = designs > 1 ? 1e-3 : 0.0;
  options.duration = model.analysis.step * static_cast<double>(steps);
  const std::clock_t start = std::clock();
  if (!gradient(model, options).all_ok()) throw NumericalError(model.name + ": a design failed");
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Of one design; a run and one three times as long, so that plan and start drop out.
double seconds_per_step(const Mechanism& m, std::size_t designs, const Arguments& arguments) {
  const std::size_t steps = arguments.quick ? 2 : m.steps;
  processor_seconds(m.model, designs, steps);  // to warm up
  std::vector<double> seconds;
  for (int k = 0; k < arguments.repeats; ++k)
    seconds.push_back(processor_seconds(m.model, designs, 3 * steps) -
                      processor_seconds(m.model, designs, steps));
  return median(seconds) / static_cast<double>(2 * steps * designs);
}

// The level of memory that a block of designs stays in, and what it delivers.
struct Level {
  const char* name;
  double bandwidth;
};

Level level_of(const StepCount& count, const Peak& peak) {
  const Caches sizes = caches();
  const std::size_t bytes = count.numbers * sizeof(double) * static_cast<std::size_t>(peak.lanes);
  if (bytes <= sizes.level1) return {"L1", peak.level1};
  if (bytes <= sizes.level2) return {"L2", peak.level2};
  if (bytes <= sizes.level3) return {"L3", peak.level3};
  return {"memory", peak.memory};
}

Json limits_of(const StepCount& count, const std::vector<Peak>& peaks) {
  const KernelStep step = count.sum();
  Json limits = Json::array();
  for (const Peak& peak : peaks) {
    const Level level = level_of(count, peak);
    const double by_operations = peak.operations * count.columns() / step.operations();
    const double by_bytes = level.bandwidth * count.columns() / (step.distinct * sizeof(double));
    limits.push_back({{"lanes", peak.lanes},
                      {"by_operations", by_operations},
                      {"by_bytes", by_bytes},
                      {"level", level.name},
                      {"limit", std::min(by_operations, by_bytes)}});
  }
  return limits;
}

Json measure(const Mechanism& m, const std::vector<Peak>& peaks, const Arguments& arguments) {
  const StepCount count = count_step(m.model, arguments.quick ? 2 : 100);
  const KernelStep step = count.sum();
  Json json{{"mechanism", m.name},
            {"coordinates", count.coordinates},
            {"parameters", count.parameters},
            {"block_bytes", count.numbers * sizeof(double)},
            {"operations_per_column_step", step.operations() / count.columns()},
            {"bytes_per_column_step", step.distinct * sizeof(double) / count.columns()},
            {"accessed_bytes_per_column_step", step.accesses * sizeof(double) / count.columns()},
            {"limits", limits_of(count, peaks)},
            {"measured", Json::array()}};
  for (const std::size_t designs : {1, 64}) {
    const double seconds = seconds_per_step(m, arguments.quick ? 1 : designs, arguments);
    json["measured"].push_back({{"designs", designs},
                                {"column_steps_per_s", count.columns() / seconds},
                                {"operations_per_s", step.operations() / seconds}});
  }
  return json;
}

void print_peaks(const std::vector<Peak>& peaks) {
  std::fprintf(stderr, "%-8s %14s %12s %12s %12s %12s\n", "lanes", "operations/ns", "L1 B/ns",
               "L2 B/ns", "L3 B/ns", "memory B/ns");
  for (const Peak& p : peaks)
    std::fprintf(stderr, "%-8d %14.1f %12.1f %12.1f %12.1f %12.1f\n", p.lanes, 1e-9 * p.operations,
                 1e-9 * p.level1, 1e-9 * p.level2, 1e-9 * p.level3, 1e-9 * p.memory);
}

void print(const Json& m) {
  std::fprintf(
      stderr,
      "\n%s: per column-step %.0f operations, %.0f bytes each once a launch, %.0f bytes "
      "as written\n",
      m["mechanism"].get<std::string>().c_str(), m["operations_per_column_step"].get<double>(),
      m["bytes_per_column_step"].get<double>(), m["accessed_bytes_per_column_step"].get<double>());
  for (const Json& run : m["measured"]) {
    const double measured = run["column_steps_per_s"].get<double>();
    std::fprintf(stderr, "  %2zu design(s): %.3g column-steps/s, %.2f operations/ns\n",
                 run["designs"].get<std::size_t>(), measured,
                 1e-9 * run["operations_per_s"].get<double>());
    for (const Json& limit : m["limits"])
      std::fprintf(stderr,
                   "      %4.1f %% of %.3g, the limit of %d lane(s): %.3g by operations, %.3g by "
                   "bytes from %s\n",
                   100.0 * measured / limit["limit"].get<double>(), limit["limit"].get<double>(),
                   limit["lanes"].get<int>(), limit["by_operations"].get<double>(),
                   limit["by_bytes"].get<double>(), limit["level"].get<std::string>().c_str());
  }
}

int run(const Arguments& arguments) {
  Json document = record_head("limit", arguments);
  const std::vector<Peak> peaks = measure_peaks(arguments.repeats, arguments.quick ? 1e-4 : 0.05);
  print_peaks(peaks);
  document["clock"] = "processor time of one thread, a run less a third of it; median";
  document["peaks"] = Json::array();
  for (const Peak& p : peaks)
    document["peaks"].push_back({{"lanes", p.lanes},
                                 {"operations_per_s", p.operations},
                                 {"level1_bytes_per_s", p.level1},
                                 {"level2_bytes_per_s", p.level2},
                                 {"level3_bytes_per_s", p.level3},
                                 {"memory_bytes_per_s", p.memory}});
  document["mechanisms"] = Json::array();
  for (const Mechanism& m : mechanisms()) {
    if (m.name.find(arguments.only) == std::string::npos) continue;
    document["mechanisms"].push_back(measure(m, peaks, arguments));
    print(document["mechanisms"].back());
  }
  return write_document(document, kProgram, arguments) ? 0 : 1;
}

}  // namespace
}  // namespace gradus::bench

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, gradus::bench::kProgram, gradus::bench::kUsage,
                                    5, gradus::bench::run);
}
