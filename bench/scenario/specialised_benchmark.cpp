// The program gradus_bench_specialised: steps by programs made for their mechanism beside steps by
// general kernels; one JSON document.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/plan.hpp"
#include "src/specialise/specialised_chunk.hpp"

namespace {

using gradus::bench::Arguments;
using gradus::specialise::SpecialisedChunk;

constexpr const char* kProgram = "gradus_bench_specialised";
constexpr const char* kUsage =
    "gradus_bench_specialised: steps of ali3p by compiled recordings beside general kernels, one "
    "design and a pack in lanes, on one thread\n"
    "  --repeats N   motions by general kernels and by programs in turn, after one that is not "
    "timed (default 5)\n"
    "  --quick       a few steps of the slider-crank, one repeat: proves that the benchmark works\n"
    "  --only TEXT   mechanisms whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of to standard output\n";

struct Run {
  double step_time = 0.0;  // s, of the steps behind the lessons
  double compile_time = 0.0;
  std::size_t programmed = 0, missed = 0;
  std::vector<double> end;  // positions, objectives and gradients
};

// Designs in lanes differ by some thousandths of their parameters.
void spread(gradus::specialise::RecordedDesign& design) {
  const int lanes = design.lanes();
  for (int p = 0; p < design.plan().parameter_count; ++p)
    for (int lane = 0; lane < lanes; ++lane)
      design.memory()[static_cast<std::size_t>((design.layout().parameter + p) * lanes + lane)] *=
          1.0 + 0.002 * lane;
}

int widest_pack() {
  int lanes = 1;
  for (const gradus::kernels::Translation& translation : gradus::kernels::translations())
    if (translation.packs != nullptr) lanes = translation.lanes;
  return lanes;
}

// `lessons`: steps before the compiler is called; 0: general kernels alone. `first`: the step from
// which on the clock runs.
Run run_motion(const gradus::MotionRequest& request, int lanes, std::size_t lessons,
               std::size_t first) {
  SpecialisedChunk chunk(request, lessons, lanes);
  gradus::specialise::RecordedDesign& design = chunk.design();
  spread(design);
  const gradus::Formulation formulation =
      request.formulation->make(design.layout(), design.settings());
  gradus::Stopwatch watch;
  std::size_t begin = 0;
  double before = 0.0;  // s, for lessons and the compiler
  const auto apart = [&] { return chunk.compile_time() + chunk.learning_time(); };
  gradus::run_time_loop(request, formulation, chunk, [&](std::size_t k, const gradus::Instant&) {
    if (begin == 0 && k >= first) {
      begin = k;
      before = apart();
      watch.lap();
    }
    return true;
  });
  Run run;
  run.step_time = (watch.lap() - apart() + before) / static_cast<double>(request.steps - begin);
  run.compile_time = chunk.compile_time();
  run.programmed = chunk.programmed_steps();
  run.missed = chunk.missed_steps();
  const auto keep = [&](int place, int count) {
    const auto from = design.memory().begin() + place * lanes;
    run.end.insert(run.end.end(), from, from + count * lanes);
  };
  keep(design.layout().position, design.plan().coordinate_count);
  keep(design.layout().objective_value, design.plan().objective_count);
  if (request.sensitivity == gradus::Sensitivity::direct)
    keep(design.layout().objective_gradient,
         design.plan().objective_count * design.plan().column_count);
  return run;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// False if the numbers differ.
bool measure(const gradus::Model& model, bool with_columns, int lanes, const Arguments& arguments,
             nlohmann::ordered_json& records) {
  const gradus::Plan plan = gradus::build_plan(model, gradus::Reference::rtdyn0);
  const std::size_t lessons = arguments.quick ? 60 : 1500;
  const gradus::MotionRequest request = gradus::specialise::steps_by_ali3p(
      plan, model.analysis.step, arguments.quick ? 200 : 5000,
      with_columns ? gradus::Sensitivity::direct : gradus::Sensitivity::none);
  std::vector<double> general, special;
  Run last;
  bool same = true;
  for (int k = 0; k <= arguments.repeats; ++k) {
    const Run plain = run_motion(request, lanes, 0, lessons);
    last = run_motion(request, lanes, lessons, lessons);
    same = same && plain.end == last.end;
    if (k == 0 && !arguments.quick) continue;
    general.push_back(plain.step_time / lanes);
    special.push_back(last.step_time / lanes);
  }
  records.push_back({{"model", model.name},
                     {"columns", with_columns ? plan.parameter_count() : 0},
                     {"lanes", lanes},
                     {"steps", request.steps},
                     {"lessons", lessons},
                     {"same_numbers", same},
                     {"general_step_s", median(general)},
                     {"programmed_step_s", median(special)},
                     {"programmed_steps", last.programmed},
                     {"missed_steps", last.missed},
                     {"compile_s", last.compile_time}});
  std::cerr << model.name << (with_columns ? ", with columns, " : ", motion, ") << lanes
            << (lanes == 1 ? " lane: " : " lanes: ") << 1e6 * median(general) << " us, by programs "
            << 1e6 * median(special) << " us" << (same ? "\n" : ", OTHER NUMBERS\n");
  return same;
}

int run(const Arguments& arguments) {
  nlohmann::ordered_json document = gradus::bench::record_head("specialised", arguments);
  document["clock"] = "steps behind the lessons, by design; learning and the compiler outside";
  document["motions"] = nlohmann::ordered_json::array();
  bool same = true;
  for (const gradus::Model& model : {gradus::bench::five_bar(), gradus::bench::slider_crank()}) {
    if (model.name.find(arguments.only) == std::string::npos) continue;
    if (arguments.quick && model.name == gradus::bench::five_bar().name) continue;
    for (const int lanes : {1, widest_pack()})
      for (const bool with_columns : {false, true})
        same = measure(model, with_columns, lanes, arguments, document["motions"]) && same;
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return same ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 5, run);
}
