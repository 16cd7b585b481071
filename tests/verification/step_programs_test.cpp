// Steps of ali3p, each recorded, interpreted and compared with what general kernels leave.
#include "src/specialise/step_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"
#include "src/plan/plan.hpp"
#include "src/specialise/host_compiler.hpp"
#include "src/specialise/invariants.hpp"
#include "src/specialise/lessons.hpp"
#include "src/specialise/motion_design.hpp"
#include "tests/derivative/build.hpp"
#include "tests/support/random_forces.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

constexpr std::size_t kSteps = 16;
constexpr int kColumns = 5;
constexpr unsigned kCompiled = 15;  // one of so many is
constexpr double kStep = 1e-3;      // s

StepSetup setup_of(const MotionRequest& request, int first, int columns,
                   std::optional<double> projection_tolerance) {
  StepSetup setup;
  setup.plan = with_columns_of(request.plan->view(), first, columns);
  setup.layout = make_layout(setup.plan, request.sensitivity, {}, {});
  setup.settings = request.settings();
  if (projection_tolerance) setup.settings.projection_tolerance = *projection_tolerance;
  setup.launch = host_kernels();
  return setup;
}

std::vector<double> memory_of(const StepSetup& setup, const Plan& plan, double factor) {
  std::vector<double> memory(
      static_cast<std::size_t>(setup.layout.size + kernels::kMostKeptNumbers), 0.0);
  std::transform(plan.nominal.begin(), plan.nominal.end(), memory.begin() + setup.layout.parameter,
                 [&](double number) { return factor * number; });
  return memory;
}

// Samples of the steps of a motion by general kernels, with columns of some parameters, of a design
// whose parameters are so many times those of the nominal one.
class Samples {
 public:
  explicit Samples(const Plan& plan, Sensitivity sensitivity, int first = 0, double factor = 1.0,
                   std::optional<double> projection_tolerance = std::nullopt)
      : request_(steps_by_ali3p(plan, kStep, kSteps, sensitivity)),
        setup(setup_of(request_, first, std::min(kColumns, plan.parameter_count()),
                       projection_tolerance)),
        design(setup, memory_of(setup, plan, factor).data()) {
    std::vector<StepLaunch> launches;
    const auto run_kernel = [&](kernels::KernelId kernel, const Instant& at,
                                const kernels::StageTangent& stage) {
      StepLaunch launch{kernel, {}};
      launch.arguments.time = at.time;
      launch.arguments.weight = at.weight;
      launch.arguments.last = at.kind();
      launch.arguments.stage = stage;
      launches.push_back(launch);
      design.run(launch);
    };
    struct {
      const decltype(run_kernel)& launch;
    } launcher{run_kernel};
    const Formulation formulation = request_.formulation->make(design.layout(), design.settings());
    std::vector<double> before;
    run_time_loop(request_, formulation, launcher, [&](std::size_t k, const Instant& at) {
      // The last step of a motion leaves out what the next would need.
      if (k > 0 && k < request_.steps) all.push_back({0, at.time, before, {}, launches});
      before = design.copy();
      launches.clear();
      return design.status() == kernels::Status::ok;
    });
  }

 private:
  MotionRequest request_;

 public:
  const StepSetup setup;
  RecordedDesign design;
  std::vector<StepSample> all;
};

struct School {
  explicit School(const Samples& samples) : School(samples.setup, samples.all.front()) {}
  School(const StepSetup& setup, const StepSample& sample)
      : lessons(setup, sample.before.data()), programs(lessons.no_programs(sample.part)) {}

  // Whether programs repeat it, if it can be recorded at all.
  bool learns(StepSample sample) {
    const Lessons::Use use = lessons.prepare(*programs, sample);
    return use == Lessons::Use::none ||
           (use == Lessons::Use::some && lessons.learn(*programs, sample) == Lessons::Use::some);
  }

  void expect_same_when_compiled(const Samples& samples) {
    const QuickCompiler quick;
    const CompiledText text(host_compiler(), programs->text(1, columns_in_loops(samples.setup)));
    auto* const step = text.function<int(double*, double)>("step");
    std::size_t taken = 0;
    for (StepSample sample : samples.all) {
      DesignMemory memory(sample.before.begin(), sample.before.end());
      if (step(memory.data(), sample.time) == 0) continue;
      ++taken;
      ASSERT_EQ(lessons.prepare(*programs, sample), Lessons::Use::some);
      EXPECT_TRUE(lessons.carries_the_same(*programs, memory, sample)) << sample.time;
    }
    EXPECT_GT(taken, 0u);
  }

