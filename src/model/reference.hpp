// Finds the bodies, points, vectors, joints and coordinates that a model refers to by name.
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

// A direction fixed in a body. Points and vectors of a body are separate name spaces.
struct VectorReference {
  int body = ground_body;               // place in Model::bodies, or ground_body
  std::string vector;                   // its name
  const Vector3* components = nullptr;  // in body axes
};

struct JointReference {
  bool is_loop = false;
  int place = 0;  // in Model::loops or Model::joints
};

struct CoordinateReference {
  int joint = 0;       // place in Model::joints
  int coordinate = 0;  // of the joint
};

// Index of a model, which must outlive it. All members throw InputError, beginning with `where`,
// if there is no such thing.
class References {
 public:
  explicit References(const Model& model);

  // `text` is "body", "body.point", "body.com" (the centre of mass), "ground" or "ground.point".
  PointReference point(std::string_view text, const std::string& where) const;
  // `text` is "body.vector" or "ground.vector".
  VectorReference vector(std::string_view text, const std::string& where) const;
  // Place in Model::bodies of "body", or ground_body of "ground".
  int body(std::string_view text, const std::string& where) const;
  // Place in Model::joints.
  int joint(const std::string& name, const std::string& where) const;
  JointReference joint_or_loop(const std::string& name, const std::string& where) const;
  // `text` is "joint.k", or "joint" if it has one coordinate only.
  CoordinateReference coordinate(std::string_view text, const std::string& where) const;

 private:
  // The body of "body" or "body.something".
  int owner(std::string_view text, const std::string& where) const;
  const Features& features_of(int body) const;

  const Model& model_;
  std::unordered_map<std::string, int> bodies_;
  std::unordered_map<std::string, int> joints_;
  std::unordered_map<std::string, int> loops_;
};

// The joint of "joint" or "joint.k".
std::string joint_name_of(std::string_view coordinate);

}  // namespace gradus
