// The inertia of rods, as expressions of their ends.
#include "src/model/slender_rod.hpp"

#include <string>

#include "src/model/message.hpp"

namespace gradus {
namespace {

std::string bracketed(const Number& number) {
  return "(" + (number.is_expression() ? number.expression() : to_text(number.value())) + ")";
}

}  // namespace

Vector3 middle_of(const Vector3& from, const Vector3& to) {
  Vector3 middle;
  for (std::size_t k = 0; k < 3; ++k)
    middle[k] = "(" + bracketed(from[k]) + " + " + bracketed(to[k]) + ")/2";
  return middle;
}

// m/12 (d.d 1 - d d^T) with d from end to end.
Inertia slender_rod(const Number& mass, const Vector3& from, const Vector3& to) {
  std::array<std::string, 3> d;
  for (std::size_t k = 0; k < 3; ++k)
    d[k] = "(" + bracketed(to[k]) + " - " + bracketed(from[k]) + ")";
  const std::string factor = bracketed(mass) + "/12*";
  const auto moment = [&](std::size_t i, std::size_t j) {
    return factor + "(" + d[i] + "^2 + " + d[j] + "^2)";
  };
  const auto product = [&](std::size_t i, std::size_t j) {
    return "-" + factor + d[i] + "*" + d[j];
  };
  return {moment(1, 2), moment(0, 2), moment(0, 1), product(0, 1), product(0, 2), product(1, 2)};
}

}  // namespace gradus
