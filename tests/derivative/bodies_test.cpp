// Inertias and lines, kernel by kernel.
#include <Eigen/Geometry>

#include "kernels/passes/composites.hpp"
#include "tests/derivative/kernel_check.hpp"

namespace gradus::derivative {
namespace {

using Vector = kernels::Vector3<double>;
using Motion = kernels::Motion<double>;
using Inertia6 = kernels::SpatialInertia<double>;

Vector random_vector(support::Numbers& numbers) {
  const double x = numbers.next();
  const double y = numbers.next();
  return {x, y, numbers.next()};
}

Motion random_motion(support::Numbers& numbers) {
  const Vector v = random_vector(numbers);
  return {v, random_vector(numbers)};
}

// A body of full inertia about a point off its centre of mass.
Inertia6 random_inertia(support::Numbers& numbers) {
  const double mass = 2.0 + numbers.next();
  const Vector s = random_vector(numbers);
  kernels::Symmetric3<double> inertia = kernels::point_inertia(mass, s);
  inertia += kernels::Symmetric3<double>{0.7, 0.9, 0.8, 0.1, -0.2, 0.15};
  return {mass, mass * s, inertia};
}

double distance(const Vector& a, const Vector& b) {
  const Vector d = a - b;
  return std::sqrt(dot(d, d));
}

TEST(Bodies, TurningInertiaIsTheGyroscopicForce) {
  support::Numbers numbers(21);
  for (int trial = 0; trial < 10; ++trial) {
    const Inertia6 inertia = random_inertia(numbers);
    const Motion v = random_motion(numbers);
    const Motion s = random_motion(numbers);
    // Change of I a + v x I v by a velocity along S, less what 2 I S' says, S' = v x S.
    const kernels::Force<double> by_definition = cross(v, inertia * s) + cross(s, inertia * v);
    const kernels::Force<double> carried = inertia * cross(v, s);
    const Vector force = by_definition.f - carried.f;
    const Vector moment = by_definition.n - carried.n;
    const Vector momentum = (inertia * v).f;
    EXPECT_LT(distance(-2.0 * cross(momentum, s.w), force), 1e-13);
    EXPECT_LT(distance(kernels::turning_inertia(inertia, v) * s.w, moment), 1e-13);
    EXPECT_GT(std::sqrt(dot(force, force)), 1e-2);
    EXPECT_GT(std::sqrt(dot(moment, moment)), 1e-2);

    const Vector arm = random_vector(numbers);  // from the new point to the old
    const kernels::Matrix3<double> moved =
        kernels::shift_turning(kernels::turning_inertia(inertia, v), momentum, arm);
    const kernels::Matrix3<double> there =
        kernels::turning_inertia(shift(inertia, arm), shift(v, -arm));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(moved.m[k], there.m[k], 1e-13);
  }
}

TEST(Bodies, ShiftedInertiaNeedsTheShiftedForce) {
  support::Numbers numbers(22);
  for (int trial = 0; trial < 10; ++trial) {
    const Inertia6 inertia = random_inertia(numbers);
    const Motion a = random_motion(numbers);
    const Vector arm = random_vector(numbers);
    const kernels::Force<double> direct = shift(inertia, arm) * shift(a, -arm);
    const kernels::Force<double> shifted = shift(inertia * a, arm);
    EXPECT_LT(distance(direct.f, shifted.f), 1e-13);
    EXPECT_LT(distance(direct.n, shifted.n), 1e-13);
  }
}

TEST(Bodies, InertiaPartials) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    f.set_random_state(23);
    kernels::positions(f.design());
    const kernels::Layout& l = f.layout();
    int entries = 0;
    for (int p = 0; p < f.view().parameter_count; ++p)
      for (int e = f.view().partial_begin[p]; e < f.view().partial_begin[p + 1]; ++e) {
        const kernels::PartialEntry& entry = f.view().partials[e];
        if (entry.kind != kernels::PartialKind::inertia) continue;
        const auto partial = kernels::body_inertia_partial(
            f.design(), entry.index, f.design().at(l.direction + entry.direction));
        const double value = g.parameter(p).value;
        g.parameter(p) = seeded(value);
        g.prepare();
        g.set_random_state(23);
        kernels::positions(g.design());
        // The body stays, and so does the reference point: a centre of mass that moves away from it
        // is felt as a first moment.
        const auto d = g.design();
        for (int k = 0; k < 9; ++k) g.at(l.rotation, 9 * entry.index + k).derivative[0] = 0.0;
        for (const int place : {l.origin, l.reference})
          for (int k = 0; k < 3; ++k) g.at(place, 3 * entry.index + k).derivative[0] = 0.0;
        const auto com = kernels::origin_of(d, entry.index) +
                         kernels::rotation_of(d, entry.index) *
                             kernels::slot3(d, f.view().bodies[entry.index].com_slot) -
                         kernels::reference_of(d, entry.index);
        const Dual1 mass = d.at(l.slot)[f.view().bodies[entry.index].mass_slot];
        auto inertia = kernels::rotate(
            kernels::rotation_of(d, entry.index),
            kernels::load_symmetric(d.at(l.slot + f.view().bodies[entry.index].inertia_slot), 0));
        inertia += kernels::point_inertia(mass, com);
        const auto moment = mass * com;
        const double pairs[][2] = {{partial.mass, slope_of(mass)},
                                   {partial.moment.x, slope_of(moment.x)},
                                   {partial.moment.y, slope_of(moment.y)},
                                   {partial.moment.z, slope_of(moment.z)},
                                   {partial.inertia.xx, slope_of(inertia.xx)},
                                   {partial.inertia.yy, slope_of(inertia.yy)},
                                   {partial.inertia.zz, slope_of(inertia.zz)},
                                   {partial.inertia.xy, slope_of(inertia.xy)},
                                   {partial.inertia.xz, slope_of(inertia.xz)},
                                   {partial.inertia.yz, slope_of(inertia.yz)}};
        for (const auto& pair : pairs)
          EXPECT_NEAR(pair[0], pair[1], 1e-12)
              << f.plan().partial_names[static_cast<std::size_t>(e)];
        g.parameter(p) = Dual1(value);
        ++entries;
      }
    EXPECT_GE(entries, 10 * (f.view().body_count - f.view().state_count));
  });
}

