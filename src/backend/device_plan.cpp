// Mirrors a plan to a device.
#include "src/backend/device_plan.hpp"

#include <cstring>
#include <vector>

#include "src/plan/plan_arrays.hpp"

namespace gradus {
namespace {

constexpr std::size_t kAlignment = 64;

// Where the arrays of a plan lie in a block, by visit(array, offset, bytes). Returns its size.
template <class Visit>
std::size_t lay_out(kernels::PlanView& plan, const Visit& visit) {
  std::size_t size = 0;
  for_each_array(plan, [&](auto*& array, int count) {
    const std::size_t bytes = sizeof(*array) * static_cast<std::size_t>(count);
    visit(array, size, bytes);
    size += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  });
  return size + kAlignment;
}

std::size_t size_of(kernels::PlanView plan) {
  return lay_out(plan, [](auto*, std::size_t, std::size_t) {});
}

}  // namespace

DevicePlan::DevicePlan(Device& device, const kernels::PlanView& host)
    : buffer_(device, size_of(host)), view_(host) {
  std::vector<char> block(buffer_.size());
  lay_out(view_, [&](auto*& array, std::size_t at, std::size_t bytes) {
    if (bytes > 0) std::memcpy(block.data() + at, array, bytes);
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(
        static_cast<char*>(buffer_.data()) + at);
  });
  device.upload(buffer_.data(), block.data(), block.size());
}

}  // namespace gradus
