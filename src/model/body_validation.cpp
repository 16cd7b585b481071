// Masses, centres of mass and inertias make physical sense at the nominal parameters.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d as_vector(const std::array<double, 3>& values) {
  return {values[0], values[1], values[2]};
}

// Inertia of a point mass at `offset`.
Matrix3d point_inertia(double mass, const Vector3d& offset) {
  return mass *
         (offset.squaredNorm() * Matrix3d::Identity() - Matrix3d(offset * offset.transpose()));
}

Matrix3d inertia_matrix(const Inertia& inertia, NominalValues& nominal, const std::string& where) {
  const auto value = [&](const Number& number, const char* key) {
    return nominal.value(number, where + key);
  };
  const double xx = value(inertia.xx, "/xx"), yy = value(inertia.yy, "/yy"),
               zz = value(inertia.zz, "/zz"), xy = value(inertia.xy, "/xy"),
               xz = value(inertia.xz, "/xz"), yz = value(inertia.yz, "/yz");
  Matrix3d matrix;
  matrix << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return matrix;
}

// From the point the inertia is given about to the centre of mass.
Vector3d offset_of_inertia(const Body& body, const Vector3d& com, NominalValues& nominal,
                           const std::string& where) {
  if (body.inertia.about == "com") return Vector3d::Zero();
  const auto point = body.points.find(body.inertia.about);
  if (point == body.points.end()) {
    std::vector<std::string> candidates{"com"};
    for (const auto& [name, place] : body.points) candidates.push_back(name);
    reject(where + "/inertia/about", "found " + in_quotes(body.inertia.about),
           "the body has no such point", suggestion(body.inertia.about, candidates));
  }
  return com - as_vector(nominal.value(point->second, where + "/points/" + point->first));
}

void check_inertia(const Matrix3d& given, double mass, const Vector3d& offset,
                   const std::string& where) {
  const Matrix3d shift = point_inertia(mass, offset);
  const Matrix3d about_com = given - shift;
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(about_com, Eigen::EigenvaluesOnly).eigenvalues()[0];
  // What rounding may leave of a body that is slender, or a point, and given about a point far
  // away.
  const double tolerance = 1e-12 * (std::fabs(given.trace()) + shift.trace());
  if (smallest >= -tolerance) return;
  reject(where + "/inertia",
         "the inertia about the centre of mass has the eigenvalue " + to_text(smallest),
         "no distribution of mass has a negative one",
         "check the signs (xy is minus the integral of x y dm) and \"about\"");
}

// Whether anything on the body, or on bodies it carries, has inertia.
std::vector<char> carries_mass(const Model& model, const References& references,
                               std::vector<char> has_mass, const std::string& origin) {
  std::vector<int> parents(model.bodies.size(), ground_body);
  for (const Joint& joint : model.joints) {
    const std::string where = origin + ": /joints/" + joint.name;
    const int child = references.point(joint.child, where).body;
    parents[static_cast<std::size_t>(child)] = references.point(joint.parent, where).body;
  }
  std::vector<char> carries(model.bodies.size(), 0);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (has_mass[i] == 0) continue;
    for (int body = static_cast<int>(i);
         body != ground_body && carries[static_cast<std::size_t>(body)] == 0;
         body = parents[static_cast<std::size_t>(body)])
      carries[static_cast<std::size_t>(body)] = 1;
  }
  return carries;
}

}  // namespace

void check_bodies(const Model& model, const References& references, NominalValues& nominal,
                  const std::string& origin) {
  const auto check_features = [&nominal](const Features& features, const std::string& where) {
    for (const auto& [name, place] : features.points)
      nominal.value(place, where + "/points/" + name);
    for (const auto& [name, direction] : features.vectors)
      nominal.value(direction, where + "/vectors/" + name);
  };
  check_features(model.ground, origin + ": /ground");

  std::vector<char> has_mass;
  for (const Body& body : model.bodies) {
    const std::string where = origin + ": /bodies/" + body.name;
    check_features(body, where);
    const double mass = nominal.value(body.mass, where + "/mass");
    if (mass < 0.0)
      reject(where + "/mass", "found " + to_text(mass), "masses are not negative",
             "expected 0 or more kg");
    const Vector3d com = as_vector(nominal.value(body.com, where + "/com"));
    const Matrix3d inertia = inertia_matrix(body.inertia, nominal, where + "/inertia");
    check_inertia(inertia, mass, offset_of_inertia(body, com, nominal, where), where);
    has_mass.push_back(mass > 0.0 || !inertia.isZero(0.0) ? 1 : 0);
  }
  const std::vector<char> carries = carries_mass(model, references, has_mass, origin);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (carries[i] != 0) continue;
    reject(origin + ": /bodies/" + model.bodies[i].name + "/mass",
           "massless free body " + in_quotes(model.bodies[i].name),
           "neither it nor any body it carries has mass or inertia, so its motion is undetermined",
           "give it a mass or remove it");
  }
}

}  // namespace gradus
