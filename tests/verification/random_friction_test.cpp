// Random trees and loops of 3 to 15 bodies with friction in all of their joints: derivatives by
// every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/model/joint_types.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/random_forces.hpp"

namespace gradus {
namespace {

using test::Draw;

// Smoothed by 0.05 N and 0.05 m/s and more; the coefficients are small, so that nothing jams.
Force random_friction(const Joint& joint, Draw& draw) {
  static constexpr const char* laws[] = {"brown-mcphee", "coulomb", "lugre", "viscous"};
  const std::string law = laws[draw.below(4)];
  const JointType type = joint.type;
  Force f{"friction of " + joint.name, "joint-friction", {{"joint", joint.name}, {"law", law}}};
  const bool pins =
      type == JointType::revolute || type == JointType::cylindrical || type == JointType::cardan;
  if (type != JointType::prismatic) f["radius"] = draw.between(0.01, 0.05);
  if (law == "viscous") {
    f["viscous"] = draw.between(0.1, 2.0);
    return f;
  }
  f["static"] = "mu_s";
  f["dynamic"] = "mu_d";
  f["smoothing"] = "epsilon";
  if (law == "lugre") {
    f["stribeck_speed"] = "v_t";
    f["bristle_stiffness"] = draw.between(2.0, 6.0);
    f["bristle_damping"] = draw.between(0.05, 0.2);
  } else if (law == "coulomb") {
    f["transition_speed"] = "v_t";
    f["stribeck_speed"] = draw.between(0.1, 0.5);
  } else {
    f["transition_speed"] = "v_t";
  }
  if (type == JointType::cylindrical && draw.below(2) == 0) f["slip"] = "combined";
  const bool moments = (pins || type == JointType::prismatic) && draw.below(3) != 0;
  if (moments) f["length"] = draw.between(1.0, 2.0);
  if (moments && type == JointType::prismatic) f["width"] = draw.between(0.5, 1.0);
  if (!moments && (pins || type == JointType::prismatic)) f["load"] = "force";
  return f;
}

Model rough(Model m, unsigned seed, std::map<JointType, int>& rubbed) {
  Draw draw(seed + 77);
  m.parameters = {derivative::make_parameter("mu_s", 0.06),
                  derivative::make_parameter("mu_d", 0.04), derivative::make_parameter("v_t", 0.08),
                  derivative::make_parameter("epsilon", 0.06),
                  derivative::make_parameter("more", 0.1)};
  m.bodies.back().mass = std::to_string(m.bodies.back().mass.value()) + " + more";
  std::vector<Joint> all = m.joints;
  all.insert(all.end(), m.loops.begin(), m.loops.end());
  for (const Joint& joint : all)
    if (!slips_of(joint.type).empty()) {
      m.forces.push_back(random_friction(joint, draw));
      ++rubbed[joint.type];
    }
  const std::string last = m.bodies.back().name;
  m.sensors.push_back({"far", "position", last + ".p1"});
  m.sensors.push_back({"fast", "velocity", last + ".p1"});
  m.objectives = {{"all", ObjectiveKind::integral, "dot(fast, fast) + far.x", "", ""},
                  {"end", ObjectiveKind::terminal, "dot(far, [1, 2, 3]) + dot(fast, far)", "", ""}};
  m.analysis.formulation = "index1";
  m.analysis.integrator = "rk4";
  m.analysis.duration = 0.02;
  m.analysis.step = 2e-3;
  return m;
}

// A free body at the end of a tree may answer to nothing but round-off.
bool is_seen(const std::vector<double>& gradient) {
  return std::any_of(gradient.begin(), gradient.end(),
                     [](double entry) { return std::abs(entry) > 1e-12; });
}

// Prints what it rubbed. Loops whose reactions are open are refused, and must be few.
void expect_same_gradients(const std::function<Model(unsigned)>& draw_model, unsigned count,
                           unsigned most_refused) {
  std::map<JointType, int> rubbed;
  unsigned refused = 0;
  double worst = 0;
  std::array<unsigned, 5> felt{};  // parameters by the first objective
  for (unsigned seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const Model m = rough(draw_model(seed), seed, rubbed);
    Options options;
    options.backend = "cpu:1";
    options.method = "direct";
    Result direct;
    try {
      direct = gradient(m, options);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("share in more than one way"), std::string::npos)
          << error.what();
      continue;
    }
    ASSERT_TRUE(direct.all_ok()) << direct.status[0].message;
    for (std::size_t k = 0; k < 5; ++k) felt[k] += std::abs(direct.gradient[k]) > 1e-12 ? 1 : 0;
    for (const char* method : {"adjoint", "dual"}) {
      options.method = method;
      const Result other = gradient(m, options);
      ASSERT_TRUE(other.all_ok()) << other.status[0].message;
      if (is_seen(direct.gradient))
        worst = std::max(worst, derivative::largest_deviation(direct.gradient, other.gradient, 5));
    }
  }
  EXPECT_LT(worst, 1e-8);
  EXPECT_LE(refused, most_refused);
  for (const unsigned seeds : felt) EXPECT_GT(seeds, count / 2);
  EXPECT_EQ(rubbed.size(), 6U);
  std::cout << "largest deviation " << worst << ", " << refused << " of " << count << " refused\n";
}

TEST(RandomFriction, HasTheSameGradientsByEveryMethodInTrees) {
  expect_same_gradients(
      [](unsigned seed) {
        return test::random_tree_of_all_joints(seed, 3 + static_cast<int>(seed % 13)).model;
      },
      26, 0);
}

TEST(RandomFriction, HasTheSameGradientsByEveryMethodInLoops) {
  using Type = oracle::JointType;
  constexpr Type cuts[] = {Type::kRevolute,    Type::kPrismatic, Type::kUniversal,
                           Type::kCylindrical, Type::kSpherical, Type::kPlanar};
  expect_same_gradients(
      [&](unsigned seed) {
        return test::random_loop_of_all_joints(seed, 4 + static_cast<int>(seed % 12),
                                               cuts[seed % std::size(cuts)])
            .model;
      },
      24, 2);
}

// Values and gradients of a model in coordinates of joints and of bodies. Returns whether neither
// is refused.
bool expect_same_in_both_coordinates(Model m) {
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-13;
  Options options;
  options.backend = "cpu:1";
  Result joints, bodies;
  try {
    joints = gradient(m, options);
    options.coordinates = "reference-point";
    bodies = gradient(m, options);
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.find("share in more than one way") != std::string::npos ||
                text.find("a part of the orientation") != std::string::npos)
        << text;
    return false;
  }
  EXPECT_TRUE(joints.all_ok()) << joints.status[0].message;
  EXPECT_TRUE(bodies.all_ok()) << bodies.status[0].message;
  EXPECT_LT(derivative::largest_deviation(joints.objective_values, bodies.objective_values, 1),
            1e-10);
  if (is_seen(joints.gradient)) {
    EXPECT_LT(derivative::largest_deviation(joints.gradient, bodies.gradient, 5), 1e-9);
  }
  return true;
}

TEST(RandomFriction, IsTheSameInReferencePointCoordinatesOfTrees) {
  std::map<JointType, int> rubbed;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const int bodies = 3 + static_cast<int>(seed % 6);
    EXPECT_TRUE(expect_same_in_both_coordinates(
        rough(test::random_tree_of_all_joints(seed, bodies).model, seed, rubbed)));
  }
  EXPECT_EQ(rubbed.size(), 6U);
}

TEST(RandomFriction, IsTheSameInReferencePointCoordinatesOfLoops) {
  using Type = oracle::JointType;
  constexpr Type cuts[] = {Type::kRevolute,    Type::kPrismatic, Type::kUniversal,
                           Type::kCylindrical, Type::kSpherical, Type::kPlanar};
  std::map<JointType, int> rubbed;
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 18; ++seed) {
    SCOPED_TRACE(seed);
    const auto pair = test::random_loop_of_all_joints(seed, 4 + static_cast<int>(seed % 4),
                                                      cuts[seed % std::size(cuts)]);
    compared += expect_same_in_both_coordinates(rough(pair.model, seed, rubbed)) ? 1 : 0;
  }
  EXPECT_GE(compared, 6U);
}

}  // namespace
}  // namespace gradus
