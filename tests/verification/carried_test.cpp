// Steps of ali3p miss nothing but what is carried from one to the next.
#include "src/specialise/carried.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gradus/model.hpp"
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
        carried_(carried_between_steps(design_.layout(), design_.plan())) {}

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

}  // namespace
}  // namespace gradus::specialise
