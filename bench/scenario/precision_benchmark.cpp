// The program gradus_bench_precision: error of the five-bar's gradient against the time it takes,
// for every formulation and integrator; one JSON document and a table.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"
#include "bench/scenario/sweep.hpp"

namespace {

using gradus::bench::Arguments;
using gradus::bench::Point;
using gradus::bench::Sweep;
using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "gradus_bench_precision";
constexpr const char* kUsage =
    "gradus_bench_precision: accuracy of the five-bar's gradient against time, one design on one "
    "thread; a table on standard error, one JSON document on standard output\n"
    "  --repeats N   runs that are timed, after one that is not (default 7)\n"
    "  --quick       a few steps and two points of every method, one repeat: proves that it works\n"
    "  --only TEXT   methods whose name (\"index1, baumgarte, rk4\") contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead\n";

constexpr double kTarget = 1e-6;  // relative error of the gradient at which methods are compared

Json record(const Sweep& sweep) {
  Json json;
  json["method"] = sweep.method.name();
  json["points"] = Json::array();
  for (const Point& point : sweep.points)
    json["points"].push_back({{sweep.method.adaptive() ? "rtol" : "step_s", point.accuracy},
                              {"steps", point.steps},
                              {"error", point.error},
                              {"total_s", point.seconds},
                              {"processor_s", point.processor}});
  if (!sweep.failure.empty()) json["failure"] = sweep.failure;
  const auto seconds = gradus::bench::processor_seconds_at(sweep, kTarget);
  json["processor_s_at_target"] = seconds ? Json(*seconds) : Json();
  return json;
}

double best_error(const Sweep& sweep) {
  double best = 1e300;
  for (const Point& point : sweep.points) best = std::min(best, point.error);
  return best;
}

// The first point that reaches the target.
const Point* reaching(const Sweep& sweep) {
  for (const Point& point : sweep.points)
    if (point.error <= kTarget) return &point;
  return nullptr;
}

void print_row(const Sweep& sweep) {
  const auto seconds = gradus::bench::processor_seconds_at(sweep, kTarget);
  char text[160];
  if (!seconds)
    std::snprintf(text, sizeof text, "| %s | | | not reached | %.1e |\n",
                  sweep.method.name().c_str(), best_error(sweep));
  else
    std::snprintf(text, sizeof text, "| %s | %s %.1e | %.0f | %.4f | %.1e |\n",
                  sweep.method.name().c_str(), sweep.method.adaptive() ? "rtol" : "step",
                  reaching(sweep)->accuracy, reaching(sweep)->steps, *seconds, best_error(sweep));
  std::cerr << text << std::flush;
}

// A quick run needs nothing but numbers.
bool is_wrong(const Sweep& sweep) {
  return sweep.points.empty() || !(best_error(sweep) < 1.0);
}

int run(const Arguments& arguments) {
  gradus::Model model = gradus::bench::five_bar();
  gradus::bench::SweepLimits limits;
  limits.repeats = arguments.repeats;
  if (arguments.quick) {
    model.analysis.duration = 0.04;
    limits.most_points = 2;
  }
  Json document = gradus::bench::record_head("work-precision", arguments);
  document["model"] = model.name;
  document["duration_s"] = model.analysis.duration;
  document["reference"] = "matrix-r, dop853, rtol 1e-13";
  document["error"] = "largest of all entries of the gradient, each relative to itself";
  document["target"] = kTarget;
  document["methods"] = Json::array();
  const std::vector<double> exact = gradus::bench::converged_gradient(model);
  std::cerr
      << "| method | first point below 1e-6 | steps | processor time at 1e-6 [s] | best error |\n"
         "| --- | --- | ---: | ---: | ---: |\n";
  bool wrong = false;
  for (const gradus::bench::Method& method : gradus::bench::loop_methods()) {
    if (method.name().find(arguments.only) == std::string::npos) continue;
    const Sweep sweep = gradus::bench::sweep(model, method, exact, limits);
    print_row(sweep);
    document["methods"].push_back(record(sweep));
    wrong = wrong || is_wrong(sweep);
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return wrong ? 1 : 0;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 7, run);
}
