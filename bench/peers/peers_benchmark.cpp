// The program gradus_bench_peers: the gradient of a planar chain by gradus and by forward
// sensitivities of CVODES, each with the settings that reach the same accuracy in the least
// processor time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <limits>
#include <optional>

#include "bench/models.hpp"
#include "bench/peers/contenders.hpp"
#include "bench/peers/cvodes_run.hpp"
#include "bench/scenario/arguments.hpp"

#ifndef GRADUS_BENCH_SUNDIALS
#define GRADUS_BENCH_SUNDIALS "unknown"
#endif

namespace {

using gradus::Model;
using gradus::bench::Arguments;
using gradus::bench::Contender;
using gradus::bench::Outcome;
using gradus::bench::PlanarChain;
using gradus::bench::Way;
using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "gradus_bench_peers";
constexpr const char* kUsage =
    "gradus_bench_peers: the gradient of a planar chain by gradus and by CVODES at the same "
    "accuracy, one thread;\na table on standard error, one JSON document on standard output\n"
    "  --repeats N   runs that are timed, after one that is not (default 7)\n"
    "  --quick       a short chain, a short time, one repeat: proves that the benchmark works\n"
    "  --only TEXT   scenarios whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead\n";

constexpr double kTarget = 1e-6;     // error of the gradient by its largest entry, of every row
constexpr double kAgreement = 1e-8;  // of both programs with narrow tolerances, relative
constexpr double kCoarsest = 1e-3;   // tolerances that are tried
constexpr double kFinest = 1e-12;
constexpr double kHopeless = 1.5;  // times slower than the best: not repeated

double error(const Outcome& found, const Outcome& exact) {
  double scale = 0.0, difference = 0.0;
  for (std::size_t p = 0; p < exact.gradient.size(); ++p) {
    scale = std::max(scale, std::abs(exact.gradient[p]));
    difference = std::max(difference, std::abs(found.gradient[p] - exact.gradient[p]));
  }
  // Not a number is no agreement.
  return difference >= 0.0 ? difference / scale : std::numeric_limits<double>::infinity();
}

double processor_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Json statistics(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {{"median", 0.5 * (values[n / 2] + values[(n - 1) / 2])},
          {"minimum", values.front()},
          {"maximum", values.back()}};
}

// A contender at the coarsest accuracy that reaches the target.
struct Choice {
  const Contender* contender;
  double accuracy, error, steps, seconds;
};

// Nothing where the target is not reached, or only in more time than another one needs: what is
// slower at a coarser tolerance will not be faster at a finer one.
std::optional<Choice> cheapest(const Contender& contender, const Outcome& exact, double limit) {
  for (double accuracy = kCoarsest; accuracy > kFinest; accuracy *= std::sqrt(0.1)) {
    Outcome found;
    const auto run = [&] { found = contender.gradient(accuracy); };
    double seconds = processor_seconds(run);
    if (seconds > kHopeless * limit) return std::nullopt;
    const double off = error(found, exact);
    if (!(off <= kTarget)) continue;
    for (int k = 0; k < 2; ++k) seconds = std::min(seconds, processor_seconds(run));
    return Choice{&contender, accuracy, off, found.steps, seconds};
  }
  return std::nullopt;
}

std::optional<Choice> fastest(const Way& way, const Outcome& exact) {
  std::optional<Choice> best;
  for (const Contender& contender : way.contenders) {
    const double limit = best ? best->seconds : std::numeric_limits<double>::infinity();
    const std::optional<Choice> choice = cheapest(contender, exact, limit);
    if (choice && choice->seconds < limit) best = choice;
  }
  return best;
}

Json measured(const Way& way, const Outcome& exact, int repeats) {
  Json json;
  json["program"] = way.program;
  json["method"] = way.method;
  const std::optional<Choice> choice = fastest(way, exact);
  json["processor_s"] = nullptr;  // where the target is not reached
  if (!choice) return json;
  std::vector<double> gradient, motion;
  for (int k = 0; k < repeats; ++k) {  // in turn: what disturbs the machine meets both
    gradient.push_back(processor_seconds([&] { choice->contender->gradient(choice->accuracy); }));
    motion.push_back(processor_seconds([&] { choice->contender->motion(choice->accuracy); }));
  }
  json["settings"] = choice->contender->settings;
  json["rtol"] = choice->accuracy;
  json["error"] = choice->error;
  json["steps"] = choice->steps;
  json["processor_s"] = statistics(gradient);
  json["motion_processor_s"] = statistics(motion);
  json["gradient_cost_ratio_processor"] = json["processor_s"]["median"].get<double>() /
                                          json["motion_processor_s"]["median"].get<double>();
  return json;
}

void print(const Json& scenario) {
  std::fprintf(stderr, "\n%s\n  %-28s%12s%12s%8s%8s%10s%10s  %s\n",
               scenario["name"].get<std::string>().c_str(), "", "motion [s]", "gradient [s]",
               "ratio", "steps", "rtol", "error", "settings");
  for (const Json& row : scenario["rows"]) {
    const std::string title =
        row["program"].get<std::string>() + ", " + row["method"].get<std::string>();
    if (row["processor_s"].is_null()) {
      std::fprintf(stderr, "  %-28s not reached\n", title.c_str());
      continue;
    }
    std::fprintf(stderr, "  %-28s%12.4g%12.4g%8.2f%8.0f%10.1e%10.1e  %s\n", title.c_str(),
                 row["motion_processor_s"]["median"].get<double>(),
                 row["processor_s"]["median"].get<double>(),
                 row["gradient_cost_ratio_processor"].get<double>(), row["steps"].get<double>(),
                 row["rtol"].get<double>(), row["error"].get<double>(),
                 row["settings"].get<std::string>().c_str());
  }
}

// Whether both programs agree, all rows reach the target, and so the times mean something.
bool measure(const Model& model, const std::string& name, int repeats, Json& scenarios) {
  const auto chain = std::make_shared<PlanarChain>(model);
  const Outcome exact = gradus::bench::converged_by_gradus(model);
  const Outcome other = gradus::bench::converged_by_cvodes(*chain);
  Json json;
  json["name"] = name;
  json["model"] = model.name;
  json["parameters"] = model.parameters.size();
  json["duration_s"] = model.analysis.duration;
  json["objective"] = exact.objective;
  json["objective_agreement"] = std::abs(other.objective / exact.objective - 1.0);
  json["gradient_agreement"] = error(other, exact);
  json["agreement_accepted"] = kAgreement;
  json["rows"] = Json::array();
  bool right =
      json["objective_agreement"] <= kAgreement && json["gradient_agreement"] <= kAgreement;
  std::cerr << name << ": agreement of the objective " << json["objective_agreement"]
            << ", of the gradient " << json["gradient_agreement"] << '\n';
  if (right)
    for (const Way& way : gradus::bench::ways(model, chain)) {
      json["rows"].push_back(measured(way, exact, repeats));
      right = right && !json["rows"].back()["processor_s"].is_null();
    }
  else
    std::cerr << "  wrong: no times\n";
  print(json);
  scenarios.push_back(std::move(json));
  return right;
}

int run(const Arguments& arguments) {
  Json document = gradus::bench::record_head("peers", arguments);
  document["clock"] = "processor time of one thread, everything from the model to the gradient";
  document["sundials"] = {{"version", gradus::bench::sundials_version()},
                          {"build", GRADUS_BENCH_SUNDIALS}};
  document["target"] = kTarget;
  document["scenarios"] = Json::array();
  std::cerr << "SUNDIALS " << gradus::bench::sundials_version() << ", " << GRADUS_BENCH_SUNDIALS
            << "\n";
  const int bars = arguments.quick ? 5 : 32;
  bool right = true;
  for (const int parameters :
       arguments.quick ? std::vector<int>{4, 20} : std::vector<int>{4, 32, 128}) {
    const std::string name = "planar chain of " + std::to_string(bars) + ", " +
                             std::to_string(parameters) + " parameters";
    if (name.find(arguments.only) == std::string::npos) continue;
    Model model = gradus::bench::planar_chain(bars, parameters);
    model.analysis.duration = arguments.quick ? 0.2 : 1.0;
    right = measure(model, name, arguments.repeats, document["scenarios"]) && right;
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 7, run);
}
