// Evaluations of random mechanisms, each recorded, interpreted and compared: the numbers of the
// general kernels, for all formulations and integrators.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/specialised_steps.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/host_compiler.hpp"
#include "src/specialise/step_programs.hpp"
#include "tests/derivative/build.hpp"
#include "tests/support/random_forces.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

#if !defined(GRADUS_RANDOM_LOOPS)
#define GRADUS_RANDOM_LOOPS 13
#endif
constexpr unsigned kLoops = GRADUS_RANDOM_LOOPS;  // 13: each of their methods once
constexpr unsigned kTrees = 2 * kLoops;
constexpr int kColumns = 5;
constexpr unsigned kCompiled = 10;  // one of so many is

// Learns what general kernels evaluate: stages as a whole, or their parts.
class Pupil : public kernels::EvaluationPrograms {
 public:
  Pupil(const StepSetup& setup, std::size_t size, bool by_parts)
      : setup_(setup), size_(size), by_parts_(by_parts) {}

  kernels::Taken take(kernels::EvaluationPart part, double time, void* memory) override {
    if (by_parts_ && part == kernels::EvaluationPart::stage) return kernels::Taken::by_parts;
    const auto* const numbers = static_cast<const double*>(memory);
    sample_ = {static_cast<int>(part), time, {numbers, numbers + size_}, {}, {}};
    return kernels::Taken::shown;
  }
  void show(const void* memory) override {
    const auto* const numbers = static_cast<const double*>(memory);
    if (!design_) design_ = std::make_unique<RecordedDesign>(setup_, sample_.before.data());
    std::unique_ptr<StepPrograms>& programs = programs_[static_cast<std::size_t>(sample_.part)];
    if (!programs) {
      std::vector<char> carried(design_->places(), 0);
      std::fill_n(carried.begin(), design_->layout().size, 1);
      programs = std::make_unique<StepPrograms>(carried);
    }
    std::copy(numbers, numbers + size_, design_->memory().begin());
    if (!programs->learn(*design_, sample_)) ++wrong;
    if (programs->knew_last()) {
      ++known;
      const auto part = static_cast<std::size_t>(sample_.part);
      before_[part] = sample_.before;
      times_[part] = sample_.time;
      after_[part] = {numbers, numbers + size_};
    }
    ++learnt;
  }

  // Of parts whose last sample that was known is not repeated by what the compiler makes of them.
  std::size_t count_wrong_when_compiled() const {
    const QuickCompiler compiler;
    std::size_t count = 0;
    for (std::size_t part = 0; part < programs_.size(); ++part) {
      if (after_[part].empty()) continue;
      const CompiledText text(host_compiler(), programs_[part]->text(1, columns_in_loops(setup_)));
      DesignMemory memory(before_[part].begin(), before_[part].end());
      const int done = text.function<int(double*, double)>("step")(memory.data(), times_[part]);
      const bool is_same = std::equal(
          after_[part].begin(), after_[part].begin() + setup_.layout.size, memory.begin(),
          [](double a, double b) { return a == b || (a != a && b != b); });
      if (done != 1 || !is_same) ++count;
    }
    return count;
  }

  std::size_t learnt = 0, known = 0, wrong = 0;

 private:
  StepSetup setup_;
  std::size_t size_;
  bool by_parts_;
  StepSample sample_;
  std::unique_ptr<RecordedDesign> design_;
  std::array<std::unique_ptr<StepPrograms>, kernels::kEvaluationParts> programs_;
  // Of the last sample that was known, by part.
  std::array<std::vector<double>, kernels::kEvaluationParts> before_, after_;
  std::array<double, kernels::kEvaluationParts> times_{};
};

