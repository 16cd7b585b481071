// Motions by explicit methods find no more of a stage than what is carried behind it, and adjoints
// of an evaluation that is taken back, so that programs need not store the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kernels/core/evaluation_programs.hpp"
#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/mechanism.hpp"
#include "src/specialise/carried.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/random_forces.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

// Spoils what a part has changed and nobody is to find.
class Spoiler : public kernels::EvaluationPrograms {
 public:
  using Part = kernels::EvaluationPart;

  Spoiler(const kernels::Layout& layout, const kernels::PlanView& plan, Sensitivity sensitivity)
      : behind_stages_(static_cast<std::size_t>(layout.size), 0), behind_reversed_(behind_stages_) {
    for (const Span& span :
         carried_between_stages(layout, plan, sensitivity == Sensitivity::direct))
      std::fill_n(behind_stages_.begin() + span.begin, span.count, 1);
    if (sensitivity != Sensitivity::adjoint) return;
    for (const Span& span : carried_behind_reversed(layout, plan))
      std::fill_n(behind_reversed_.begin() + span.begin, span.count, 1);
  }

  kernels::Taken take(Part part, double, void* memory) override {
    if (part != Part::stage && part != Part::stage_back && part != Part::end_back)
      return kernels::Taken::general;
    is_carried_ = part == Part::stage ? &behind_stages_ : &behind_reversed_;
    memory_ = static_cast<double*>(memory);
    before_.assign(memory_, memory_ + is_carried_->size());
    return kernels::Taken::shown;
  }
  void show(const void*) override {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if ((*is_carried_)[i] != 0 || memory_[i] == before_[i]) continue;
      memory_[i] = std::numeric_limits<double>::quiet_NaN();
      ++spoilt;
    }
  }

  std::size_t spoilt = 0;

 private:
  std::vector<char> behind_stages_, behind_reversed_;
  const std::vector<char>* is_carried_ = nullptr;
  double* memory_ = nullptr;
  std::vector<double> before_;
};

struct Method {
  const char* formulation;
  const char* integrator;
  double rtol = 0.0;  // 0: steps of fixed length
};
constexpr Method kForLoops[] = {
    {"index1", "dop853", 1e-6},          {"matrix-r", "dopri5", 1e-6},
    {"penalty", "dopri5", 1e-4},         {"index1", "rk4"},
    {"matrix-r", "dop853", 1e-8},        {"penalty", "rk4"},
    {"fully-recursive", "dopri5", 1e-6}, {"fully-recursive", "rk4"},
};
constexpr Method kForTrees[] = {
    {"semi-recursive", "dop853", 1e-6}, {"fully-recursive", "dopri5", 1e-6},
    {"index1", "dop853", 1e-4},         {"semi-recursive", "rk4"},
    {"fully-recursive", "rk4"},         {"penalty", "dopri5", 1e-6},
};

struct Course {
  std::vector<double> numbers;  // that runs show
  kernels::Status status;
  std::size_t spoilt;
};

Course gradient_of(const MotionRequest& request, const HostSetup& setup, HostChunk<double>& chunk,
                   const Spoiler& spoiler) {
  DiscreteAdjoint<HostChunk<double>> adjoint(request, setup.formulation, setup.layout, chunk, 0);
  adjoint.forwards([](std::size_t, const Instant&) {});
  if (!chunk.has_failed()) adjoint.backwards();
  const double* const gradient = chunk.at(setup.layout.objective_gradient);
  const std::size_t size = request.plan->objectives.size() * request.plan->nominal.size();
  return {{gradient, gradient + size}, chunk.status(), spoiler.spoilt};
}

Course course(const CompiledMechanism& mechanism, Sensitivity sensitivity, bool spoils) {
  MotionRequest request = mechanism.request();
  request.sensitivity = sensitivity;
  request.n_design = 1;
  request.parameters = mechanism.plan().nominal;
  const HostSetup setup(request, sensitivity, mechanism.plan().parameter_count());
  HostChunk<double> chunk(request, setup, choose_vehicle(request, 1));
  set_designs(chunk, request, setup.layout, 0, 1);
  chunk.see_columns(0, mechanism.plan().parameter_count());
  const kernels::PlanView plan = request.plan->view();
  Spoiler spoiler(setup.layout, plan, sensitivity);
  if (spoils) chunk.use_programs(&spoiler);
  if (sensitivity == Sensitivity::adjoint) return gradient_of(request, setup, chunk, spoiler);
  run_time_loop(request, setup.formulation, chunk,
                [&](std::size_t, const Instant&) { return !chunk.has_failed(); });
  Course found{{}, chunk.status(), spoiler.spoilt};
  const kernels::Layout& l = setup.layout;
  const auto add = [&](int offset, int count) {
    for (int i = 0; i < count; ++i) found.numbers.push_back(chunk.entry(offset + i, 0));
  };
  const int objectives = plan.objective_count, n = plan.coordinate_count;
  for (const int offset : {l.position, l.velocity, l.acceleration}) add(offset, n);
  add(l.objective_value, objectives);
  if (request.with_columns())
    add(l.objective_gradient,
        (objectives + plan.least_squares_count * plan.column_count) * plan.column_count);
  add(l.violation, 3);
  add(l.extrapolation, 2 * plan.spline_count);
  for (const int offset : {l.iterations, l.steps, l.rejected_steps, l.passage, l.jump})
    add(offset, 1);
  return found;
}

