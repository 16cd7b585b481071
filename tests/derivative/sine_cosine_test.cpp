// Sine and cosine against those of long double, in every lane, and differentiated.
#include "kernels/math/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace gradus::derivative {
namespace {

// Distance in units in the last place of the true value.
double units(double found, long double truth) {
  const double rounded = static_cast<double>(truth);
  const double unit = std::nextafter(std::fabs(rounded), HUGE_VAL) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(found) - truth) / unit);
}

// Small, ordinary, far, and as near to multiples of pi/2 as numbers come.
std::vector<double> angles() {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> small(-1e-5, 1e-5), ordinary(-10.0, 10.0), far(-9e5, 9e5);
  std::vector<double> all{0.0, -0.0, 0.5, 1e-300};
  for (int k = 0; k < 20000; ++k) {
    all.insert(all.end(), {small(random), ordinary(random), far(random)});
    const double multiple = static_cast<double>(k * 31) * 1.5707963267948966;
    all.insert(all.end(), {multiple, std::nextafter(multiple, 0.0), -multiple});
  }
  return all;
}

TEST(SineCosine, AreRightToTheLastPlace) {
  double worst = 0.0;
  for (const double x : angles()) {
    const auto [sine, cosine] = kernels::sine_cosine(x);
    worst = std::max(worst, units(sine, std::sin(static_cast<long double>(x))));
    worst = std::max(worst, units(cosine, std::cos(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.1);
  EXPECT_TRUE(std::signbit(kernels::sine_cosine(-0.0).sine));
}

TEST(SineCosine, LeaveTheRestToTheLibrary) {
  for (const double x : {1e6, -3e7, 1e300}) {
    EXPECT_EQ(kernels::sine_cosine(x).sine, std::sin(x));
    EXPECT_EQ(kernels::sine_cosine(x).cosine, std::cos(x));
  }
  for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    EXPECT_TRUE(std::isnan(kernels::sine_cosine(x).sine));
    EXPECT_TRUE(std::isnan(kernels::sine_cosine(x).cosine));
  }
}

TEST(SineCosine, AreTheSameInEveryLane) {
  const std::vector<double> all = angles();
  for (std::size_t k = 0; k + 1 < all.size(); k += 2)
    for (const double other : {all[k + 1], 1e8}) {
      kernels::Pack<2> x(all[k]);
      kernels::set_lane(x, 1, other);
      const auto both = kernels::sine_cosine(x);
      for (int lane = 0; lane < 2; ++lane) {
        const auto alone = kernels::sine_cosine(kernels::lane(x, lane));
        const double sine = kernels::lane(both.sine, lane);
        const double cosine = kernels::lane(both.cosine, lane);
        ASSERT_EQ(std::memcmp(&alone.sine, &sine, sizeof sine), 0) << kernels::lane(x, lane);
        ASSERT_EQ(std::memcmp(&alone.cosine, &cosine, sizeof cosine), 0) << kernels::lane(x, lane);
      }
    }
}

TEST(SineCosine, HaveEachOtherAsSlopes) {
  for (const double x : {-2.5, 0.3, 1.7, 4.0}) {
    kernels::Dual<double, 1> angle(x);
    angle.derivative[0] = 3.0;
    const auto [sine, cosine] = kernels::sine_cosine(angle);
    EXPECT_EQ(sine.derivative[0], 3.0 * cosine.value);
    EXPECT_EQ(cosine.derivative[0], -3.0 * sine.value);
  }
}

}  // namespace
}  // namespace gradus::derivative
