// The program gradus_bench_throughput: gradients of batches of designs on several backends, as one
// JSON document.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"

namespace {

using gradus::Model;
using gradus::Options;
using gradus::Result;
using gradus::bench::Arguments;
using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "gradus_bench_throughput";
constexpr const char* kUsage =
    "gradus_bench_throughput: direct gradients of batches of designs by ali3p on the CPU, with one "
    "thread\n"
    "and with all, and on a GPU if there is one\n"
    "  --repeats N   runs that are timed, after one that is not (default 3)\n"
    "  --quick       a few steps of a few designs, one repeat: proves that the benchmark works\n"
    "  --only TEXT   batches whose mechanism or backend contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of standard output\n";

constexpr double kSpread = 1e-3;
constexpr double kDeviation = 1e-8;  // of gradients of the first design between backends

struct Batch {
  std::string mechanism;
  Model model;
  int steps;
  std::size_t designs;
};

std::vector<Batch> batches(bool quick) {
  std::vector<Batch> all;
  const auto add = [&](const std::string& name, const Model& model, int steps,
                       const std::vector<std::size_t>& designs) {
    for (const std::size_t count : quick ? std::vector<std::size_t>{1, 3} : designs)
      all.push_back({name, model, quick ? 3 : steps, count});
  };
  add("five-bar, 5 parameters", gradus::bench::five_bar(), 100, {1, 16, 128, 1024, 16384, 131072});
  add("chain of 8, 32 parameters", gradus::bench::chain(8, 32), 20, {1, 16, 128, 1024, 16384});
  add("chain of 32, 128 parameters", gradus::bench::chain(32, 128), 10, {1, 16, 128, 1024});
  return all;
}

Options options_of(const Batch& batch, const std::string& backend) {
  Options options;
  options.backend = backend;
  options.method = "direct";
  options.designs.count = batch.designs;
  options.designs.spread = batch.designs > 1 ? kSpread : 0.0;
  options.duration = batch.steps * batch.model.analysis.step;
  return options;
}

double deviation(const Result& result, const Result& reference) {
  const std::size_t columns = reference.parameters.size();
  double largest = 0.0;
  for (std::size_t o = 0; o < reference.objectives.size(); ++o) {
    double scale = 0.0;
    double difference = 0.0;
    for (std::size_t p = o * columns; p < (o + 1) * columns; ++p) {
      scale = std::max(scale, std::abs(reference.gradient[p]));
      difference = std::max(difference, std::abs(result.gradient[p] - reference.gradient[p]));
    }
    largest = std::max(largest, difference / scale);
  }
  return result.all_ok() ? largest : std::numeric_limits<double>::infinity();
}

Json measure(const Batch& batch, const std::string& backend, const Result& reference, int repeats) {
  const Options options = options_of(batch, backend);
  const Result first = gradient(batch.model, options);
  Json json;
  json["mechanism"] = batch.mechanism;
  json["backend"] = first.backend;
  json["designs"] = batch.designs;
  json["coordinates"] = first.coordinates.size();
  json["parameters"] = first.parameters.size();
  json["steps"] = first.steps;
  json["deviation"] = deviation(first, reference);
  json["total_s"] = nullptr;
  if (!(json["deviation"].get<double>() < kDeviation)) return json;
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k)
    seconds.push_back(gradient(batch.model, options).timing.total_s);
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  json["total_s"] = median;
  json["minimum"] = seconds.front();
  json["maximum"] = seconds.back();
  json["column_steps_per_s"] = static_cast<double>(batch.designs) *
                               static_cast<double>(first.parameters.size()) *
                               static_cast<double>(first.steps) / median;
  return json;
}

std::vector<std::string> usable_backends() {
  std::vector<std::string> names{"cpu:1", "cpu"};
  try {
    simulate(gradus::bench::five_bar(), options_of({"", gradus::bench::five_bar(), 1, 1}, "cuda"));
    names.push_back("cuda");
  } catch (const gradus::BackendError& error) {
    std::cerr << "without a GPU: " << error.what() << '\n';
  }
  return names;
}

int run(const Arguments& arguments) {
  Json document = gradus::bench::record_head("throughput", arguments);
  document["batches"] = Json::array();
  const std::vector<std::string> usable = usable_backends();
  bool wrong = false;
  for (const Batch& batch : batches(arguments.quick)) {
    Batch pair = batch;
    pair.designs = std::min<std::size_t>(batch.designs, 2);
    const Result reference = gradient(pair.model, options_of(pair, "cpu:1"));
    for (const std::string& backend : usable) {
      if ((batch.mechanism + " " + backend).find(arguments.only) == std::string::npos) continue;
      if (backend == "cpu:1" && batch.designs > 1024) continue;  // as many times one design
      document["batches"].push_back(measure(batch, backend, reference, arguments.repeats));
      const Json& record = document["batches"].back();
      wrong = wrong || record["total_s"].is_null();
      std::cerr << batch.mechanism << ", " << batch.designs << " designs, " << backend << ": "
                << record["total_s"] << " s, deviation " << record["deviation"] << '\n';
    }
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return wrong ? 1 : 0;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 3, run);
}
