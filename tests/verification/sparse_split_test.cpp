// Sparse factors of the constraints: their structure holds wherever a mechanism is, they give the
// numbers of dense factors, and where their order does not serve these take over, design by design.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/motion/design_run.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/start_constraints.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/source_path.hpp"

namespace gradus {
namespace {

struct Case {
  const char* model;
  const char* formulation;
  const char* integrator;
  const char* method;
  double duration;
  bool varies;  // for sure, the smallest pivot, among designs and with time
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.model << ", " << c.formulation << " by " << c.integrator << ", " << c.method;
}

Model model_of(const Case& c) {
  Model m = read_model(source_path("models/" + std::string(c.model) + ".json"));
  m.analysis.duration = c.duration;
  m.analysis.step = c.duration / 20;
  return m;
}

Options options_of(const Case& c) {
  Options options;
  options.backend = "cpu:1";
  options.coordinates = "reference-point";
  options.formulation = c.formulation;
  options.integrator = c.integrator;
  options.method = c.method;
  return options;
}

// Runs of a mechanism with another plan in the place of its own.
class Trial {
 public:
  explicit Trial(const Case& c)
      : method_(c.method),
        run_(std::make_shared<const CompiledMechanism>(model_of(c), options_of(c)), options_of(c),
             c.method),
        plan(run_.plan()) {}

  MotionOutcome go(int designs, int lanes) const {
    MotionRequest request = run_.request();
    request.plan = &plan;
    request.sensitivity = method_ == "adjoint" ? Sensitivity::adjoint : Sensitivity::direct;
    request.lanes = lanes;
    request.n_design = static_cast<std::size_t>(designs);
    std::vector<double> parameters;
    for (int i = 0; i < designs; ++i)
      for (const double p : run_.mechanism().nominal()) parameters.push_back(p * (1 + 0.004 * i));
    request.parameters = parameters;
    return run_.run(request);
  }

 private:
  std::string method_;
  DesignRun run_;

