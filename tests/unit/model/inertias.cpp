// Inertias that no body has: what printed digits left is corrected and stated, the rest refused.
#include <Eigen/Dense>
#include <random>

#include "src/model/message.hpp"
#include "src/model/validation.hpp"
#include "tests/unit/model/mistakes.hpp"

namespace gradus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::array<const char*, 6> kEntries = {"xx", "yy", "zz", "xy", "xz", "yz"};
constexpr std::array<std::array<int, 2>, 6> kPlaces = {
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

// A thin rod along a direction, its entries printed with so many digits.
std::string printed_rod(const Vector3d& along, int digits) {
  const Vector3d u = along.normalized();
  const Matrix3d rod = Matrix3d::Identity() - u * u.transpose();
  nlohmann::json inertia;
  for (std::size_t k = 0; k < 6; ++k)
    inertia[kEntries[k]] = std::stod(rounded_text(rod(kPlaces[k][0], kPlaces[k][1]), digits));
  return inertia.dump();
}

std::string with_arm(const std::string& inertia) {
  return small_model_with("{\"bodies\": {\"arm\": {\"inertia\": " + inertia + "}}}");
}

Matrix3d matrix_of(const Inertia& inertia) {
  const Number* const numbers[] = {&inertia.xx, &inertia.yy, &inertia.zz,
                                   &inertia.xy, &inertia.xz, &inertia.yz};
  Matrix3d matrix;
  for (std::size_t k = 0; k < 6; ++k)
    matrix(kPlaces[k][0], kPlaces[k][1]) = matrix(kPlaces[k][1], kPlaces[k][0]) =
        numbers[k]->value();
  return matrix;
}

double smallest(const Matrix3d& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(matrix).eigenvalues()[0];
}

TEST(Inertias, OfThinRodsPrintedWithSixDigitsAreCorrected) {
  std::minstd_rand generator;
  const auto draw = [&] { return static_cast<double>(generator()) / generator.max() - 0.5; };
  int corrected = 0;
  for (int i = 0; i < 50; ++i) {
    const Vector3d along(draw(), draw(), draw());
    Model model = parse_model(with_arm(printed_rod(along, 6)), "small.json");
    const Matrix3d before = matrix_of(model.bodies[0].inertia);
    const Findings findings = examine(model, "small.json");
    apply(findings.changes, model);
    const Matrix3d after = matrix_of(model.bodies[0].inertia);
    EXPECT_GT(smallest(after), -1e-15);
    EXPECT_NEAR((after - before).norm(), std::max(-smallest(before), 0.0), 1e-15);
    EXPECT_EQ(findings.changes.size(), findings.remarks.size());
    if (findings.changes.empty()) continue;
    ++corrected;
    EXPECT_EQ(findings.remarks[0],
              "inertia: negative principal moments that printed digits left are set to 0, kg m^2, "
              "of \"arm\" (" +
                  rounded_text(smallest(before), 3) + ")");
  }
  EXPECT_GT(corrected, 10);
}

TEST(Inertias, OfThinRodsPrintedWithThreeDigitsAreRefused) {
  const std::string error = error_of(with_arm(printed_rod({1, 2, -3}, 3)));
  EXPECT_NE(error.find("/bodies/arm/inertia: the inertia about the centre of mass has the "
                       "eigenvalue -0.000428"),
            std::string::npos)
      << error;
}

TEST(Inertias, OfPointsMayBeNoise) {
  EXPECT_EQ(error_of(with_arm(R"({"xx": 0, "yy": 0, "zz": 0, "xz": 2.4e-35})")), "no error");
  EXPECT_EQ(error_of(with_arm(R"({"xx": -5e-20, "yy": -5e-20, "zz": 0})")), "no error");
  EXPECT_NE(error_of(with_arm(R"({"xx": -5e-15, "yy": -5e-15, "zz": 0})")), "no error");
}

// An antenna of a milligram fixed to the arm is part of it; on a joint of its own it is not.
TEST(Inertias, CountBesideTheRigidBodyTheyArePartOf) {
  const auto with_antenna = [](const std::string& type) {
    return small_model_with(R"({"bodies": {"antenna": {"mass": 1e-6, "com": [0, 0, 0],
      "inertia": {"xx": 2.4e-8, "yy": 2.8e-8, "zz": 3.8e-8, "xy": 6.1e-8}}},
      "joints": {"mount": {"type": ")" +
                            type + R"(", "parent": "arm.tip", "child": "antenna"}}})");
  };
  EXPECT_EQ(error_of(with_antenna("fixed")), "no error");
  const std::string error = error_of(with_antenna("revolute"));
  EXPECT_NE(error.find("/bodies/antenna/inertia: the inertia about the centre of mass has the "
                       "eigenvalue -3.5"),
            std::string::npos)
      << error;
}

TEST(Inertias, OfExpressionsAreCorrectedByAConstant) {
  Model model =
      parse_model(with_arm(R"({"xx": "-1e-7*length", "yy": "half", "zz": 1})"), "small.json");
  const Findings findings = examine(model, "small.json");
  ASSERT_EQ(findings.changes.size(), 1u);
  apply(findings.changes, model);
  EXPECT_EQ(model.bodies[0].inertia.xx.expression(), "(-1e-7*length) + (2e-07)");
  EXPECT_EQ(model.bodies[0].inertia.yy.expression(), "half");
  EXPECT_TRUE(examine(model, "small.json").changes.empty());
}

TEST(Inertias, BeyondTheTriangleInequalityAreRemarkedOn) {
  const auto remarks = [](const std::string& inertia) {
    return examine(parse_model(with_arm(inertia), "small.json"), "small.json").remarks;
  };
  const std::vector<std::string> gross = remarks(R"({"xx": 0.001, "yy": 0.002, "zz": 0.01})");
  ASSERT_EQ(gross.size(), 1u);
  EXPECT_EQ(
      gross[0],
      "inertia: a principal moment above the sum of the others, kg m^2, which no distribution "
      "of mass has, was found of \"arm\" (0.01 above 0.002 + 0.001); used as stated");
  EXPECT_TRUE(remarks(R"({"xx": 0.004, "yy": 0.006, "zz": 0.01005})").empty());
  // Of what moves in a plane one moment is all that counts.
  EXPECT_TRUE(remarks(R"({"xx": 0, "yy": 0, "zz": 0.01})").empty());
}

}  // namespace
}  // namespace gradus
