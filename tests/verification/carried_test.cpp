// Steps of ali3p miss nothing but what is carried from one to the next.
#include "src/specialise/carried.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gradus/model.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"
#include "src/plan/plan.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::specialise {
namespace {

constexpr std::size_t kSteps = 12;

// A motion by general kernels, of whose memory all that is not carried may be spoilt between steps.
class Motion {
 public:
  Motion(const Plan& plan, double step, Sensitivity sensitivity, const std::string& integrator,
         const std::string& projections) {
    request_.plan = &plan;
    request_.formulation = &formulation_traits("ali3p");
    request_.analysis.integrator = integrator;
    request_.analysis.projections = projections;
    request_.step = step;
    request_.steps = kSteps;
    request_.sensitivity = sensitivity;
    auto& chunk = arguments_.chunk;
    chunk.plan = plan.view();
    Extras extras;
    extras.saddle = projections == "penalty";
    chunk.layout = make_layout(chunk.plan, sensitivity, {}, extras);
    chunk.settings = request_.settings();
    memory_.assign(static_cast<std::size_t>(chunk.layout.size), 0.0);
    std::copy(plan.nominal.begin(), plan.nominal.end(), memory_.begin() + chunk.layout.parameter);
    chunk.memory = memory_.data();
    chunk.status = &status_;
    chunk.failure_time = &failure_time_;
    chunk.design_count = 1;
    carried_ = carried_between_steps(chunk.layout, chunk.plan);
  }

  // What is carried behind the last step.
  std::vector<double> run(bool spoils) {
    const auto run_kernel = [this](kernels::KernelId kernel, const Instant& at,
                                   const kernels::StageTangent& stage) {
      arguments_.time = at.time;
      arguments_.weight = at.weight;
      arguments_.last = at.kind();
      arguments_.stage = stage;
      host_kernels()(kernel, arguments_);
    };
    struct {
      const decltype(run_kernel)& launch;
    } launcher{run_kernel};
    const Formulation formulation =
        request_.formulation->make(arguments_.chunk.layout, arguments_.chunk.settings);
    run_time_loop(request_, formulation, launcher, [&](std::size_t k, const Instant&) {
      if (spoils && k < kSteps) spoil();
      return true;
    });
    EXPECT_EQ(status_, kernels::Status::ok);
    return numbers();
  }

 private:
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const Span& span : carried_)
      all.insert(all.end(), memory_.begin() + span.begin,
                 memory_.begin() + span.begin + span.count);
    return all;
  }
  void spoil() {
    std::vector<double> kept(memory_.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Span& span : carried_)
      std::copy_n(memory_.begin() + span.begin, span.count, kept.begin() + span.begin);
    std::copy(kept.begin(), kept.end(), memory_.begin());
  }

  MotionRequest request_;
  kernels::KernelArguments<double, false> arguments_{};
  std::vector<double> memory_;
  std::vector<Span> carried_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
};

bool have_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

// States, friction by reactions, a bushing, a spline with a parameter, instants that are looked
// for.
Model of_everything() {
  return parse_model(R"json({
    "schema": "gradus-model/1", "name": "everything", "gravity": [0, -9.81, 0],
    "parameters": {"mu": 0.2, "k": 30, "L": 0.5, "v": 1.5, "m": 2},
    "bodies": {
      "a": {"mass": "m", "com": ["L", 0, 0], "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.2},
            "points": {"tip": [1, 0, 0]}},
      "b": {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.2},
            "points": {"tip": [1, 0, 0]}},
      "free": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 0.1, "yy": 0.2, "zz": 0.3}}},
    "joints": {
      "j": {"type": "revolute", "parent": "ground", "child": "a", "initial": {"position": 0.3}},
      "k": {"type": "revolute", "parent": "a.tip", "child": "b", "initial": {"position": 0.4}},
      "f": {"type": "floating", "parent": "ground", "child": "free"}},
    "states": {"y": {"rate": "-3*y + k*q", "initial": "v"}},
    "sensors": {"q": {"coordinate": "j"}, "w": {"rate": "j"}, "on": {"reaction_force": "j"},
                "tip": {"position": "b.tip"}},
    "forces": {
      "friction": {"type": "joint-force", "joint": "j",
                   "value": "-mu*sqrt(on.x^2 + on.y^2 + 1e-4)*tanh(w/0.1) + y"},
      "mount": {"type": "bushing", "from": "ground", "to": "free.com", "stiffness": ["k", 20, 30],
                "torsional_stiffness": [3, 4, "k"], "damping": [1, 1, 1]},
      "table": {"type": "joint-force", "joint": "k",
                "value": "spline(t, [0, 0.01, 0.02, 0.05], [0, v, 2, 1])"}},
    "objectives": {
      "top": {"maximum": "tip.x - 20*(t - 0.006)^2"}, "when": {"time_when": "q - 0.2999"},
      "mean": {"integral": "tip.y^2 + on.x"}, "end": {"terminal": "tip.x"},
      "at": {"value": "w", "at": 0.006}},
    "analysis": {"duration": 0.012, "step": 0.001}})json");
}

std::vector<Model> models() {
  std::vector<Model> all;
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
  all.push_back(of_everything());
  return all;
}

TEST(CarriedNumbers, AreAllThatStepsMiss) {
  for (const Model& model : models()) {
    const Plan plan = build_plan(model, Reference::rtdyn0);
    for (const Sensitivity sensitivity : {Sensitivity::none, Sensitivity::direct})
      for (const char* integrator : {"newmark", "generalised-alpha"})
        for (const char* projections : {"exact", "iterative", "penalty", "none"}) {
          const auto motion = [&] {
            return Motion(plan, model.analysis.step, sensitivity, integrator, projections);
          };
          EXPECT_TRUE(have_same_bits(motion().run(false), motion().run(true)))
              << model.name << ", " << integrator << ", " << projections;
        }
  }
}

}  // namespace
}  // namespace gradus::specialise