constexpr Sensitivity kAll[] = {Sensitivity::none, Sensitivity::direct, Sensitivity::adjoint};

// The number of motions that have come to their end.
int expect_nothing_missed(const Model& model, const Method& method, double duration,
                          std::span<const Sensitivity> sensitivities = kAll) {
  Options options;
  options.formulation = method.formulation;
  options.integrator = method.integrator;
  options.duration = duration;
  if (method.rtol > 0.0)
    options.rtol = method.rtol;
  else
    options.step = 1e-3;
  options.singular = "continue";
  const CompiledMechanism mechanism(model, options);
  int done = 0;
  for (const Sensitivity sensitivity : sensitivities) {
    const Course plain = course(mechanism, sensitivity, false);
    const Course spoilt = course(mechanism, sensitivity, true);
    EXPECT_EQ(plain.status, spoilt.status);
    EXPECT_GT(spoilt.spoilt, 0u);
    if (plain.status != kernels::Status::ok) continue;
    EXPECT_EQ(plain.numbers, spoilt.numbers);
    ++done;
  }
  return done;
}

TEST(StagesOfExplicitMethods, LeaveAllThatGoesOnFromThem) {
  std::vector<Model> loops, trees;
  for (const char* file : {"five-bar/five-bar.json", "slider-crank/slider-crank-spring.json",
                           "stewart-platform/stewart-platform.json"})
    loops.push_back(read_model(source_path(std::string("models/") + file)));
  loops.push_back(derivative::guided_loop());
  loops.push_back(derivative::led_by_states());
  trees.push_back(derivative::every_joint());
  trees.push_back(derivative::every_force());
  loops.push_back(derivative::of_everything());
  trees.push_back(derivative::parametrise_all(derivative::skew_chain()));
  for (const Model& model : loops)
    for (const Method& method : kForLoops) {
      SCOPED_TRACE(model.name + ", " + method.formulation + ", " + method.integrator);
      EXPECT_GT(expect_nothing_missed(model, method, 0.05), 0);
    }
  for (const Model& model : trees)
    for (const Method& method : kForTrees) {
      SCOPED_TRACE(model.name + ", " + method.formulation + ", " + method.integrator);
      EXPECT_GT(expect_nothing_missed(model, method, 0.02), 0);
    }
}

// Of methods whose stages depend on each other, and of Rosenbrock methods.
TEST(StagesOfImplicitMethods, AreTakenBackByWhatTheyLeave) {
  constexpr Method methods[] = {
      {"index1", "radau5", 1e-6}, {"matrix-r", "rodas5p", 1e-6}, {"index1", "generalised-alpha"}};
  constexpr Sensitivity adjoint[] = {Sensitivity::adjoint};
  for (const char* file : {"five-bar/five-bar.json", "slider-crank/slider-crank-spring.json"})
    for (const Method& method : methods) {
      SCOPED_TRACE(std::string(file) + ", " + method.formulation + ", " + method.integrator);
      const Model model = read_model(source_path(std::string("models/") + file));
      EXPECT_GT(expect_nothing_missed(model, method, 0.02, adjoint), 0);
    }
}

void expect_nothing_missed_at_random(Model (*make)(unsigned), const Method* methods,
                                     std::size_t count) {
  int done = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Method& method = methods[seed % count];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + method.formulation + ", " +
                 method.integrator);
    done += expect_nothing_missed(derivative::parametrise_all(with_objectives(make(seed))), method,
                                  0.02);
  }
  EXPECT_GT(done, 90);
}

TEST(StagesOfExplicitMethods, LeaveAllThatRandomTreesGoOnFrom) {
  expect_nothing_missed_at_random(test::random_tree_with_forces, kForTrees, std::size(kForTrees));
}

TEST(StagesOfExplicitMethods, LeaveAllThatRandomLoopsGoOnFrom) {
  expect_nothing_missed_at_random(test::random_loop_with_forces, kForLoops, std::size(kForLoops));
}

// Objectives look for instants between the ends of steps, where steps are taken in parts.
TEST(StagesOfExplicitMethods, LeaveAllThatSearchesGoOnFrom) {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  const auto add = [&](const char* name, ObjectiveKind kind, const char* expression) {
    model.objectives.push_back({name, kind, expression, "", ""});
  };
  add("highest", ObjectiveKind::maximum, "r2.y");
  add("fastest", ObjectiveKind::maximum, "dot(v2, v2) + 1e-6*energy");
  add("seen", ObjectiveKind::value, "r2.x*alpha1");
  model.objectives.back().at = {0.7, 1.4};
  for (const Method& method : kForLoops)
    EXPECT_EQ(expect_nothing_missed(model, method, 1.5), 3)
        << method.formulation << ", " << method.integrator;
}

}  // namespace
}  // namespace gradus::specialise