  Lessons lessons;
  std::unique_ptr<StepPrograms> programs;
};

TEST(StepPrograms, RepeatStepsOfRandomMechanisms) {
  std::size_t known = 0, shown = 0;
  for (unsigned seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Model model = derivative::parametrise_all(with_objectives(
        seed % 3 == 0 ? test::random_tree_with_forces(seed) : test::random_loop_with_forces(seed)));
    const CompiledMechanism mechanism(model, {});
    const Plan& plan = mechanism.plan();
    const Sensitivity sensitivity = seed % 2 == 0 ? Sensitivity::direct : Sensitivity::none;
    const int first = static_cast<int>(seed) % std::max(1, plan.parameter_count() - kColumns);
    const Samples samples(plan, sensitivity, first);
    const Samples others(plan, sensitivity, first, 1.01);
    School school(samples);
    for (const Samples* const each : {&samples, &others})
      for (const StepSample& sample : each->all) {
        EXPECT_TRUE(school.learns(sample)) << sample.time << school.lessons.obstacle();
        known += school.programs->knew_last() ? 1 : 0;
        ++shown;
      }
    if (seed % kCompiled == 0) school.expect_same_when_compiled(samples);
  }
  EXPECT_EQ(shown, 15u * 2 * (kSteps - 1));
  EXPECT_GT(4 * known, 3 * shown);
}

// Samples of the steps of a motion by general kernels that is kept for an adjoint and taken back.
class ReversibleSamples : public HostChunk<double> {
 public:
  ReversibleSamples(const MotionRequest& request, const HostSetup& setup)
      : HostChunk(request, setup, {1, host_kernels()}) {}

  template <class Launches>
  void take(int part, double time, bool has_program, const Launches& launches) {
    if (!has_program) return launches();
    StepSample sample{part, time, {at(0), at(0) + memory_size()}, {}, {}};
    told_ = &sample;
    launches();
    told_ = nullptr;
    for (StepLaunch& told : sample.launches) {
      told.arguments.time = time;
      HostChunk::launch(told);
    }
    all[part].push_back(std::move(sample));
  }
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (told_ != nullptr)
      told_->launches.push_back({kernel, arguments_of(kernel, at, stage)});
    else
      HostChunk::launch(kernel, at, stage);
  }
  using HostChunk<double>::launch;

  std::vector<StepSample> all[2];

 private:
  StepSample* told_ = nullptr;
};

TEST(StepPrograms, RepeatStepsOfRandomMechanismsThatAreTakenBack) {
  std::size_t known[2] = {}, shown[2] = {};
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Model model = derivative::parametrise_all(with_objectives(
        seed % 3 == 0 ? test::random_tree_with_forces(seed) : test::random_loop_with_forces(seed)));
    Options options;
    options.formulation = "ali3p";
    options.step = kStep;
    options.duration = static_cast<double>(kSteps) * kStep;
    const CompiledMechanism mechanism(model, options);
    MotionRequest request = mechanism.request();
    request.sensitivity = Sensitivity::adjoint;
    request.n_design = 1;
    request.parameters = mechanism.plan().nominal;
    const HostSetup own(request, request.sensitivity, mechanism.plan().parameter_count());
    ReversibleSamples samples(request, own);
    set_designs(samples, request, own.layout, 0, 1);
    DiscreteAdjoint<ReversibleSamples> adjoint(request, own.formulation, own.layout, samples, 0);
    adjoint.forwards([](std::size_t, const Instant&) {});
    if (samples.has_failed()) continue;
    adjoint.backwards();
    StepSetup setup{kernels::after_start(request.plan->view()),
                    own.layout,
                    request.settings(),
                    1,
                    host_kernels(),
                    {}};
    setup.goes_back = true;
    for (const int part : {step_forwards, step_back}) {
      School school(setup, samples.all[part].front());
      for (const StepSample& sample : samples.all[part]) {
        EXPECT_TRUE(school.learns(sample)) << sample.time << school.lessons.obstacle();
        known[part] += school.programs->knew_last() ? 1 : 0;
        ++shown[part];
      }
    }
  }
  for (const int part : {step_forwards, step_back}) {
    EXPECT_GT(shown[part], 10 * (kSteps - 1)) << part;
    EXPECT_GT(2 * known[part], shown[part]) << part;
  }
}

