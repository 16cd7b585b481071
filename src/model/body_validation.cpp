// Features and masses of bodies make physical sense at the nominal parameters.
#include <algorithm>
#include <array>
#include <vector>

#include "src/model/message.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

// Of numbers that were found to be valid.
bool has_mass(const Body& body, NominalValues& nominal, const std::string& where) {
  const Inertia& in = body.inertia;
  const std::array numbers{body.mass, in.xx, in.yy, in.zz, in.xy, in.xz, in.yz};
  return std::any_of(numbers.begin(), numbers.end(),
                     [&](const Number& number) { return nominal.value(number, where) != 0.0; });
}

}  // namespace

Findings check_bodies(const Model& model, const References& references, NominalValues& nominal,
                      const std::string& origin) {
  const auto check_features = [&nominal](const Features& features, const std::string& where) {
    for (const auto& [name, place] : features.points)
      nominal.value(place, where + "/points/" + name);
    for (const auto& [name, direction] : features.vectors)
      nominal.value(direction, where + "/vectors/" + name);
    check_shapes(features.shapes, nominal, where + "/shapes");
  };
  check_features(model.ground, origin + ": /ground");
  for (const Body& body : model.bodies) {
    const std::string where = origin + ": /bodies/" + body.name;
    check_features(body, where);
    const double mass = nominal.value(body.mass, where + "/mass");
    if (mass < 0.0)
      reject(where + "/mass", "found " + to_text(mass), "masses are not negative",
             "expected 0 or more kg");
  }
  Findings findings = check_inertias(model, references, nominal, origin);
  std::vector<char> massive;
  for (const Body& body : model.bodies)
    massive.push_back(has_mass(body, nominal, origin + ": /bodies/" + body.name) ? 1 : 0);
  check_massless(model, references, massive, origin);
  return findings;
}

}  // namespace gradus
