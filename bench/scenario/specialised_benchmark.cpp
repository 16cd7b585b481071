// The program gradus_bench_specialised: motions by programs made for their mechanism beside motions
// by general kernels; one JSON document.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"

namespace {

using gradus::bench::Arguments;

constexpr const char* kProgram = "gradus_bench_specialised";
constexpr const char* kUsage =
    "gradus_bench_specialised: motions by kernels made for their mechanism beside general ones, "
    "one "
    "design and a pack in lanes, on one thread\n"
    "  --repeats N   motions by general kernels and by those made in turn (default 5)\n"
    "  --quick       a few steps of the slider-crank, one repeat: proves that the benchmark works\n"
    "  --only TEXT   motions whose name contains TEXT, as in \"five-bar, ali3p newmark, motion, 8 "
    "lanes\"\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of to standard output\n";

constexpr int kMostLessons = 6;  // motions to learn from

struct Method {
  const char* formulation;
  const char* integrator;
  double rtol;  // 0: steps of fixed length
  bool in_lanes;
};
constexpr Method kMethods[] = {{"ali3p", "newmark", 0.0, true},
                               {"index1", "dop853", 1e-6, true},
                               {"matrix-r", "dopri5", 1e-6, true},
                               {"index1", "rk4", 0.0, true},
                               {"index1", "radau5", 1e-6, false}};

bool has_lanes(const Method& method, gradus::Sensitivity sensitivity) {
  return method.in_lanes && (method.rtol == 0.0 || sensitivity != gradus::Sensitivity::adjoint);
}

// A mechanism, and for how many of its steps it moves.
struct Subject {
  gradus::Model model;
  int steps;
};

std::vector<Subject> subjects() {
  using namespace gradus::bench;
  return {{slider_crank(), 5000}, {five_bar(), 5000},   {stewart_platform(), 1000},
          {chain(7, 28), 1000},  // an arm
          {chain(7, 84), 1000},   {chain(8, 32), 1000}, {chain(32, 128), 100}};
}

gradus::Options options_of(const Subject& subject, const Method& method, int lanes, bool quick) {
  const gradus::Model& model = subject.model;
  gradus::Options options;
  options.formulation = method.formulation;
  options.integrator = method.integrator;
  if (method.rtol > 0.0) options.rtol = method.rtol;
  options.kernels = "specialised";
  options.lanes = lanes;
  options.designs.count = static_cast<std::size_t>(lanes);
  options.designs.spread = lanes > 1 ? 0.01 : 0.0;
  options.step = model.analysis.step;
  options.duration = (quick ? 200 : subject.steps) * model.analysis.step;
  return options;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

using gradus::Sensitivity;

std::string title(const Subject& subject, const Method& method, Sensitivity sensitivity,
                  int lanes) {
  const std::string parameters = std::to_string(subject.model.parameters.size());
  const std::string of = sensitivity == Sensitivity::none     ? "motion"
                         : sensitivity == Sensitivity::direct ? parameters + " columns"
                                                              : "adjoint";
  return subject.model.name + ", " + method.formulation + " " + method.integrator + ", " + of +
         ", " + std::to_string(lanes) + (lanes == 1 ? " lane" : " lanes");
}

// False if the numbers differ.
bool measure(const Subject& subject, const Method& method, Sensitivity sensitivity, int lanes,
             const Arguments& arguments, nlohmann::ordered_json& records) {
  const gradus::Model& model = subject.model;
  const gradus::Options options = options_of(subject, method, lanes, arguments.quick);
  const gradus::CompiledMechanism mechanism(model, options);
  gradus::MotionRequest request = mechanism.request();
  request.sensitivity = sensitivity;
  request.n_design = options.designs.count;
  request.parameters = gradus::design_values(model, options, mechanism.plan().nominal);
  gradus::MotionRequest plain = request;
  plain.workshop = nullptr;
  const auto general = gradus::make_host_run(plain, 1);
  const auto special = gradus::make_host_run(request, 1);
  const auto run = [&](gradus::HostRun& of) -> const gradus::MotionOutcome& {
    return of.run(request.parameters, request.n_design);
  };
  gradus::SpecialisedSteps* steps = nullptr;
  for (int k = 0; k < kMostLessons; ++k) {
    run(*special);
    if (request.workshop->all().empty()) {
      std::cerr << title(subject, method, sensitivity, lanes) << ": there can be no programs\n";
      return true;
    }
    steps = request.workshop->all().front().get();
    const std::size_t before = steps->counts().compilations;
    steps->settle({});
    if (k > 0 && steps->counts().compilations == before) break;
  }
  const gradus::StepCounts learnt = steps->counts();
  const double count = static_cast<double>(request.n_design);
  std::vector<double> general_times, special_times;
  bool same = true;
  double usual_steps = 0.0;
  for (int k = 0; k < arguments.repeats; ++k) {
    const gradus::MotionOutcome& usual = run(*general);
    usual_steps = usual.steps.empty() ? static_cast<double>(request.steps) : usual.steps.front();
    general_times.push_back((usual.motion_s + usual.sensitivity_s) / count);
    const gradus::MotionOutcome& made = run(*special);
    special_times.push_back((made.motion_s + made.sensitivity_s) / count);
    same = same && usual.objectives == made.objectives && usual.gradient == made.gradient;
  }
  const gradus::StepCounts counts = steps->counts();
  records.push_back(
      {{"model", model.name},
       {"formulation", method.formulation},
       {"integrator", method.integrator},
       {"rtol", method.rtol},
       {"columns", sensitivity == Sensitivity::direct ? mechanism.plan().parameter_count() : 0},
       {"adjoint", sensitivity == Sensitivity::adjoint},
       {"lanes", lanes},
       {"steps", usual_steps},
       {"same_numbers", same},
       {"general_s", median(general_times)},
       {"specialised_s", median(special_times)},
       {"by_programs", counts.programmed - learnt.programmed},
       {"missed", counts.missed - learnt.missed},
       {"ways", counts.ways},
       {"compilations", counts.compilations},
       {"compile_s", counts.compile_time}});
  std::cerr << title(subject, method, sensitivity, lanes) << ": " << 1e3 * median(general_times)
            << " ms, specialised " << 1e3 * median(special_times) << " ms"
            << (same ? "\n" : ", OTHER NUMBERS\n");
  return same;
}

int run(const Arguments& arguments) {
  nlohmann::ordered_json document = gradus::bench::record_head("specialised", arguments);
  document["clock"] = "whole motions by design, behind those that teach";
  document["motions"] = nlohmann::ordered_json::array();
  bool same = true;
  std::vector<Subject> all = subjects();
  if (arguments.quick) all.erase(all.begin() + 1, all.end());
  for (const Subject& subject : all) {
    const std::size_t methods = arguments.quick ? 2 : std::size(kMethods);
    for (const Method& method : std::span(kMethods).first(methods))
      for (const int lanes : {1, gradus::possible_lanes().back()})
        for (const Sensitivity sensitivity :
             {Sensitivity::none, Sensitivity::direct, Sensitivity::adjoint})
          if ((lanes == 1 || has_lanes(method, sensitivity)) &&
              (sensitivity == Sensitivity::direct || !arguments.quick) &&
              title(subject, method, sensitivity, lanes).find(arguments.only) != std::string::npos)
            same = measure(subject, method, sensitivity, lanes, arguments, document["motions"]) &&
                   same;
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return same ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  setenv("GRADUS_KERNEL_CACHE", "off", 1);
  return gradus::bench::run_program(count, values, kProgram, kUsage, 5, run);
}