struct Method {
  const char* formulation;
  const char* integrator;
  Sensitivity sensitivity;
};
constexpr Sensitivity kMotion = Sensitivity::none;
constexpr Sensitivity kDirect = Sensitivity::direct;
constexpr Sensitivity kAdjoint = Sensitivity::adjoint;
constexpr Method kForLoops[] = {
    {"index1", "dop853", kDirect},         {"matrix-r", "rk4", kDirect},
    {"penalty", "dopri5", kAdjoint},       {"penalty", "dopri5", kDirect},
    {"index1", "radau5", kDirect},         {"matrix-r", "radau9", kMotion},
    {"index1", "newmark", kDirect},        {"matrix-r", "rk4", kAdjoint},
    {"penalty", "trapezoidal", kDirect},   {"index1", "radau5", kAdjoint},
    {"fully-recursive", "rk4", kDirect},   {"fully-recursive", "dopri5", kAdjoint},
    {"fully-recursive", "radau5", kDirect}};
constexpr Method kForTrees[] = {
    {"semi-recursive", "dop853", kDirect},   {"fully-recursive", "dopri5", kDirect},
    {"semi-recursive", "radau5", kDirect},   {"fully-recursive", "generalised-alpha", kDirect},
    {"fully-recursive", "dopri5", kAdjoint}, {"semi-recursive", "explicit-euler", kDirect},
    {"semi-recursive", "rodas5p", kMotion},  {"semi-recursive", "rodas5p", kAdjoint}};

struct Lesson {
  std::size_t learnt, known, wrong;
};

// With columns of some parameters, others from seed to seed.
Lesson lesson(const Model& plain, const Method& method, unsigned seed) {
  const Model model = derivative::parametrise_all(with_objectives(plain));
  Options options;
  options.formulation = method.formulation;
  options.integrator = method.integrator;
  options.step = 1e-3;
  options.duration = 5e-3;
  options.columns_in_error = false;
  const CompiledMechanism mechanism(model, options);
  MotionRequest request = mechanism.request();
  request.sensitivity = method.sensitivity;
  request.n_design = 1;
  request.parameters = mechanism.plan().nominal;
  const bool goes_back = method.sensitivity == kAdjoint;
  const int parameters = mechanism.plan().parameter_count();
  const int columns = goes_back ? parameters : kColumns;
  const HostSetup setup(request, request.sensitivity, columns);
  const Vehicle vehicle = choose_vehicle(request, 1);
  HostChunk<double> chunk(request, setup, vehicle);
  set_designs(chunk, request, setup.layout, 0, 1);
  const int first = static_cast<int>(seed) % std::max(1, parameters - columns);
  chunk.see_columns(first, columns);
  StepSetup pupil_setup{kernels::after_start(with_columns_of(request.plan->view(), first, columns)),
                        setup.layout,
                        request.settings(),
                        1,
                        vehicle.launch,
                        setup.formulation.evaluation};
  pupil_setup.goes_back = goes_back;
  Pupil pupil(pupil_setup, chunk.memory_size(), seed % 2 == 0);
  chunk.use_programs(&pupil);
  if (goes_back) {
    DiscreteAdjoint<HostChunk<double>> way(request, setup.formulation, setup.layout, chunk, 0);
    way.forwards([](std::size_t, const Instant&) {});
    if (!chunk.has_failed()) way.backwards();
  } else {
    run_time_loop(request, setup.formulation, chunk,
                  [&](std::size_t, const Instant&) { return !chunk.has_failed(); });
  }
  std::size_t wrong = pupil.wrong;
  if (seed % kCompiled == 0) wrong += pupil.count_wrong_when_compiled();
  return {pupil.learnt, pupil.known, wrong};
}

void expect_learnt(const std::function<Model(unsigned)>& make, const Method* methods,
                   std::size_t count, unsigned seeds) {
  std::size_t learnt = 0, known = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const Method& method = methods[seed % count];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + method.formulation + ", " +
                 method.integrator);
    const Lesson found = lesson(make(seed), method, seed);
    EXPECT_EQ(found.wrong, 0u);
    EXPECT_GT(found.learnt, 4u);
    learnt += found.learnt;
    known += found.known;
  }
  EXPECT_GT(2 * known, learnt);
}

TEST(RandomPrograms, RepeatTrees) {
  expect_learnt(test::random_tree_with_forces, kForTrees, std::size(kForTrees), kTrees);
}

TEST(RandomPrograms, RepeatLoops) {
  expect_learnt(test::random_loop_with_forces, kForLoops, std::size(kForLoops), kLoops);
}

}  // namespace
}  // namespace gradus::specialise
