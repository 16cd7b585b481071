// Mirrors a plan to a device.
#include "src/backend/device_plan.hpp"

#include <cstring>
#include <vector>

namespace gradus {
namespace {

// Walks over the arrays of a plan in a fixed order, giving each its place in one block.
template <class Visit>
void for_each_array(kernels::PlanView& v, const Visit& visit) {
  const int touches = [&] {
    int end = 0;
    for (int k = 0; k < v.spring_count; ++k)
      end = v.springs[k].touch_end > end ? v.springs[k].touch_end : end;
    for (int k = 0; k < v.constraint_count; ++k)
      end = v.constraints[k].touch_end > end ? v.constraints[k].touch_end : end;
    for (int k = 0; k < v.law_count; ++k)
      end = v.laws[k].touch_end > end ? v.laws[k].touch_end : end;
    return end;
  }();
  const int partials = v.partial_begin[v.parameter_count];  // read before any array moves
  visit(v.bodies, v.body_count);
  visit(v.coordinates, v.coordinate_count);
  visit(v.features, v.feature_count);
  visit(v.touches, touches);
  visit(v.guess, v.coordinate_count);
  visit(v.held, v.independent_count);
  visit(v.springs, v.spring_count);
  visit(v.constraints, v.constraint_count);
  visit(v.torsionals, v.torsional_count);
  visit(v.laws, v.law_count);
  visit(v.law_inputs, v.law_input_count);
  visit(v.law_instructions, v.law_instruction_count);
  visit(v.actions, v.action_count);
  visit(v.sensors, v.sensor_count);
  visit(v.objective_sensors,
        v.objective_count > 0 ? v.objectives[v.objective_count - 1].sensor_end : 0);
  visit(v.objectives, v.objective_count);
  visit(v.residual_outputs, v.residual_count);
  visit(v.partials, partials);
  visit(v.partial_begin, v.parameter_count + 1);
  visit(v.elements, v.element_count);
  visit(v.explicit_parameters, v.explicit_count);
  visit(v.directions, v.direction_count);
  visit(v.direction_order, v.direction_count);
  visit(v.slot_program.instructions, v.slot_program.instruction_count);
  visit(v.slot_program.outputs, v.slot_program.output_count);
  visit(v.objective_program.instructions, v.objective_program.instruction_count);
  visit(v.objective_program.outputs, v.objective_program.output_count);
}

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t plan_size(kernels::PlanView plan) {
  std::size_t size = kAlignment;
  for_each_array(plan, [&](const auto* array, int count) {
    size += aligned(sizeof(*array) * static_cast<std::size_t>(count));
  });
  return size;
}

}  // namespace

DevicePlan::DevicePlan(Device& device, const kernels::PlanView& host)
    : buffer_(device, plan_size(host)), view_(host) {
  std::vector<char> block(buffer_.size());
  std::size_t at = 0;
  char* base = static_cast<char*>(buffer_.data());
  for_each_array(view_, [&](auto*& array, int count) {
    const std::size_t bytes = sizeof(*array) * static_cast<std::size_t>(count);
    if (bytes > 0) std::memcpy(block.data() + at, array, bytes);
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(base + at);
    at += aligned(bytes);
  });
  device.upload(buffer_.data(), block.data(), block.size());
}

}  // namespace gradus
