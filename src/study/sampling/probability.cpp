// With Boost.Math, which takes long to compile: in one place.
#include "src/study/sampling/probability.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace gradus {
namespace {

// Without promotion, results do not depend on the size of long double, and programs run under
// Valgrind, which has none: Boost would evaluate such numbers as the program starts.
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

double student_score(double above, double degrees_of_freedom) {
  const boost::math::students_t_distribution<double, Policy> distribution(degrees_of_freedom);
  return -boost::math::quantile(distribution, above);
}

double normal_mass(double first, double second) {
  if (first > 0.0) return normal_mass(-second, -first);
  return boost::math::cdf(Normal(), second) - boost::math::cdf(Normal(), first);
}

double binomial_probability(std::size_t most, std::size_t count, double probability) {
  const boost::math::binomial_distribution<double, Policy> distribution(static_cast<double>(count),
                                                                        probability);
  return boost::math::cdf(distribution, static_cast<double>(most));
}

}  // namespace gradus
