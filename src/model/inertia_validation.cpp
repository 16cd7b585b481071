// Inertias are those of distributions of mass, up to what printed digits leave.
#include <Eigen/Eigenvalues>
#include <cmath>

#include "src/model/message.hpp"
#include "src/model/rigid_groups.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// By how much of itself the largest principal moment may exceed the sum of the others unremarked.
constexpr double kGross = 1e-2;

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

// "A" (-1e-20), "B" (-3e-18)
std::string with_values(const std::string& body, const std::string& values) {
  return in_quotes(body) + " (" + values + ")";
}

std::string listed(const std::vector<std::string>& entries) {
  constexpr std::size_t limit = 12;
  std::string text;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == limit) return text + ", ... (" + std::to_string(entries.size()) + " in all)";
    text += (i == 0 ? "" : ", ") + entries[i];
  }
  return text;
}

class Inertias {
 public:
  Inertias(const Model& model, const References& references, NominalValues& nominal,
           const std::string& origin)
      : model_(model), origin_(origin), group_(rigid_groups(model, references, origin)) {
    group_size_.assign(group_.size(), 0.0);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      read(model.bodies[i], nominal);
      group_size_[group_[i]] += read_.back().size;
    }
  }

  Findings judge() {
    for (std::size_t i = 0; i < read_.size(); ++i) judge(i);
    Findings findings{std::move(changes_), {}};
    if (!corrected_.empty())
      findings.remarks.push_back(
          "inertia: negative principal moments that printed digits left are set to 0, kg m^2, of " +
          listed(corrected_));
    if (!impossible_.empty())
      findings.remarks.push_back(
          "inertia: a principal moment above the sum of the others, kg m^2, which no distribution "
          "of mass has, was found of " +
          listed(impossible_) + "; used as stated");
    return findings;
  }

 private:
  struct Read {
    double mass;
    Matrix3d about_com;
    double terms;  // of the sum that the inertia is
    double size;   // largest principal moment that these may make
  };

  std::string where(const Body& body) const { return origin_ + ": /bodies/" + body.name; }

  void read(const Body& body, NominalValues& nominal) {
    const double mass = nominal.value(body.mass, where(body) + "/mass");
    const Vector3d com = as_vector(nominal.value(body.com, where(body) + "/com"));
    const Matrix3d given = inertia_matrix(body.inertia, nominal, where(body) + "/inertia");
    const Matrix3d shift = point_inertia(mass, offset_of_inertia(body, com, nominal, where(body)));
    const double terms = std::fabs(given.trace()) + shift.trace();
    read_.push_back({mass, given - shift, terms, 0.5 * terms});
  }

  void judge(std::size_t i) {
    const Read& body = read_[i];
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(body.about_com);
    Vector3d moments = solver.eigenvalues();
    const double printed = kPrintedInertia * group_size_[group_[i]] +
                           body.mass * kSmallestRadiusOfGyration * kSmallestRadiusOfGyration;
    if (!(moments[0] >= -std::max(printed, kInertiaRoundOff * body.terms)))
      reject(where(model_.bodies[i]) + "/inertia",
             "the inertia about the centre of mass has the eigenvalue " + to_text(moments[0]),
             "no distribution of mass has a negative one",
             "check the signs (xy is minus the integral of x y dm) and \"about\"");
    if (moments[0] < -kInertiaRoundOff * body.terms) {
      correct(i, solver.eigenvectors(), moments);
      moments = moments.cwiseMax(0.0);
    }
    remark(i, moments, printed);
  }

  // The nearest matrix without negative eigenvalues.
  void correct(std::size_t i, const Matrix3d& axes, const Vector3d& moments) {
    const Matrix3d added = axes * (-moments).cwiseMax(0.0).asDiagonal() * axes.transpose();
    changes_.push_back(
        {i, {added(0, 0), added(1, 1), added(2, 2), added(0, 1), added(0, 2), added(1, 2)}});
    corrected_.push_back(with_values(model_.bodies[i].name, rounded_text(moments[0], 3)));
  }

  // Of a body that moves in a plane one moment may be all that is stated.
  void remark(std::size_t i, const Vector3d& moments, double printed) {
    const Matrix3d& matrix = read_[i].about_com;
    const bool is_single = (matrix.array() != 0.0).count() == 1;
    const double excess = moments[2] - moments[1] - moments[0];
    if (is_single || excess <= kGross * moments[2] || excess <= printed) return;
    impossible_.push_back(
        with_values(model_.bodies[i].name, rounded_text(moments[2], 3) + " above " +
                                               rounded_text(moments[1], 3) + " + " +
                                               rounded_text(moments[0], 3)));
  }

  const Model& model_;
  const std::string& origin_;
  std::vector<std::size_t> group_;  // [body], and of the ground
  std::vector<double> group_size_;
  std::vector<Read> read_;  // [body]
  std::vector<InertiaChange> changes_;
  std::vector<std::string> corrected_, impossible_;
};

Number increased(const Number& number, double added) {
  if (!number.is_expression()) return number.value() + added;
  return added == 0.0 ? number : "(" + number.expression() + ") + (" + to_text(added) + ")";
}

}  // namespace

Findings check_inertias(const Model& model, const References& references, NominalValues& nominal,
                        const std::string& origin) {
  return Inertias(model, references, nominal, origin).judge();
}

void apply(const std::vector<InertiaChange>& changes, Model& model) {
  for (const InertiaChange& change : changes) {
    Inertia& inertia = model.bodies[change.body].inertia;
    Number* const numbers[] = {&inertia.xx, &inertia.yy, &inertia.zz,
                               &inertia.xy, &inertia.xz, &inertia.yz};
    for (std::size_t k = 0; k < 6; ++k) *numbers[k] = increased(*numbers[k], change.added[k]);
  }
}

}  // namespace gradus