 public:
  Plan plan;
};

void clear_order(Plan& plan) {
  plan.split_steps.clear();
  plan.split_places.clear();
  plan.split_runs.clear();
  plan.split_free.clear();
}

void expect_close(const MotionOutcome& a, const MotionOutcome& b, std::size_t columns) {
  EXPECT_EQ(a.status, b.status);
  for (const kernels::Status status : a.status) EXPECT_EQ(status, kernels::Status::ok);
  EXPECT_LT(derivative::largest_deviation(a.objectives, b.objectives, 1), 1e-9);
  EXPECT_LT(derivative::largest_deviation(a.gradient, b.gradient, columns), 1e-8);
}

// How many designs have the very gradients that they have with sparse factors.
int served(const MotionOutcome& sparse, const MotionOutcome& run) {
  int count = 0;
  const std::size_t designs = run.status.size(), size = run.gradient.size() / designs;
  for (std::size_t i = 0; i < designs; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(i * size);
    count += std::equal(sparse.gradient.begin() + begin,
                        sparse.gradient.begin() + begin + static_cast<std::ptrdiff_t>(size),
                        run.gradient.begin() + begin)
                 ? 1
                 : 0;
  }
  return count;
}

class SparseSplit : public testing::TestWithParam<Case> {};

TEST_P(SparseSplit, GivesTheNumbersOfDenseFactors) {
  Trial trial(GetParam());
  ASSERT_FALSE(trial.plan.split_steps.empty());
  const MotionOutcome sparse = trial.go(1, 1);
  clear_order(trial.plan);
  expect_close(sparse, trial.go(1, 1), trial.plan.nominal.size());
}

TEST_P(SparseSplit, LeavesDesignsThatItDoesNotServeToDenseFactors) {
  Trial trial(GetParam());
  const double least = trial.plan.least_split_pivot;
  ASSERT_GT(least, 0.0);
  const int lanes = possible_lanes().back();
  const MotionOutcome sparse = trial.go(lanes, lanes);
  bool differs = false;
  // The order serves all designs, some of them, none.
  std::vector<double> shares{1.0, 1e9};
  for (int k = -6; k <= 6; ++k) shares.push_back(20.0 * std::exp(0.03 * k));
  for (const double share : shares) {
    SCOPED_TRACE(share);
    trial.plan.least_split_pivot = share * least;
    const MotionOutcome together = trial.go(lanes, lanes);
    EXPECT_EQ(together.lanes, lanes);
    expect_close(sparse, together, trial.plan.nominal.size());
    const MotionOutcome alone = trial.go(lanes, 1);
    EXPECT_EQ(together.objectives, alone.objectives);
    EXPECT_EQ(together.gradient, alone.gradient);
    differs = differs || served(sparse, together) % lanes != 0;
  }
  EXPECT_TRUE(differs || !GetParam().varies)
      << "no designs of a pack have other factors than the others";
}

constexpr Case kCases[] = {
    {"slider-crank/slider-crank-spring", "ali3p", "newmark", "direct", 0.1, false},
    {"slider-crank/slider-crank-spring", "ali3p", "newmark", "adjoint", 0.1, false},
    {"slider-crank/slider-crank-spring", "index1", "rk4", "direct", 0.1, true},
    {"slider-crank/slider-crank-spring", "index1", "rk4", "adjoint", 0.1, true},
    {"slider-crank/slider-crank-spring", "matrix-r", "rk4", "direct", 0.1, true},
    {"flyball-governor/flyball-governor", "ali3p", "newmark", "direct", 0.02, true},
    {"flyball-governor/flyball-governor", "index1", "rk4", "adjoint", 0.02, true},
    {"stewart-platform/stewart-platform", "ali3p", "newmark", "direct", 0.01, false},
    {"stewart-platform/stewart-platform", "index1", "rk4", "adjoint", 0.01, false},
};

std::string name_of(const testing::TestParamInfo<Case>& tested) {
  const std::string model = tested.param.model;
  std::string name = model.substr(model.rfind('/') + 1) + "_" + tested.param.formulation + "_" +
                     tested.param.integrator + "_" + tested.param.method;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Models, SparseSplit, testing::ValuesIn(kCases), name_of);

// Entries of the Jacobian are zero but where the order knows of them.
void expect_covered(const Plan& plan) {
  StartConstraints constraints(plan);
  const auto rows = static_cast<Eigen::Index>(plan.split_steps.size());
  for (const Eigen::MatrixXd& jacobian : constraints.jacobians_elsewhere(constraints.units(plan)))
    for (const kernels::SplitStepEntry& step : plan.split_steps) {
      const std::set<int> known(plan.split_places.begin() + step.entry_begin,
                                plan.split_places.begin() + step.entry_end);
      ASSERT_LT(step.row, rows);
      for (Eigen::Index c = 0; c < jacobian.cols(); ++c)
        EXPECT_TRUE(jacobian(step.row, c) == 0.0 || known.contains(static_cast<int>(c)))
            << step.row << ", " << c;
    }
}

// Each row once, each coordinate the head of one reflection or free.
void expect_complete(const Plan& plan) {
  std::multiset<int> rows, coordinates(plan.split_free.begin(), plan.split_free.end());
  for (const kernels::SplitStepEntry& step : plan.split_steps) {
    rows.insert(step.row);
    coordinates.insert(step.head);
  }
  for (int i = 0; i < static_cast<int>(plan.split_steps.size()); ++i) EXPECT_EQ(rows.count(i), 1u);
  for (int c = 0; c < plan.coordinate_count(); ++c) EXPECT_EQ(coordinates.count(c), 1u);
}

TEST(SplitOrder, KnowsWhatRowsDependOn) {
  int orders = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Model m = seed % 2 == 0
                        ? test::random_tree_of_all_joints(seed, 3 + static_cast<int>(seed)).model
                        : test::random_loop_of_all_joints(seed, 4 + static_cast<int>(seed % 6),
                                                          oracle::JointType::kSpherical)
                              .model;
    Options options;
    options.coordinates = "reference-point";
    try {
      const CompiledMechanism mechanism(m, options);
      if (mechanism.plan().split_steps.empty()) continue;
      ++orders;
      expect_covered(mechanism.plan());
      expect_complete(mechanism.plan());
    } catch (const InputError& error) {
      test::expect_part(error.what(), "a part of the orientation");
    }
  }
  EXPECT_GE(orders, 6);
}

TEST(SplitOrder, IsNoneWhereFactorsAreSmall) {
  for (const char* model : {"five-bar/five-bar", "slider-crank/slider-crank-spring"}) {
    const Model m = read_model(source_path("models/" + std::string(model) + ".json"));
    EXPECT_TRUE(CompiledMechanism(m, {}).plan().split_steps.empty()) << model;
  }
}

}  // namespace
}  // namespace gradus
