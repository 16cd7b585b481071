// A plan mirrored to a device is the plan.
#include "src/backend/device_plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "gradus/error.hpp"
#include "kernels/launch/places.hpp"
#include "kernels/stages/numbers.hpp"
#include "kernels/stages/solve_columns.hpp"
#include "src/motion/mechanism.hpp"
#include "src/plan/layout.hpp"
#include "tests/backend/watched_device.hpp"

namespace gradus::test {
namespace {

// `count` entries on the device are those on the host, and lie elsewhere.
template <class Entry>
void expect_mirrored(Device& device, const Entry* host, const Entry* mirror, int count,
                     const char* what) {
  SCOPED_TRACE(what);
  const auto size = static_cast<std::size_t>(count);
  if (size == 0) return;
  ASSERT_NE(host, mirror);
  std::vector<Entry> received(size);
  device.download(received.data(), mirror, size * sizeof(Entry));
  EXPECT_EQ(std::memcmp(received.data(), host, size * sizeof(Entry)), 0);
}

TEST(DevicePlan, HoldsEveryArrayOfThePlan) {
  const DesignRun session(five_bar(), short_run("debug", 1));
  const kernels::PlanView host = session.plan().view();
  WatchedDevice device;
  const DevicePlan plan(device, host);
  const kernels::PlanView& mirror = plan.view();

  ASSERT_EQ(mirror.body_count, 4);
  ASSERT_EQ(mirror.coordinate_count, 4);
  ASSERT_EQ(mirror.parameter_count, 5);
  expect_mirrored(device, host.bodies, mirror.bodies, host.body_count, "bodies");
  expect_mirrored(device, host.coordinates, mirror.coordinates, host.coordinate_count,
                  "coordinates");
  expect_mirrored(device, host.features, mirror.features, host.feature_count, "features");
  expect_mirrored(device, host.springs, mirror.springs, host.spring_count, "springs");
  expect_mirrored(device, host.constraints, mirror.constraints, host.constraint_count,
                  "constraints");
  expect_mirrored(device, host.sensors, mirror.sensors, host.sensor_count, "sensors");
  expect_mirrored(device, host.objectives, mirror.objectives, host.objective_count, "objectives");
  expect_mirrored(device, host.objective_sensors, mirror.objective_sensors,
                  host.objectives[host.objective_count - 1].sensor_end, "objective_sensors");
  expect_mirrored(device, host.partial_begin, mirror.partial_begin, host.parameter_count + 1,
                  "partial_begin");
  expect_mirrored(device, host.partials, mirror.partials, host.partial_begin[host.parameter_count],
                  "partials");
  expect_mirrored(device, host.explicit_parameters, mirror.explicit_parameters, host.explicit_count,
                  "explicit_parameters");
  expect_mirrored(device, host.elements, mirror.elements, host.element_count, "elements");
  expect_mirrored(device, host.directions, mirror.directions, host.direction_count, "directions");
  expect_mirrored(device, host.direction_order, mirror.direction_order, host.direction_count,
                  "direction_order");
  int touches = 0;
  for (int k = 0; k < host.spring_count; ++k)
    touches = std::max(touches, host.springs[k].touch_end);
  for (int k = 0; k < host.constraint_count; ++k)
    touches = std::max(touches, host.constraints[k].touch_end);
  ASSERT_GT(touches, 0);
  expect_mirrored(device, host.touches, mirror.touches, touches, "touches");
  const auto expect_program = [&](const kernels::ProgramView& a, const kernels::ProgramView& b,
                                  const char* what) {
    ASSERT_GT(a.instruction_count, 0) << what;
    expect_mirrored(device, a.instructions, b.instructions, a.instruction_count, what);
    expect_mirrored(device, a.outputs, b.outputs, a.output_count, what);
  };
  expect_program(host.slot_program, mirror.slot_program, "slot_program");
  expect_program(host.objective_program, mirror.objective_program, "objective_program");
}

// The five-bar linkage with a torque that depends on time and a spring on a hinge.
Model model_with_laws() {
  Model m = five_bar();
  const std::string joint = m.joints[0].name;
  m.torsional_springs = {{"coil", joint, 2.0, 0.1, 0.0}};
  m.joint_forces = {{"servo", joint, "2*cos(3*t)"}};
  return m;
}

TEST(DevicePlan, HoldsLawsAndActions) {
  const DesignRun session(model_with_laws(), short_run("debug", 1));
  const kernels::PlanView host = session.plan().view();
  WatchedDevice device;
  const DevicePlan plan(device, host);
  const kernels::PlanView& mirror = plan.view();
  ASSERT_EQ(host.torsional_count, 1);
  ASSERT_EQ(host.action_count, 1);
  ASSERT_EQ(host.law_count, 2);
  expect_mirrored(device, host.torsionals, mirror.torsionals, 1, "torsionals");
  expect_mirrored(device, host.actions, mirror.actions, 1, "actions");
  expect_mirrored(device, host.laws, mirror.laws, 2, "laws");
  expect_mirrored(device, host.law_inputs, mirror.law_inputs, host.law_input_count, "law_inputs");
  expect_mirrored(device, host.law_instructions, mirror.law_instructions,
                  host.law_instruction_count, "law_instructions");
  int touches = 0;
  for (int k = 0; k < host.law_count; ++k) touches = std::max(touches, host.laws[k].touch_end);
  ASSERT_GT(touches, 0);
  expect_mirrored(device, host.touches, mirror.touches, touches, "touches");
}

TEST(DevicePlan, HoldsResiduals) {
  Model model = five_bar();
  model.objectives[1].expression.clear();
  model.objectives[1].residuals = {"v2", "t"};
  const DesignRun session(model, short_run("debug", 1));
  const kernels::PlanView host = session.plan().view();
  WatchedDevice device;
  const DevicePlan plan(device, host);
  ASSERT_EQ(host.least_squares_count, 1);
  ASSERT_EQ(host.residual_count, 4);
  expect_mirrored(device, host.residual_outputs, plan.view().residual_outputs, 4,
                  "residual_outputs");
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
  plan.objective_count = 50'000;
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
  EXPECT_EQ((kernels::place_count<kernels::PrepareNumbers<double, true>>(chunk)), 7);
  EXPECT_EQ((kernels::place_count<kernels::SolveColumns<double, true>>(chunk)), 35);
  EXPECT_EQ((kernels::place_count<kernels::AdvanceClock<double, true>>(chunk)), 1);
}

}  // namespace
}  // namespace gradus::test
