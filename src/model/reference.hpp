// Finds the bodies, points and joints that a model refers to by name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "gradus/model.hpp"

namespace gradus {

inline constexpr int ground_body = -1;

// A point fixed in a body.
struct PointReference {
  int body = ground_body;          // place in Model::bodies, or ground_body
  std::string point;               // its name; empty for the origin of the body's axes
  const Vector3* place = nullptr;  // in body axes; null for the origin
};

// Index of a model, which must outlive it.
class References {
 public:
  explicit References(const Model& model);

  // `text` is "body", "body.point", "body.com" (the centre of mass), "ground" or "ground.point".
  // Throws InputError, beginning with `where`, if there is no such thing.
  PointReference point(std::string_view text, const std::string& where) const;
  // Place in Model::joints.
  int joint(const std::string& name, const std::string& where) const;

 private:
  const Model& model_;
  std::unordered_map<std::string, int> bodies_;
  std::unordered_map<std::string, int> joints_;
};

}  // namespace gradus
