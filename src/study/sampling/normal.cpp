// Through Boost.Math's error functions; results do not depend on the size of long double.
#include "src/study/sampling/normal.hpp"

#include <boost/math/distributions/normal.hpp>

namespace gradus {
namespace {

using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, Policy>;

}  // namespace

Probability normal_probability(double score) {
  return {boost::math::cdf(Normal(), score), boost::math::cdf(Normal(), -score)};
}

double normal_score(const Probability& probability) {
  return probability.below <= probability.above
             ? boost::math::quantile(Normal(), probability.below)
             : -boost::math::quantile(Normal(), probability.above);
}

double normal_mass(double first, double second) {
  if (first > 0.0) return normal_mass(-second, -first);
  return boost::math::cdf(Normal(), second) - boost::math::cdf(Normal(), first);
}

}  // namespace gradus
