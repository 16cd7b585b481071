// The gradient of a fit's sum of squares against central differences of the motion alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "src/sensitivity/difference_errors.hpp"
#include "src/study/fit/fit_model.hpp"

namespace gradus {
namespace {

constexpr std::array kSteps{1e-3, 1e-4, 1e-5, 1e-6};  // relative to the size of a variable
constexpr double kWeakEffect = 1e-6;                  // effect of a variable, relative to others
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double badness(const GradientDeviation& found) {
  return found.proves() ? found.deviation / found.error : kInfinity;
}

class SumDifferences {
 public:
  SumDifferences(const LeastSquaresProblem& problem, std::vector<double> point)
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

  GradientDeviation deviation(const Ask& ask, const SumsOfSquares& sums_of_squares) const {
    LeastSquaresSums sums;
    if (!unpack(ask(point_), point_.size(), sums)) return {kInfinity, kInfinity};
    const std::vector<double> values = sums_of_squares(point_, points());
    const std::size_t in_a_row = values.size() - kDesignsInARow;
    // At least its last place.
    std::vector<double> noise{sums.sum * std::numeric_limits<double>::epsilon()};
    note_scatter({values.begin() + static_cast<std::ptrdiff_t>(in_a_row), values.end()}, noise);
    // Variables with hardly any effect are measured against the effect of the others.
    double least_bound = 0.0;
    for (std::size_t i = 0; i < point_.size(); ++i)
      least_bound = std::max(least_bound, kWeakEffect * sizes_[i] * bound(i, sums));
    GradientDeviation worst{0.0, kLeastDifferenceError};
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const GradientDeviation one = deviation(i, least_bound, sums, values, noise.front());
      if (badness(one) > badness(worst)) worst = one;
    }
    return worst;
  }

 private:
  // Both sides of the point, for each step of each variable; behind these, points in a row.
  std::vector<std::vector<double>> points() const {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < point_.size(); ++i)
      for (const double step : kSteps)
        for (const double side : {-1.0, 1.0}) {
          all.push_back(point_);
          all.back()[i] += side * step * sizes_[i];
        }
    for (std::size_t k = 0; k < kDesignsInARow; ++k) {
      all.push_back(point_);
      for (std::size_t i = 0; i < point_.size(); ++i)
        all.back()[i] += static_cast<double>(k) * kSpacingInARow * sizes_[i];
    }
    return all;
  }

  // Cauchy-Schwarz: an entry of |2 J^T r| is at most twice the norm of its column times that of r.
  double bound(std::size_t i, const LeastSquaresSums& sums) const {
    return 2.0 * std::sqrt(sums.sum * sums.normal[i * point_.size() + i]);
  }

  GradientDeviation deviation(std::size_t i, double least_bound, const LeastSquaresSums& sums,
                              const std::vector<double>& values, double noise) const {
    if (!(sizes_[i] > 0.0)) return {0.0, kLeastDifferenceError};  // its bounds leave it no room
    std::vector<CentralDifference> sweep;
    for (std::size_t k = 0; k < kSteps.size(); ++k) {
      const std::size_t at = 2 * (i * kSteps.size() + k);
      const double width = 2.0 * kSteps[k] * sizes_[i];
      sweep.push_back({kSteps[k], width, (values[at + 1] - values[at]) / width});
    }
    const BestDifference best = best_difference(sweep, noise);
    const double scale = std::max(bound(i, sums), least_bound / sizes_[i]);
    const double difference = std::abs(best.slope - 2.0 * sums.gradient[i]);
    if (difference == 0.0) return {0.0, kLeastDifferenceError};
    if (!std::isfinite(difference)) return {kInfinity, kInfinity};
    return {difference / scale, best.error / scale + kLeastDifferenceError};
  }

  std::vector<double> point_;
  std::vector<double> sizes_;
};

}  // namespace

bool GradientDeviation::proves() const {
  return error <= kLargestErrorOfProof;
}

GradientDeviation gradient_deviation(const LeastSquaresProblem& problem,
                                     const std::vector<double>& point, const Ask& ask,
                                     const SumsOfSquares& sums) {
  return SumDifferences(problem, point).deviation(ask, sums);
}

}  // namespace gradus
