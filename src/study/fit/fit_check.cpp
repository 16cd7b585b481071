// Central differences of sums of squares.
#include "src/study/fit/fit_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace gradus {
namespace {

constexpr std::array kSteps{1e-3, 1e-4, 1e-5, 1e-6};  // relative to the size of a variable
constexpr double kWeak = 1e-6;                        // effect of a variable, relative to others

class Differences {
 public:
  Differences(const LeastSquaresProblem& problem, std::vector<double> point)
      : point_(std::move(point)) {
    const std::vector<double> scales = variable_scales(problem);
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const double size = size_at(point_[i], scales[i]);
      const double room = 0.5 * (problem.upper[i] - problem.lower[i]);
      sizes_.push_back(std::min(size, room / kSteps[0]));
      const double step = kSteps[0] * sizes_[i];
      point_[i] = std::clamp(point_[i], problem.lower[i] + step, problem.upper[i] - step);
    }
  }

  double deviation(const Ask& ask, const SumsOfSquares& sums_of_squares) const {
    LeastSquaresSums sums;
    if (!unpack(ask(point_), point_.size(), sums)) return std::numeric_limits<double>::infinity();
    const std::vector<double> values = sums_of_squares(points());
    // Variables with hardly any effect are measured against the effect of the others.
    double least_bound = 0.0;
    for (std::size_t i = 0; i < point_.size(); ++i)
      least_bound = std::max(least_bound, kWeak * sizes_[i] * bound(i, sums));
    double largest = 0.0;
    for (std::size_t i = 0; i < point_.size(); ++i)
      largest = std::max(largest, deviation(i, least_bound, sums, values));
    return largest;
  }

 private:
  // Both sides of the point, for each step of each variable.
  std::vector<std::vector<double>> points() const {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < point_.size(); ++i)
      for (const double step : kSteps)
        for (const double side : {-1.0, 1.0}) {
          all.push_back(point_);
          all.back()[i] += side * step * sizes_[i];
        }
    return all;
  }

  // Cauchy-Schwarz: an entry of |2 J^T r| is at most twice the norm of its column times that of r.
  double bound(std::size_t i, const LeastSquaresSums& sums) const {
    return 2.0 * std::sqrt(sums.sum * sums.normal[i * point_.size() + i]);
  }

  double deviation(std::size_t i, double least_bound, const LeastSquaresSums& sums,
                   const std::vector<double>& values) const {
    if (!(sizes_[i] > 0.0)) return 0.0;  // its bounds leave it no room
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kSteps.size(); ++k) {
      const std::size_t at = 2 * (i * kSteps.size() + k);
      const double width = 2.0 * kSteps[k] * sizes_[i];
      const double error = std::abs((values[at + 1] - values[at]) / width - 2.0 * sums.gradient[i]);
      const double scale = std::max(bound(i, sums), least_bound / sizes_[i]);
      const double relative = error == 0.0 ? 0.0 : error / scale;
      if (relative < best) best = relative;
    }
    return best;
  }

  std::vector<double> point_;
  std::vector<double> sizes_;
};

}  // namespace

double gradient_deviation(const LeastSquaresProblem& problem, const std::vector<double>& point,
                          const Ask& ask, const SumsOfSquares& sums) {
  return Differences(problem, point).deviation(ask, sums);
}

}  // namespace gradus
