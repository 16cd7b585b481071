// Surfaces are planes, or heights whose slopes make planes.
#include "src/plan/surface_draft.hpp"

namespace gradus {

using expression::Node;
using kernels::LawInputKind;

namespace {

// Of any length: squares of what has the largest component 1 are neither too large nor too small.
Nodes3 unit(expression::Graph& g, const Nodes3& v) {
  using kernels::Operation;
  const auto size = [&g](Node x) { return g.apply(Operation::absolute, x); };
  const Node largest =
      g.apply(Operation::maximum, size(v[0]), g.apply(Operation::maximum, size(v[1]), size(v[2])));
  const Nodes3 w{g.divide(v[0], largest), g.divide(v[1], largest), g.divide(v[2], largest)};
  const Node length = g.norm(dot(g, w, w));
  return {g.divide(w[0], length), g.divide(w[1], length), g.divide(w[2], length)};
}

Nodes3 unit_axis(expression::Graph& g, int k) {
  Nodes3 axis{};
  for (int i = 0; i < 3; ++i) axis[index(i)] = g.constant(i == k ? 1.0 : 0.0);
  return axis;
}

Recorded3 recorded(LawWriter& law, const Nodes3& nodes) {
  return {Recorded(law, nodes[0]), Recorded(law, nodes[1]), Recorded(law, nodes[2])};
}

}  // namespace

SurfaceDraft::SurfaceDraft(ForceDraft& force) : force_(force) {
  Draft& draft = force.draft();
  expression::Graph& g = force.graph();
  to_ = force.point("to");
  to_body_ = force.body("to");
  from_body_ = force.body("from");
  for (int k = 0; k < 3; ++k) axes_[index(k)] = unit_axis(g, k);
  if (force.says("normal")) {
    const Nodes3 normal = unit(g, force.constants("normal"));
    const FrameNodes frame = frame_about(draft, normal);
    axes_ = {frame_column(frame, 1), frame_column(frame, 2), normal};
  }
  if (force.says("height")) height_ = force.place_law("height");
  if (from_body_ < 0) {
    const PointReference point =
        draft.references.point(force.text("from"), draft.where(force.path("from")));
    ground_ =
        draft.nodes(point.place != nullptr ? *point.place : Vector3{0, 0, 0}, force.path("from"));
    return;
  }
  from_ = force.point("from");
}

Recorded3 SurfaceDraft::constants(LawWriter& law, const Nodes3& nodes) const {
  return recorded(law, {law.slot(nodes[0]), law.slot(nodes[1]), law.slot(nodes[2])});
}

Recorded3 SurfaceDraft::axis(LawWriter& law, std::size_t k) const {
  if (from_body_ < 0) return constants(law, axes_[k]);
  Draft& draft = force_.draft();
  return recorded(law, law.position(draft.feature(from_body_, draft.slots.add(axes_[k]), false)));
}

Recorded3 SurfaceDraft::arm(LawWriter& law) const {
  const Recorded3 from =
      from_body_ < 0 ? constants(law, ground_) : recorded(law, law.position(from_));
  return recorded(law, law.position(to_)) - from;
}

Recorded3 SurfaceDraft::beside_normal(LawWriter& law) const {
  return axis(law, 1);
}

SurfaceView SurfaceDraft::view(LawWriter& law) const {
  if (height_) return view_of_height(law);
  const Recorded3 normal = axis(law, 2);
  return {normal, dot(normal, arm(law))};
}

// The slopes of the height below the place make the tangent plane.
SurfaceView SurfaceDraft::view_of_height(LawWriter& law) const {
  const Recorded3 from_place = arm(law);
  const std::array<Recorded3, 3> along{axis(law, 0), axis(law, 1), axis(law, 2)};
  const std::array<Node, 2> locals{dot(along[0], from_place).in(law),
                                   dot(along[1], from_place).in(law)};
  const Recorded height = force_.value_of(law, "height", *height_, locals);
  const Recorded by_x = force_.slope_of(law, "height", *height_, 0, locals);
  const Recorded by_y = force_.slope_of(law, "height", *height_, 1, locals);
  const Recorded secant = sqrt(1.0 + by_x * by_x + by_y * by_y);
  const Recorded3 normal = (1.0 / secant) * (along[2] - by_x * along[0] - by_y * along[1]);
  return {normal, (dot(along[2], from_place) - height) / secant};
}

Recorded3 SurfaceDraft::velocity(LawWriter& law, const Recorded3& beside) const {
  const auto turning = [&](int body) {
    return recorded(law, law.vector(LawInputKind::angular_velocity, body));
  };
  const Recorded3 own = recorded(law, law.velocity(to_)) + cross(turning(to_body_), beside);
  if (from_body_ < 0) return own;
  return own - recorded(law, law.velocity(from_)) - cross(turning(from_body_), arm(law) + beside);
}

Recorded SurfaceDraft::rate(LawWriter& law, const Recorded& value) const {
  const auto other = [&](const kernels::LawInputEntry&) { return law.constant(0.0); };
  return {law, law.rate(value.in(law), other)};
}

int SurfaceDraft::direction(std::string_view key, const Nodes3& otherwise) const {
  Draft& draft = force_.draft();
  const Nodes3 stated = force_.says(key) ? force_.constants(key) : otherwise;
  return draft.feature(to_body_, draft.slots.add(unit(force_.graph(), stated)), false);
}

void SurfaceDraft::press(const Formula& gap, const Formula& size) const {
  const auto way = [&](LawWriter& law) { return gap(ForceFormula(force_, law, 0.0, 0.0)).in(law); };
  force_.push_along(way, size);
}

void SurfaceDraft::push(const Formula3& beside, const Formula3& force) const {
  for (int k = 0; k < 3; ++k) {
    const auto component = [&](const ForceFormula& f) { return force(f)[index(k)]; };
    const auto moment = [&](const ForceFormula& f) { return cross(beside(f), force(f))[index(k)]; };
    force_.push_along([&](LawWriter& law) { return law.position(to_)[index(k)]; }, component);
    force_.turn(to_body_, k, moment);
    if (from_body_ < 0) continue;
    force_.push_along([&](LawWriter& law) { return law.position(from_)[index(k)]; },
                      [&](const ForceFormula& f) { return -component(f); });
    force_.turn(from_body_, k, [&](const ForceFormula& f) {
      return -cross(arm(f.law()) + beside(f), force(f))[index(k)];
    });
  }
}

}  // namespace gradus
