// Discrete adjoints of one-step methods against numbers of an independent program:
// models/oscillator and models/spring-pendulum, the examples of the article with
// DOI 10.1007/s11044-024-09965-5.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Result gradient_of(const Model& model, const std::string& method) {
  Options options;
  options.backend = "cpu:1";
  options.method = method;
  return gradient(model, options);
}

struct Reference {
  std::string integrator, spline;
  std::vector<double> force;     // at 1 and 2 s
  std::vector<double> gradient;  // [2, 3]
};

const std::vector<Reference> kOscillator{
    {"explicit-euler",
     "not-a-knot",
     {5.8958984018, 7.9787137979},
     {0.3258524436, 0.4600931922, -0.0615925935, 0.1705154557, 0.9717926639, 0.2214016286}},
    {"explicit-euler",
     "natural",
     {5.8958984018, 7.9787137979},
     {0.3418719352, 0.4280542089, -0.0455731018, 0.1979122899, 0.9169989956, 0.2487984627}},
    {"explicit-euler",
     "clamped",
     {6.2704247092, 7.9307443483},
     {0.4367461987, 0.3319372588, -0.0443304152, 0.2741066111, 0.7526179908, 0.3369851463}},
    {"implicit-euler",
     "not-a-knot",
     {5.8914505819, 7.9641892021},
     {0.3249140434, 0.4609203193, -0.0616058841, 0.1694867435, 0.9707837979, 0.2223094898}},
    {"implicit-euler",
     "natural",
     {5.8914505819, 7.9641892021},
     {0.3409314872, 0.4288854317, -0.0455884403, 0.1968613390, 0.9160346070, 0.2496840853}},
    {"trapezoidal",
     "not-a-knot",
     {5.8936752267, 7.9714476065},
     {0.3253831968, 0.4605069715, -0.0615992849, 0.1700006155, 0.9712883519, 0.2218556702}},
};

TEST(OneStepReferences, OfTheOscillator) {
  for (const Reference& reference : kOscillator) {
    std::string text = text_of(source_path("models/oscillator/oscillator.json"));
    text.replace(text.find("not-a-knot"), 10, reference.spline);
    Model model = parse_model(text, "oscillator");
    model.analysis.integrator = reference.integrator;
    for (const char* method : {"direct", "adjoint", "dual"}) {
      SCOPED_TRACE(reference.integrator + " " + reference.spline + " " + method);
      const Result r = gradient_of(model, method);
      ASSERT_EQ(r.objective_values.size(), 3U);
      const std::size_t n = r.parameters.size();
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(r.objective_values[k + 1], reference.force[k], 1e-9);
        for (std::size_t p = 0; p < 3; ++p)
          EXPECT_NEAR(r.gradient[(k + 1) * n + p], reference.gradient[3 * k + p], 1e-9);
      }
    }
  }
}

// The optimum by another program, to six decimals of its thirty variables.
const std::vector<double> kOptimum{
    0.465402,  1.282157,  1.159774,  -0.081970, -1.635024, -2.007481, -1.350634, 0.021508,
    1.586662,  2.700799,  3.122810,  2.184439,  0.098761,  -2.564229, -4.282263, -5.265221,
    -4.450859, -2.732203, -0.869869, 1.189200,  0.194121,  2.789642,  3.376689,  1.585630,
    -2.015588, 1.216680,  4.286406,  3.758328,  1.928903,  -0.461865};

TEST(OneStepReferences, OfTheSpringPendulum) {
  const Model model = read_model(source_path("models/spring-pendulum/spring-pendulum.json"));
  const Result still = gradient_of(model, "direct");
  const double end[] = {4.99265667, 1.52998495, -7.90561956, -2.92156542, -3.91419963, -4.75332131};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(still.objective_values[k + 1], end[k], 1e-8);
  const double longest =
      *std::max_element(still.objective_values.begin() + 7, still.objective_values.end());
  EXPECT_NEAR(12.0 * longest, 12.836659, 1e-6);

  Options options;
  options.designs.values = kOptimum;
  options.backend = "cpu:1";
  const Result direct = gradient(model, options);
  options.method = "adjoint";
  const Result adjoint = gradient(model, options);
  const double goal[] = {47.463334209, 2, -10, -4, 0, 0, 0};
  for (std::size_t k = 0; k < 7; ++k)
    EXPECT_NEAR(direct.objective_values[k], goal[k], k == 0 ? 1e-4 : 2e-5) << k;
  ASSERT_EQ(direct.gradient.size(), 508U * 30U);
  for (std::size_t o = 0; o < 508; ++o) {
    double largest = 1e-12;
    for (std::size_t p = 0; p < 30; ++p)
      largest = std::max(largest, std::abs(direct.gradient[o * 30 + p]));
    for (std::size_t p = 0; p < 30; ++p)
      EXPECT_NEAR(adjoint.gradient[o * 30 + p], direct.gradient[o * 30 + p], 1e-11 * largest)
          << direct.objectives[o].name << " " << p;
  }
}

// With as many values as make it pool elements, and few enough that states between steps are kept
// in the place of all steps; in lanes and on a device.
TEST(OneStepReferences, OfTheSpringPendulumWithinAMemory) {
  Model model = read_model(source_path("models/spring-pendulum/spring-pendulum.json"));
  std::vector<double>& times = model.objectives.back().at;
  for (std::size_t k = 0; 25 * k < times.size(); ++k) times[k] = times[25 * k];
  times.resize(21);
  Options options;
  options.method = "adjoint";
  options.backend = "cpu:1";
  options.designs.values = kOptimum;
  const Result all = gradient(model, options);
  ASSERT_EQ(all.gradient.size(), 28U * 30U);
  options.memory = 150'000;
  const Result within = gradient(model, options);
  EXPECT_GT(within.recomputation, 0.5);
  EXPECT_EQ(within.gradient, all.gradient);
  options.memory = 0;
  for (int k = 0; k < 4; ++k)
    for (const double value : kOptimum) options.designs.values.push_back(value * (1.0 + 0.01 * k));
  options.backend = "cpu:2";
  const Result lanes = gradient(model, options);
  options.lanes = 1;
  EXPECT_EQ(gradient(model, options).gradient, lanes.gradient);
  options.lanes = 0;
  options.backend = "debug";
  EXPECT_EQ(gradient(model, options).gradient, lanes.gradient);
  EXPECT_TRUE(std::equal(all.gradient.begin(), all.gradient.end(), lanes.gradient.begin()));
}

}  // namespace
}  // namespace gradus::test
