// The program gradus_bench_gradient: times whole gradients and prints one JSON document.
#include <iostream>
#include <string>

#include "bench/scenario/arguments.hpp"
#include "bench/scenario/measurement.hpp"

namespace {

using gradus::bench::Arguments;

constexpr const char* kProgram = "gradus_bench_gradient";
constexpr const char* kUsage =
    "gradus_bench_gradient: times whole gradients on the CPU; one JSON document on standard "
    "output\n"
    "  --repeats N   runs that are timed, after one that is not (default 7)\n"
    "  --quick       a few steps of a few scenarios, one repeat: proves that the benchmark works\n"
    "  --only TEXT   scenarios whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead\n";

int run(const Arguments& arguments) {
  nlohmann::ordered_json document = gradus::bench::record_head("gradient", arguments);
  document["scenarios"] = nlohmann::ordered_json::array();
  bool wrong = false;
  for (const gradus::bench::Scenario& scenario : gradus::bench::scenarios(arguments.quick)) {
    if (scenario.name.find(arguments.only) == std::string::npos) continue;
    std::cerr << scenario.name << ", " << scenario.options.backend << " ..." << std::flush;
    document["scenarios"].push_back(gradus::bench::measure(scenario, arguments.repeats));
    const auto& record = document["scenarios"].back();
    const auto& times = record["times"];
    wrong = wrong || times.is_null();
    if (times.is_null())
      std::cerr << " wrong gradient, deviation " << record["deviation"] << '\n';
    else
      std::cerr << ' ' << times["total_s"]["median"] << " s\n";
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return wrong ? 1 : 0;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 7, run);
}
