// Bodies that are thin rods, as expressions of their ends.
#include <string>

#include "gradus/model.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

std::string bracketed(const Number& number) {
  return "(" + (number.is_expression() ? number.expression() : to_text(number.value())) + ")";
}

}  // namespace

// m/12 (d.d 1 - d d^T) with d from end to end.
void make_slender(Body& body, const Vector3& from, const Vector3& to) {
  std::array<std::string, 3> d;
  for (std::size_t k = 0; k < 3; ++k) {
    d[k] = "(" + bracketed(to[k]) + " - " + bracketed(from[k]) + ")";
    body.com[k] = "(" + bracketed(from[k]) + " + " + bracketed(to[k]) + ")/2";
  }
  const std::string factor = bracketed(body.mass) + "/12*";
  const auto moment = [&](std::size_t i, std::size_t j) {
    return factor + "(" + d[i] + "^2 + " + d[j] + "^2)";
  };
  const auto product = [&](std::size_t i, std::size_t j) {
    return "-" + factor + d[i] + "*" + d[j];
  };
  body.inertia = {moment(1, 2),  moment(0, 2),  moment(0, 1),
                  product(0, 1), product(0, 2), product(1, 2)};
}

}  // namespace gradus
