// Steps of ali3p miss nothing but what is carried from one to the next.
#include "src/specialise/carried.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/plan.hpp"
#include "src/specialise/motion_design.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::specialise {
namespace {

constexpr std::size_t kSteps = 12;

// A motion by general kernels, of whose memory all that is not carried may be spoilt between steps.
class Motion {
 public:
  explicit Motion(const MotionRequest& request)
      : request_(request),
        design_(request_),
        carried_(carried_between_steps(design_.layout(), design_.plan(), design_.company())) {}

  // What is carried behind the last step.
  std::vector<double> run(bool spoils) {
    const auto run_kernel = [this](kernels::KernelId kernel, const Instant& at,
                                   const kernels::StageTangent& stage) {
      design_.run(design_.at(kernel, at, stage));
    };
    struct {
      const decltype(run_kernel)& launch;
    } launcher{run_kernel};
    const Formulation formulation =
        request_.formulation->make(design_.layout(), design_.settings());
    run_time_loop(request_, formulation, launcher, [&](std::size_t k, const Instant&) {
      if (spoils && k < kSteps) spoil();
      return true;
    });
    EXPECT_EQ(design_.status(), kernels::Status::ok);
    return numbers();
  }

 private:
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const Span& span : carried_) {
      const auto from = design_.memory().begin() + span.begin;
      all.insert(all.end(), from, from + span.count);
    }
    return all;
  }
  void spoil() {
    DesignMemory& memory = design_.memory();
    std::vector<double> kept(memory.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Span& span : carried_)
      std::copy_n(memory.begin() + span.begin, span.count, kept.begin() + span.begin);
    std::copy(kept.begin(), kept.end(), memory.begin());
  }

  MotionRequest request_;
  MotionDesign design_;
  std::vector<Span> carried_;
};

bool have_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

// So many objectives that elements are pooled.
Model with_many_objectives() {
  Model model = read_model(source_path("models/spring-pendulum/spring-pendulum.json"));
  model.objectives.back().at = {0.001, 0.002};
  const Objective late = model.objectives.back();
  for (int k = 2; k <= 6; ++k) {
    model.objectives.push_back(late);
    model.objectives.back().name += std::to_string(k);
  }
  for (Parameter& parameter : model.parameters) parameter.value = 0.7;
  return model;
}

std::vector<Model> models() {
  std::vector<Model> all{with_many_objectives()};
  for (const char* file : {"five-bar/five-bar.json", "slider-crank/slider-crank-spring.json",
                           "stewart-platform/stewart-platform.json"})
    all.push_back(read_model(source_path(std::string("models/") + file)));
  all.push_back(derivative::every_joint());
  all.push_back(derivative::every_force());
  all.push_back(derivative::parametrise_all(derivative::skew_chain()));
  all.push_back(derivative::parametrise_all(derivative::general_loop(JointType::revolute)));
  all.push_back(derivative::tilted_four_bar());
  all.push_back(derivative::two_four_bars());
  all.push_back(derivative::guided_loop());
  all.push_back(derivative::of_everything());
  all.push_back(derivative::led_by_states());
  return all;
}

TEST(CarriedNumbers, AreAllThatStepsMiss) {
  for (const Model& model : models()) {
    const Plan plan = build_plan(model, Reference::rtdyn0);
    for (const Sensitivity sensitivity : {Sensitivity::none, Sensitivity::direct})
      for (const char* integrator : {"newmark", "generalised-alpha"})
        for (const char* projections : {"exact", "iterative", "penalty", "none"}) {
          MotionRequest request = steps_by_ali3p(plan, model.analysis.step, kSteps, sensitivity);
          request.analysis.integrator = integrator;
          request.analysis.projections = projections;
          EXPECT_TRUE(have_same_bits(Motion(request).run(false), Motion(request).run(true)))
              << model.name << ", " << integrator << ", " << projections;
        }
  }
}

// A chunk of which all that is not carried may be spoilt before its steps are taken, and taken
// back.
class SpoiltChunk : public HostChunk<double> {
 public:
  SpoiltChunk(const MotionRequest& request, const HostSetup& setup, bool spoils)
      : HostChunk(request, setup, choose_vehicle(request, 1)),
        size_(setup.layout.size),
        spoils_(spoils) {
    const kernels::PlanView plan = kernels::after_start(request.plan->view());
    carried_[step_back] = carried_back(setup.layout, plan);
    // Sums that only steps back add to are zero before these.
    carried_[step_forwards] = carried_between_steps(setup.layout, plan, Company::rows);
    carried_[step_forwards].insert(carried_[step_forwards].end(), carried_[step_back].begin(),
                                   carried_[step_back].end());
  }
  template <class Launches>
  void take(int part, double, bool has_program, const Launches& launches) {
    if (spoils_ && has_program) {
      std::vector<double> kept(static_cast<std::size_t>(size_),
                               std::numeric_limits<double>::quiet_NaN());
      for (const Span& span : carried_[part])
        std::copy_n(at(span.begin), span.count, kept.begin() + span.begin);
      std::copy(kept.begin(), kept.end(), at(0));
    }
    launches();
  }

 private:
  int size_;
  bool spoils_;
  std::vector<Span> carried_[2];
};

std::vector<double> gradient(const MotionRequest& request, bool spoils) {
  const HostSetup setup(request, request.sensitivity, request.plan->parameter_count());
  SpoiltChunk chunk(request, setup, spoils);
  set_designs(chunk, request, setup.layout, 0, 1);
  DiscreteAdjoint<SpoiltChunk> adjoint(request, setup.formulation, setup.layout, chunk, 0);
  adjoint.forwards([](std::size_t, const Instant&) {});
  adjoint.backwards();
  EXPECT_EQ(chunk.status(), kernels::Status::ok);
  std::vector<double> found(request.plan->objectives.size() * request.plan->nominal.size());
  std::copy_n(chunk.at(setup.layout.objective_gradient), found.size(), found.begin());
  return found;
}

TEST(CarriedNumbers, AreAllThatStepsTakenBackMiss) {
  std::size_t found = 0;
  for (Model model : models()) {
    std::erase_if(model.objectives, [](const Objective& o) {
      return o.kind == ObjectiveKind::maximum || o.kind == ObjectiveKind::time_when;
    });
    for (const char* integrator : {"newmark", "generalised-alpha"})
      for (const char* projections : {"exact", "iterative", "penalty"}) {
        Options options;
        options.formulation = "ali3p";
        options.duration = kSteps * model.analysis.step;
        options.integrator = integrator;
        options.projections = projections;
        const CompiledMechanism mechanism(model, options);
        MotionRequest request = mechanism.request();
        request.sensitivity = Sensitivity::adjoint;
        request.parameters = mechanism.plan().nominal;
        request.n_design = 1;
        const std::vector<double> whole = gradient(request, false);
        if (std::any_of(whole.begin(), whole.end(), [](double x) { return x != 0.0; })) ++found;
        EXPECT_TRUE(have_same_bits(whole, gradient(request, true)))
            << model.name << ", " << integrator << ", " << projections;
      }
  }
  EXPECT_GE(found, 60u);  // of ten models
}

}  // namespace
}  // namespace gradus::specialise
