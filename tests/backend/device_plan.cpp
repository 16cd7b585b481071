// A plan mirrored to a device is the plan.
#include "src/backend/device_plan.hpp"

#include <cstring>
#include <string>

#include "gradus/error.hpp"
#include "kernels/launch/body.hpp"
#include "src/motion/design_run.hpp"
#include "src/plan/layout.hpp"
#include "tests/backend/watched_device.hpp"
#include "tests/support/forces.hpp"

namespace gradus::test {
namespace {

// `count` entries on the device are those on the host, and lie elsewhere.
template <class Entry>
void expect_mirrored(Device& device, const Entry* host, const Entry* mirror, int count,
                     const char* what) {
  SCOPED_TRACE(what);
  const auto size = static_cast<std::size_t>(count);
  ASSERT_GT(size, 0U);
  ASSERT_NE(host, mirror);
  std::vector<Entry> received(size);
  device.download(received.data(), mirror, size * sizeof(Entry));
  EXPECT_EQ(std::memcmp(received.data(), host, size * sizeof(Entry)), 0);
}

// The five-bar linkage with what it lacks: a torque that depends on time, a spring on a hinge, a
// sum of squares, and an objective that reads a parameter.
Model model_with_everything() {
  Model m = five_bar();
  const std::string joint = m.joints[0].name;
  m.forces.push_back(make_torsional_spring("coil", joint, 2.0, 0.1, 0.0));
  m.forces.push_back(make_joint_force("servo", joint, "2*cos(3*t)"));
  m.objectives[0].expression += " + 1e-3*L_s1";  // read by the objective itself
  m.objectives[1].expression.clear();
  m.objectives[1].residuals = {"v2", "t"};
  m.forces.push_back(make_joint_force("spline", m.joints[0].name, "spline(t, [0, 1], [1, 2])"));
  m.objectives.push_back(
      {"spline", ObjectiveKind::integral, "sin(spline(t, [0, 1], [1, 3]))", "", ""});
  return m;
}

TEST(DevicePlan, HoldsEveryArrayOfThePlan) {
  const DesignRun session(model_with_everything(), short_run("debug", 1));
  Plan everything = session.plan();
  everything.start_shift.assign(4, 1e-4);     // which other starts have
  everything.row_groups = {{2, 0, 3, 0, 0}};  // and mechanisms of several loops
  everything.same_directions = {{0, 2, 0, 1}};
  everything.split_steps = {{0, 0, 1, 0, 0, 1, 0, 1}};
  everything.split_places = {0, 1};
  everything.split_runs = {{1, 2}};
  everything.split_free = {3};
  everything.group_members = {1, 1, 0, 0, 0};
  everything.group_columns = {0, 1, 3};
  everything.algebraic_laws = {0};
  everything.rate_laws = {0};
  everything.independents = {0};
  everything.released = {1};
  everything.poses = {{0, 1, 0, 0, 0, 0}};
  everything.kept_states = {0};
  everything.samples = {{0, 0}};
  everything.events = {{0, -1, -1, 0, 1, -1, -1, -1, 0}};
  everything.resets = {{0, 0}};
  everything.sample_times = {0.0, 0.01};
  everything.samples_due = {1, 1};
  everything.objective_kinks = {0};
  const kernels::PlanView host = everything.view();
  WatchedDevice device;
  const DevicePlan plan(device, host);
  const kernels::PlanView& mirror = plan.view();
  ASSERT_EQ(mirror.body_count, 4);
  ASSERT_EQ(mirror.coordinate_count, 4);
  ASSERT_EQ(mirror.parameter_count, 5);
  ASSERT_EQ(mirror.residual_count, 4);
  ASSERT_EQ(mirror.law_count, 13);
#define GRADUS_EXPECT(TYPE, NAME, COUNT) \
  expect_mirrored(device, host.NAME, mirror.NAME, host.COUNT, #NAME);
  GRADUS_PLAN_ARRAYS(GRADUS_EXPECT)
#undef GRADUS_EXPECT
#define GRADUS_EXPECT(NAME)                                                 \
  expect_mirrored(device, host.NAME.instructions, mirror.NAME.instructions, \
                  host.NAME.instruction_count, #NAME);                      \
  expect_mirrored(device, host.NAME.outputs, mirror.NAME.outputs, host.NAME.output_count, #NAME);
  GRADUS_PLAN_PROGRAMS(GRADUS_EXPECT)
#undef GRADUS_EXPECT
}

TEST(DevicePlan, LiesInOneBlockThatIsGivenBack) {
  const DesignRun session(five_bar(), short_run("debug", 1));
  WatchedDevice device;
  {
    const DevicePlan plan(device, session.plan().view());
    EXPECT_EQ(device.uploads, 1);
    ASSERT_EQ(device.buffers.size(), 1U);
    const auto& [memory, size] = *device.buffers.begin();
    const auto offset = reinterpret_cast<const char*>(plan.view().objective_program.outputs) -
                        static_cast<char*>(memory);
    EXPECT_GT(offset, 0);
    EXPECT_LT(static_cast<std::size_t>(offset), size);
  }
  EXPECT_EQ(device.bytes, 0U);
}

// Offsets are int: what multiplies beyond them is refused.
TEST(Layout, RefusesWhatOffsetsDoNotReach) {
  kernels::PlanView plan{};
  plan.objective_count = 25'000;  // gradients, and as many adjoints of signals
  plan.parameter_count = plan.column_count = 42'000;
  EXPECT_GT(make_layout(plan, Sensitivity::direct).size, 2'100'000'000);
  plan.parameter_count = plan.column_count = 43'000;
  for (const Sensitivity sensitivity : {Sensitivity::direct, Sensitivity::adjoint})
    EXPECT_THROW(make_layout(plan, sensitivity), InputError);
  plan = {};
  plan.coordinate_count = 50'000;
  EXPECT_THROW(make_layout(plan, Sensitivity::none), InputError);
}

TEST(Places, AreDesignsSlicesOrOne) {
  kernels::Chunk chunk{};
  chunk.design_count = 7;
  chunk.slice_count = 5;
  EXPECT_EQ((kernels::place_count(kernels::Places::every, chunk)), 7);
  EXPECT_EQ((kernels::place_count(kernels::Places::slices, chunk)), 35);
  EXPECT_EQ((kernels::place_count(kernels::Places::once, chunk)), 1);
}

}  // namespace
}  // namespace gradus::test