// Zeros of a mechanism in a plane: matrices of its bodies, whatever its design.
TEST(Invariants, AreThoseOfTheMechanism) {
  const Plan plan =
      build_plan(read_model(source_path("models/five-bar/five-bar.json")), Reference::rtdyn0);
  Samples samples(plan, Sensitivity::direct);
  const Invariants invariants = find_invariants(samples.design, samples.all.front());
  const kernels::Layout& layout = samples.design.layout();
  const auto at = [&](int place) { return invariants[static_cast<std::size_t>(place)]; };
  for (int body = 0; body < plan.view().body_count; ++body) {
    const int rotation = layout.rotation + 9 * body;
    const int others = static_cast<int>(
        std::count_if(invariants.begin() + rotation, invariants.begin() + rotation + 9,
                      [](const std::optional<double>& number) { return !number.has_value(); }));
    EXPECT_EQ(others, 4);  // sines and cosines of an angle about z
  }
  EXPECT_FALSE(at(layout.position));
  EXPECT_FALSE(at(layout.parameter));
  EXPECT_FALSE(at(layout.pivot));
  const Samples other(plan, Sensitivity::direct, 0, 1.03);
  for (const Samples* const each : {static_cast<const Samples*>(&samples), &other})
    for (const StepSample& sample : each->all)
      for (std::size_t p = 0; p < invariants.size(); ++p)
        EXPECT_EQ(sample.before[p], invariants[p].value_or(sample.before[p])) << p;
}

// Columns of a row are all the same, or all other numbers.
TEST(Invariants, LeaveColumnsAlike) {
  const Plan plan =
      build_plan(read_model(source_path("models/five-bar/five-bar.json")), Reference::rtdyn0);
  Samples samples(plan, Sensitivity::direct);
  const Invariants invariants = find_invariants(samples.design, samples.all.front());
  const std::vector<Span> rows = invariant_places(samples.design).rows;
  std::size_t found = 0;
  for (const Span& row : rows)
    for (int k = row.begin; k < row.begin + row.count; ++k) {
      EXPECT_EQ(invariants[static_cast<std::size_t>(k)],
                invariants[static_cast<std::size_t>(row.begin)]);
      found += invariants[static_cast<std::size_t>(k)] ? 1 : 0;
    }
  EXPECT_GT(rows.size(), 50u);
  EXPECT_GT(found, 0u);
}

// A step that finds another number there goes by general kernels, and programs begin anew.
TEST(StepPrograms, KnowNothingOfStepsWithoutInvariants) {
  const Plan plan =
      build_plan(read_model(source_path("models/five-bar/five-bar.json")), Reference::rtdyn0);
  Samples samples(plan, Sensitivity::none);
  School school(samples);
  const Invariants invariants = find_invariants(samples.design, samples.all.front());
  for (const StepSample& sample : samples.all) ASSERT_TRUE(school.learns(sample));
  EXPECT_TRUE(school.programs->knew_last());
  const kernels::Layout& layout = samples.design.layout();
  StepSample other = samples.all.back();
  const int begin = layout.jacobian,
            end = begin + plan.view().constraint_rows * plan.view().coordinate_count;
  int place = begin;
  while (place < end && !invariants[static_cast<std::size_t>(place)]) ++place;
  ASSERT_LT(place, end);
  other.before[static_cast<std::size_t>(place)] += 0.5;
  EXPECT_TRUE(school.learns(other));
  EXPECT_FALSE(school.programs->knew_last());
  EXPECT_TRUE(school.programs->began_anew());
  EXPECT_TRUE(school.learns(other));
  EXPECT_TRUE(school.programs->knew_last());
  EXPECT_FALSE(school.programs->began_anew());
  EXPECT_TRUE(school.learns(samples.all.back()));
  EXPECT_TRUE(school.learns(samples.all.back()));
  EXPECT_TRUE(school.programs->knew_last());
}

// Where velocities are not projected, what the projection would change stays zero; steps that are
// projected later change it.
TEST(StepPrograms, BeginAnewWhereInvariantsChange) {
  const Plan plan =
      build_plan(read_model(source_path("models/five-bar/five-bar.json")), Reference::rtdyn0);
  constexpr double tolerance = 5e-8;  // of violated rates: in the first steps they are smaller
  const Samples samples(plan, Sensitivity::direct, 0, 1.0, tolerance);
  School school(samples);
  std::size_t beginnings = 0;
  for (const StepSample& sample : samples.all) {
    EXPECT_TRUE(school.learns(sample)) << sample.time;
    beginnings += school.programs->began_anew() ? 1 : 0;
  }
  EXPECT_EQ(beginnings, 1u);
  for (const StepSample& sample : samples.all) EXPECT_TRUE(school.learns(sample)) << sample.time;
  EXPECT_TRUE(school.programs->knew_last());
}

}  // namespace
}  // namespace gradus::specialise