// Length, rate and second rate of every line by every coordinate and its rate.
TEST(Bodies, LinesAnswerToCoordinates) {
  int lines = 0;
  for_each_kernel_model([&](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    f.set_random_state(24);
    g.set_random_state(24);
    evaluate_everything(f.design());
    const kernels::Layout& l = f.layout();
    const auto d = f.design();
    Comparison comparison("columns of lines");
    for (int c = 0; c < f.view().coordinate_count; ++c)
      for (const int seed : {l.position, l.velocity}) {
        Dual1& entry = g.at(seed, c);
        const Dual1 kept = entry;
        entry = seeded(kept.value);
        evaluate_everything(g.design());
        entry = kept;
        for (int k = 0; k < f.view().line_count; ++k) {
          const auto column =
              kernels::input_column(d, l.motion, {kernels::LawInputKind::length, k, 0}, c,
                                    kernels::axis_motion(d, l.motion, c));
          const bool by_rate = seed == l.velocity;
          comparison.add(by_rate ? 0.0 : column.value, slope_of(g.at(l.line_length, k)));
          comparison.add(by_rate ? column.value : column.rate,
                         slope_of(kernels::length_rate(g.design(), l.motion, k)));
          comparison.add(by_rate ? 2 * column.rate : column.acceleration,
                         slope_of(kernels::length_acceleration(g.design(), l.motion, k)));
        }
      }
    lines += f.view().line_count;
    if (f.view().line_count > 0) comparison.expect_equal();
  });
  EXPECT_GT(lines, 4);
}

// What pose k shows, and its change by a coordinate: numbers, then rates.
template <class D>
typename D::Real shown_of_pose(const D& d, int k, int i) {
  const kernels::LawInputKind kind =
      i < kernels::kPoseNumbers ? kernels::LawInputKind::pose : kernels::LawInputKind::pose_rate;
  return kernels::input_value(d, d.layout.free_motion, {kind, k, i % kernels::kPoseNumbers},
                              d.at(d.layout.free_velocity));
}

// Numbers and rates of every relative pose by every coordinate and its rate.
TEST(Bodies, PosesAnswerToCoordinates) {
  int poses = 0;
  for_each_kernel_model([&](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<Dual1> g(model, reference);
    f.set_random_state(25);
    g.set_random_state(25);
    evaluate_everything(f.design());
    const kernels::Layout& l = f.layout();
    const auto d = f.design();
    Comparison comparison("columns of poses");
    for (int c = 0; c < f.view().coordinate_count; ++c)
      for (const int seed : {l.position, l.free_velocity}) {
        Dual1& entry = g.at(seed, c);
        const Dual1 kept = entry;
        entry = seeded(kept.value);
        evaluate_everything(g.design());
        entry = kept;
        const auto s = kernels::axis_motion(d, l.free_motion, c);
        for (int k = 0; k < f.view().pose_count; ++k)
          for (int i = 0; i < kernels::kPoseNumbers + 6; ++i) {
            const bool is_rate = i >= kernels::kPoseNumbers;
            const kernels::LawInputEntry in{
                is_rate ? kernels::LawInputKind::pose_rate : kernels::LawInputKind::pose, k,
                i % kernels::kPoseNumbers};
            comparison.add(seed == l.position
                               ? kernels::input_by_position(d, l.free_motion, in, c, s)
                               : kernels::input_by_rate(d, in, c, s),
                           slope_of(shown_of_pose(g.design(), k, i)));
          }
      }
    poses += f.view().pose_count;
    if (f.view().pose_count > 0) comparison.expect_equal();
  });
  EXPECT_GT(poses, 2);
}

}  // namespace
}  // namespace gradus::derivative
