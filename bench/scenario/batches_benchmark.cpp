// The program gradus_bench_batches: gradients of batches on a GPU and on all threads of the host,
// by general kernels and by those made for the mechanism; one JSON document.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"
#include "src/backend/device.hpp"
#include "src/motion/device_run.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"

namespace {

using gradus::bench::Arguments;

constexpr const char* kProgram = "gradus_bench_batches";
constexpr const char* kUsage =
    "gradus_bench_batches: direct gradients of batches by ali3p on a GPU, if there is one, and on "
    "all "
    "threads of\n"
    "the CPU in lanes, by general kernels and by those made for the mechanism\n"
    "  --repeats N   runs that are timed (default 3)\n"
    "  --quick       a few steps of one design on the debug device: proves that the benchmark "
    "works\n"
    "  --only TEXT   mechanisms whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of to standard output\n";

constexpr int kMostLessons = 6;  // runs to learn from on the host
constexpr std::size_t kLessonDesigns = 4096;
constexpr double kMostRoundOff = 1e-9;

// Seconds of whole batches, parameters in and gradients out.
template <class Run>
double timed(int repeats, const Run& run) {
  std::vector<double> times;
  for (int k = 0; k < repeats; ++k) {
    gradus::Stopwatch watch;
    run();
    times.push_back(watch.lap());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double largest = 0.0, scale = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = std::abs(a[k] - b[k]);
    if (!(difference <= largest)) largest = difference;
    scale = std::max(scale, std::abs(b[k]));
  }
  return largest / scale;
}

class Batch {
 public:
  Batch(const gradus::Model& model, std::size_t designs, std::size_t steps, gradus::Device& device)
      : options_(options_of(model, designs, steps)), mechanism_(model, options_), device_(device) {
    made_ = mechanism_.request();
    made_.sensitivity = gradus::Sensitivity::direct;
    made_.n_design = designs;
    made_.parameters = gradus::design_values(model, options_, mechanism_.plan().nominal);
    made_.log = [this](const std::string& line) { said_ += line + "\n"; };
    general_ = made_;
    general_.workshop = nullptr;
    threads_ = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }

  nlohmann::ordered_json measure(int repeats) {
    const auto general_host = gradus::make_host_run(general_, threads_);
    const auto made_host = gradus::make_host_run(made_, threads_);
    const auto on_host = [&](gradus::HostRun& run) -> const gradus::MotionOutcome& {
      return run.run(made_.parameters, made_.n_design);
    };
    teach(*made_host);
    gradus::run_on_device(general_, device_);  // loads the kernels
    const gradus::MotionOutcome made = gradus::run_on_device(made_, device_);
    const double difference = largest_difference(made.gradient, on_host(*general_host).gradient);
    return {{"device", device_.name()},
            {"parameters", mechanism_.plan().parameter_count()},
            {"designs", made_.n_design},
            {"steps", made_.steps},
            {"difference", difference},
            {"threads", threads_},
            {"host_general_s", timed(repeats, [&] { on_host(*general_host); })},
            {"host_made_s", timed(repeats, [&] { on_host(*made_host); })},
            {"device_general_s", timed(repeats, [&] { gradus::run_on_device(general_, device_); })},
            {"device_made_s", timed(repeats, [&] { gradus::run_on_device(made_, device_); })},
            {"log", said_}};
  }

 private:
  // Until nothing is news.
  void teach(gradus::HostRun& run) const {
    const std::size_t designs = std::min(made_.n_design, kLessonDesigns);
    std::size_t compiled = 0;
    for (int k = 0; k < kMostLessons; ++k) {
      run.run(std::span(made_.parameters).first(designs * made_.plan->nominal.size()), designs);
      std::size_t now = 0;
      for (const auto& steps : made_.workshop->all()) {
        steps->settle({});
        now += steps->counts().compilations;
      }
      if (k > 0 && now == compiled) break;
      compiled = now;
    }
  }

  static gradus::Options options_of(const gradus::Model& model, std::size_t designs,
                                    std::size_t steps) {
    gradus::Options options;
    options.formulation = "ali3p";
    options.kernels = "specialised";
    options.step = model.analysis.step;
    options.duration = static_cast<double>(steps) * model.analysis.step;
    options.designs.count = designs;
    options.designs.spread = designs > 1 ? 0.01 : 0.0;
    return options;
  }

  gradus::Options options_;
  gradus::CompiledMechanism mechanism_;
  gradus::Device& device_;
  gradus::MotionRequest made_, general_;
  int threads_ = 1;
  std::string said_;
};

struct Mechanism {
  gradus::Model model;
  std::vector<std::size_t> designs;
};

int run(const Arguments& arguments) {
  nlohmann::ordered_json document = gradus::bench::record_head("batches", arguments);
  document["clock"] = "whole batches, behind those that teach";
  document["batches"] = nlohmann::ordered_json::array();
  const bool has_gpu = gradus::cuda_obstacle(0).empty();
  const auto device = has_gpu ? gradus::make_cuda_device(0) : gradus::make_debug_device();
  if (!has_gpu) std::cerr << kProgram << ": " << gradus::cuda_obstacle(0) << '\n';
  bool agree = true;
  for (const Mechanism& mechanism :
       {Mechanism{gradus::bench::five_bar(), {1, 128, 1024, 16384, 131072, 131104}},
        Mechanism{gradus::bench::chain(8, 32), {1, 128, 1024, 16384}}}) {
    if (mechanism.model.name.find(arguments.only) == std::string::npos) continue;
    for (const std::size_t designs : mechanism.designs) {
      if (designs > 1 && (arguments.quick || !has_gpu)) continue;
      Batch batch(mechanism.model, designs, arguments.quick ? 10 : 100, *device);
      nlohmann::ordered_json record{{"model", mechanism.model.name}};
      record.update(batch.measure(arguments.repeats));
      std::cerr << record.dump() << '\n';
      agree = agree && record["difference"].get<double>() < kMostRoundOff;
      document["batches"].push_back(std::move(record));
    }
    if (arguments.quick) break;
  }
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return agree ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 3, run);
}
