// Mirrors a plan to a device.
#include "src/backend/device_plan.hpp"

#include <cstring>
#include <vector>

namespace gradus {
namespace {

template <class Visit>
void for_each_array(kernels::PlanView& v, const Visit& visit) {
#define GRADUS_VISIT(TYPE, NAME, COUNT) visit(v.NAME, v.COUNT);
  GRADUS_PLAN_ARRAYS(GRADUS_VISIT)
#undef GRADUS_VISIT
#define GRADUS_VISIT(NAME)                              \
  visit(v.NAME.instructions, v.NAME.instruction_count); \
  visit(v.NAME.outputs, v.NAME.output_count);
  GRADUS_PLAN_PROGRAMS(GRADUS_VISIT)
#undef GRADUS_VISIT
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
