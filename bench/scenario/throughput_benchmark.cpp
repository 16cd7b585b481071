// The program gradus_bench_throughput: gradients of batches of designs on several backends, as one
// JSON document.
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"

namespace {

using gradus::BenchmarkReport;
using gradus::BenchmarkRow;
using gradus::BenchmarkSettings;
using gradus::Model;
using gradus::bench::Arguments;
using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "gradus_bench_throughput";
constexpr const char* kUsage =
    "gradus_bench_throughput: direct gradients of batches of designs by ali3p on the CPU, with one "
    "thread\n"
    "and with all, and on a GPU if there is one\n"
    "  --repeats N   runs that are timed, after one that is not (default 3)\n"
    "  --quick       a few steps of a few designs, one repeat: proves that the benchmark works\n"
    "  --only TEXT   mechanisms whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of standard output\n";

constexpr double kLongest = 60.0;  // s of one run on the CPU; longer ones are left out

struct Mechanism {
  std::string name;
  Model model;
  std::size_t steps;
  std::vector<std::size_t> designs;
};

std::vector<Mechanism> mechanisms() {
  return {
      {"five-bar, 5 parameters", gradus::bench::five_bar(), 100, {1, 16, 128, 1024, 16384, 131072}},
      {"chain of 8, 32 parameters", gradus::bench::chain(8, 32), 20, {1, 16, 128, 1024, 16384}},
      {"chain of 32, 128 parameters", gradus::bench::chain(32, 128), 10, {1, 16, 128, 1024}}};
}

Json record_of(const std::string& mechanism, const BenchmarkRow& row) {
  Json json;
  json["mechanism"] = mechanism;
  json["backend"] = row.backend_ran;
  json["designs"] = row.designs;
  json["bodies"] = row.bodies;
  json["parameters"] = row.parameters;
  json["steps"] = row.steps;
  json["deviation"] = row.deviation;
  json["total_s"] = nullptr;
  if (!row.measured()) {
    json["remark"] = row.remark;
    return json;
  }
  json["total_s"] = row.seconds;
  json["minimum"] = row.minimum;
  json["maximum"] = row.maximum;
  json["column_steps_per_s"] = row.column_steps_per_second();
  return json;
}

BenchmarkReport measure(const Mechanism& mechanism, const Arguments& arguments) {
  BenchmarkSettings settings;
  settings.model = mechanism.model;
  settings.steps = arguments.quick ? 3 : mechanism.steps;
  settings.designs = arguments.quick ? std::vector<std::size_t>{1, 3} : mechanism.designs;
  settings.repeats = static_cast<std::size_t>(arguments.repeats);
  settings.longest = kLongest;
  settings.log = [](const std::string& line) { std::cerr << line << '\n'; };
  return gradus::benchmark(settings);
}

int run(const Arguments& arguments) {
  Json document = gradus::bench::record_head("throughput", arguments);
  document["batches"] = Json::array();
  bool wrong = false;
  for (const Mechanism& mechanism : mechanisms()) {
    if (mechanism.name.find(arguments.only) == std::string::npos) continue;
    for (const BenchmarkRow& row : measure(mechanism, arguments).rows) {
      document["batches"].push_back(record_of(mechanism.name, row));
      wrong = wrong || (!row.measured() && row.deviation > 0.0);
      std::cerr << mechanism.name << ", " << row.designs << " designs, " << row.backend_ran << ": "
                << document["batches"].back()["total_s"] << " s " << row.remark << '\n';
    }
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return wrong ? 1 : 0;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 3, run);
}
