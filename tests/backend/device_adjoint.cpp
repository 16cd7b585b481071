// Adjoints on a device: what the host gives, to the bit, by every formulation and integrator,
// whatever memory there is, and with designs beside them that fail.
#include <cmath>

#include "gradus/error.hpp"
#include "src/motion/device_run.hpp"
#include "tests/backend/watched_device.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::test {
namespace {

constexpr std::size_t kDesigns = 3;

Options adjoint(const std::string& backend, std::size_t designs = kDesigns) {
  Options options = short_run(backend, designs);
  options.method = "adjoint";
  return options;
}

void expect_same_on_debug(const Model& model, Options options) {
  options.backend = "cpu:1";
  const Result host = gradient(model, options);
  options.backend = "debug";
  const Result debug = gradient(model, options);
  ASSERT_TRUE(host.all_ok()) << host.status[0].message;
  bool some = false;
  for (const double entry : host.gradient) some = some || entry != 0.0;
  EXPECT_TRUE(some);
  expect_same_bits(host, debug);
}

// Closed loops, or trees where a formulation serves these only, with joints of every kind.
Model mechanism(const Method& method) {
  const Model model = method.formulation.loops ? derivative::closed_by(JointType::spherical)
                                               : derivative::every_joint();
  Model prepared = derivative::parametrise_all(model);
  method.use_in(prepared);
  prepared.analysis.penalty = 1e7;
  prepared.analysis.duration = 0.012;
  prepared.analysis.step = 0.004;
  return prepared;
}

class DeviceAdjoint : public testing::TestWithParam<Method> {};

TEST_P(DeviceAdjoint, IsThatOfTheHost) {
  Options options;
  options.method = "adjoint";
  expect_same_on_debug(mechanism(GetParam()), options);
  options.designs.count = 2;
  options.designs.spread = 1e-6;  // loops of many parameters close near the model only
  options.record = true;
  expect_same_on_debug(mechanism(GetParam()), options);
}

// Rosenbrock methods run on the host only.
std::vector<Method> methods_of_devices() {
  std::vector<Method> methods = tested_methods(false);
  std::erase_if(methods, [](const Method& method) { return method.integrator.name == "rodas5p"; });
  return methods;
}

INSTANTIATE_TEST_SUITE_P(Methods, DeviceAdjoint, testing::ValuesIn(methods_of_devices()),
                         [](const auto& method) { return method.param.label(); });

TEST(DeviceMethods, RefuseRosenbrockMethods) {
  Model model = mechanism(tested_methods(false).front());
  model.analysis.formulation = "index1";
  model.analysis.integrator = "rodas5p";
  Options options;
  options.backend = "debug";
  EXPECT_EQ(test::message_of([&] { simulate(model, options); }),
            "backend: found debug, where rodas5p does not run; use cpu, or the integrator radau9");
}

// Those of fixed steps; ali3p by newmark only.
std::vector<Method> continuous_methods() {
  std::vector<Method> methods;
  for (const Method& method : tested_methods(false))
    if (!method.integrator.adaptive &&
        (method.formulation.name != "ali3p" || method.integrator.name == "newmark"))
      methods.push_back(method);
  return methods;
}

class DeviceContinuousAdjoint : public testing::TestWithParam<Method> {};

TEST_P(DeviceContinuousAdjoint, IsThatOfTheHost) {
  Options options;
  options.method = "continuous-adjoint";
  options.designs.count = 2;
  options.designs.spread = 1e-6;
  expect_same_on_debug(mechanism(GetParam()), options);
}

INSTANTIATE_TEST_SUITE_P(Methods, DeviceContinuousAdjoint, testing::ValuesIn(continuous_methods()),
                         [](const auto& method) { return method.param.label(); });

TEST(DeviceAdjointOf, DrivenMechanismsIsThatOfTheHost) {
  Model model = derivative::parametrise_all(derivative::driven_loop());
  model.analysis.formulation = "kinematic";
  model.analysis.integrator = "";
  model.analysis.duration = 0.02;
  model.analysis.step = 0.004;
  Options options;
  options.method = "adjoint";
  expect_same_on_debug(model, options);
}

TEST(DeviceAdjointOf, ForcesOfEveryKindIsThatOfTheHost) {
  Model model = derivative::parametrise_all(derivative::every_force());
  model.analysis.duration = 0.02;
  model.analysis.step = 0.004;
  for (const char* method : {"adjoint", "continuous-adjoint"}) {
    Options options;
    options.method = method;
    options.designs.count = 3;
    options.designs.spread = 1e-3;
    expect_same_on_debug(model, options);
  }
}

struct Way {
  const char* formulation;
  const char* integrator;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.formulation << " " << way.integrator;
}

TEST(DeviceAdjointOf, ForcesThatReadReactionsIsThatOfTheHost) {
  Model model = one_body("bar", "m", "hinge", JointType::revolute, {0, 0, 1}, 0.3, 1.0, "q");
  model.gravity = {0, -9.81, 0};
  model.bodies[0].com = {"L/2", 0, 0};
  model.bodies[0].inertia = {0, "m*L^2/12", "m*L^2/12", 0, 0, 0};
  model.parameters = {{"L", 0.5, "", {}, ""}, {"m", 2.0, "", {}, ""}, {"mu", 0.1, "", {}, ""}};
  model.sensors.push_back({"w", "rate", "hinge"});
  model.sensors.push_back({"carried", "reaction_force", "hinge"});
  model.forces = {
      make_joint_force("friction", "hinge", "-mu*sqrt(carried.x^2 + carried.y^2 + 1)*tanh(2*w)")};
  model.objectives = {{"q", ObjectiveKind::terminal, "q", "", ""},
                      {"carried", ObjectiveKind::integral, "carried.y", "", ""}};
  model.analysis.duration = 0.1;
  model.analysis.step = 0.01;
  Options options;
  options.method = "adjoint";
  for (const Way& way : {Way{"ali3p", "newmark"}, Way{"ali3p", "hht"}, Way{"index1", "newmark"},
                         Way{"index1", "rk4"}, Way{"semi-recursive", "dop853"}}) {
    SCOPED_TRACE(std::string(way.formulation) + " " + way.integrator);
    model.analysis.formulation = way.formulation;
    model.analysis.integrator = way.integrator;
    expect_same_on_debug(model, options);
  }
}

MotionOutcome adjoint_on(Device& device, const Options& options) {
  const DesignRun session(five_bar(), options);
  MotionRequest request = session.request();
  request.sensitivity = Sensitivity::adjoint;
  return run_adjoint_on_device(request, device);
}

class DeviceAdjointMemory : public testing::TestWithParam<Way> {
 protected:
  static Options options() {
    Options options = adjoint("debug");
    options.duration = 0.1;
    options.formulation = GetParam().formulation;
    options.integrator = GetParam().integrator;
    options.rtol = options.atol = 1e-11;
    options.designs.count = 2;
    options.designs.spread = 0.1;  // adaptive steps differ in number
    return options;
  }
  static void expect_same(const MotionOutcome& outcome, const MotionOutcome& expected) {
    expect_same_bits(outcome.objectives, expected.objectives, "objectives");
    expect_same_bits(outcome.gradient, expected.gradient, "gradient");
    expect_same_bits(outcome.signals, expected.signals, "signals");
    expect_same_bits(outcome.steps, expected.steps, "steps");
  }
};

// What the user grants, which takes steps once more, with all designs at a time or fewer.
TEST_P(DeviceAdjointMemory, ThatIsGrantedChangesNoBit) {
  WatchedDevice device;
  const MotionOutcome all = adjoint_on(device, options());
  EXPECT_EQ(all.recomputation, 0.0);
  double last = 0.0;
  for (const std::size_t kilobytes : {90U, 49U}) {
    Options within = options();
    within.memory = kilobytes * 1024U * 16U;  // two designs take as much as the 32 of a tile
    const MotionOutcome outcome = adjoint_on(device, within);
    expect_same(outcome, all);
    std::cout << kilobytes << " kB: recomputation " << outcome.recomputation << "\n";
    last = std::max(last, outcome.recomputation);
  }
  EXPECT_GT(last, 0.5);
}

// What the device has.
TEST_P(DeviceAdjointMemory, ThatIsFreeChangesNoBit) {
  WatchedDevice whole;
  const MotionOutcome all = adjoint_on(whole, options());
  for (const std::size_t share : {2U}) {
    WatchedDevice device;
    device.room = whole.peak / share;
    expect_same(adjoint_on(device, options()), all);
    EXPECT_LT(device.peak, whole.peak);
    EXPECT_EQ(device.bytes, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, DeviceAdjointMemory,
                         testing::Values(Way{"ali3p", "newmark"}, Way{"index1", "rk4"},
                                         Way{"matrix-r", "dopri5"}));

TEST(DeviceAdjointMemory, SaysHowLittleIsTooLittle) {
  Options options = adjoint("debug");
  options.memory = 1000;
  try {
    gradient(five_bar(), options);
    FAIL() << "1000 bytes were enough";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("expected at least"), std::string::npos)
        << error.what();
  }
}

TEST(DeviceAdjointFailure, LeavesOthersAlone) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Options options = adjoint("debug");
    options.formulation = formulation;
    options.integrator = formulation == std::string("index1") ? "rk4" : "newmark";
    options.record = true;
    const Result without = gradient(five_bar(), options);
    ASSERT_TRUE(without.all_ok());
    options.designs.values = without.parameter_values;
    // L_A1, so that the loop does not close; and L_s1, so that the motion ends on the way.
    for (const auto& [parameter, value] : {std::pair{4, 10.0}, std::pair{0, 1e9}}) {
      Options bad = options;
      bad.designs.values[static_cast<std::size_t>(5 + parameter)] = value;
      const Result with = gradient(five_bar(), bad);
      bad.backend = "cpu:1";
      const Result host = gradient(five_bar(), bad);
      ASSERT_FALSE(with.status[1].ok);
      for (const double entry : row(with.gradient, 1, with.n_design))
        EXPECT_TRUE(std::isnan(entry));
      expect_same_design(with, 0, without, 0);
      expect_same_design(with, 2, without, 2);
      expect_same_bits(with, host);
      EXPECT_EQ(with.status[1].message, host.status[1].message);
    }
  }
}

// Steps of their own, of which designs take different numbers, seen at times between them.
TEST(DeviceAdjointOf, DesignsWithClocksIsThatOfTheHost) {
  Options options = adjoint("debug", 7);
  options.designs.spread = 0.1;
  options.formulation = "matrix-r";
  options.integrator = "dopri5";
  options.duration = 0.2;
  options.rtol = options.atol = 1e-9;
  for (const bool record : {false, true}) {
    options.record = record;
    options.record_every = 9;
    expect_same_on_debug(five_bar(), options);
  }
  const Result debug = gradient(five_bar(), options);
  bool differ = false;
  for (const double steps : debug.step_count) differ = differ || steps != debug.step_count[0];
  EXPECT_TRUE(differ) << "the test would prove nothing";
}

}  // namespace
}  // namespace gradus::test
