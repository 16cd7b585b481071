// Covariance by the singular values of the sensitivity matrix, whose columns have unit length.
#include "src/study/fit/fit_model.hpp"
#include "src/study/sampling/distribution.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Sums that differ by less, relatively, count as equal.
constexpr double kSameSum = 1e-9;
// Singular values relative to the largest: below the first they are round-off of the sensitivities,
// below the second they make errors a thousand times larger than those of single parameters.
constexpr double kLost = 1e-10;
constexpr double kWeak = 1e-3;
// The effect of changing a variable by its own size, relative to that of the most influential one.
constexpr double kUnanswered = 1e-12;
constexpr double kPart = 1e-5;  // part of a variable in a direction that is more than round-off
constexpr double kNamedPart = 0.05;  // part that is worth mentioning
constexpr double kCorrelated = 0.99;

// Which parameters the measurements determine.
struct Identifiability {
  Identifiability(const std::vector<double>& jacobian, const std::vector<FittedParameter>& all);

  std::vector<std::size_t> free;    // variables that are not at bounds
  Eigen::VectorXd lengths;          // [n_free] of their columns of the sensitivity matrix
  Eigen::VectorXd singular_values;  // [n_free] descending, of columns of unit length
  Eigen::MatrixXd directions;       // [n_free, n_free] its right singular vectors
  std::vector<bool> answered;       // [n_free] whether any measurement responds to it

  // Whether a singular value is only round-off.
  bool is_lost(Eigen::Index k) const;
  // Whether a free variable has no part in a lost direction.
  bool is_identified(Eigen::Index i) const;
};

Identifiability::Identifiability(const std::vector<double>& jacobian,
                                 const std::vector<FittedParameter>& all) {
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i)
    if (!all[i].at_bound) free.push_back(i);
  const auto rows = static_cast<Index>(jacobian.size() / n);
  const auto columns = static_cast<Index>(free.size());
  Eigen::MatrixXd matrix(rows, columns);
  lengths.resize(columns);
  double most_telling = 0.0;
  const auto effect = [&](Index c) {
    const FittedParameter& parameter = all[free[static_cast<std::size_t>(c)]];
    const double size = std::max(std::abs(parameter.value), std::abs(parameter.start));
    return lengths[c] * (size > 0.0 ? size : 1.0);
  };
  for (Index c = 0; c < columns; ++c) {
    const std::size_t i = free[static_cast<std::size_t>(c)];
    for (Index r = 0; r < rows; ++r) matrix(r, c) = jacobian[static_cast<std::size_t>(r) * n + i];
    lengths[c] = matrix.col(c).norm();
    most_telling = std::max(most_telling, effect(c));
  }
  for (Index c = 0; c < columns; ++c) {
    answered.push_back(lengths[c] > 0.0 && effect(c) > kUnanswered * most_telling);
    if (answered.back())
      matrix.col(c) /= lengths[c];
    else
      matrix.col(c).setZero();
  }
  if (columns == 0) return;
  // The triangular factor of a QR factorisation is small and has the same singular values.
  const Index rank = std::min(rows, columns);
  Eigen::MatrixXd triangle = Eigen::MatrixXd::Zero(columns, columns);
  triangle.topRows(rank) = Eigen::HouseholderQR<Eigen::MatrixXd>(matrix)
                               .matrixQR()
                               .topRows(rank)
                               .triangularView<Eigen::Upper>();
  const SingularVectors vectors = singular_vectors(triangle);
  singular_values = vectors.values;
  directions = vectors.right;
}

bool Identifiability::is_lost(Index k) const {
  return !(singular_values[k] > kLost * singular_values[0]);
}

bool Identifiability::is_identified(Index i) const {
  if (!answered[static_cast<std::size_t>(i)]) return false;
  for (Index k = 0; k < singular_values.size(); ++k)
    if (is_lost(k) && std::abs(directions(i, k)) > kPart) return false;
  return true;
}

// "+1 a -0.5 b": how parameters change along a singular direction.
std::string combination(const Identifiability& found, Index k, double smallest_part,
                        const FitResult& result) {
  double largest = 0.0;
  for (Index i = 0; i < found.lengths.size(); ++i) {
    if (std::abs(found.directions(i, k)) < smallest_part || !(found.lengths[i] > 0.0)) continue;
    const double change = found.directions(i, k) / found.lengths[i];
    if (std::abs(change) > std::abs(largest)) largest = change;
  }
  std::string text;
  for (Index i = 0; i < found.lengths.size(); ++i) {
    if (std::abs(found.directions(i, k)) < smallest_part || !(found.lengths[i] > 0.0)) continue;
    const double change = found.directions(i, k) / found.lengths[i] / largest;
    text += (text.empty() ? "" : ", ") +
            result.parameters[found.free[static_cast<std::size_t>(i)]].parameter.name + " by " +
            (change > 0.0 ? "+" : "") + rounded_text(change, 3);
  }
  return text;
}

std::vector<std::string> names_in(const Identifiability& found, Index k, double smallest_part,
                                  const FitResult& result) {
  std::vector<std::string> names;
  for (Index i = 0; i < found.lengths.size(); ++i)
    if (std::abs(found.directions(i, k)) >= smallest_part &&
        found.answered[static_cast<std::size_t>(i)])
      names.push_back(result.parameters[found.free[static_cast<std::size_t>(i)]].parameter.name);
  return names;
}

void warn_of_bounds(FitResult& result) {
  for (const FittedParameter& parameter : result.parameters)
    if (parameter.at_bound)
      result.warnings.push_back(in_quotes(parameter.parameter.name) + " is at its bound " +
                                to_text(parameter.value) +
                                ": it has no error, and those of the others take it for given");
}

void warn_of_silence(const Identifiability& found, FitResult& result) {
  for (std::size_t i = 0; i < found.free.size(); ++i)
    if (!found.answered[i])
      result.warnings.push_back("no measurement answers to " +
                                in_quotes(result.parameters[found.free[i]].parameter.name) +
                                ": it stays where it started and has no error; measure what "
                                "depends on it, or leave it out");
}

// Returns the names in each warning.
std::vector<std::vector<std::string>> warn_of_directions(const Identifiability& found,
                                                         FitResult& result) {
  std::vector<std::vector<std::string>> warned;
  for (Index k = found.singular_values.size() - 1; k >= 0; --k) {
    const double relative = found.singular_values[k] / found.singular_values[0];
    if (!(relative < kWeak)) break;
    const bool lost = found.is_lost(k);
    const std::vector<std::string> names = names_in(found, k, kNamedPart, result);
    if (names.size() < 2) continue;
    result.warnings.push_back(
        quoted_list(names) + (lost ? " cannot be told apart" : " can hardly be told apart") +
        ": no measurement answers " + (lost ? "" : "much ") + "when they change together, " +
        combination(found, k, kNamedPart, result) + " (singular value " +
        rounded_text(found.singular_values[k], 3) + (lost ? "); they have no errors" : ")"));
    warned.push_back(names);
  }
  return warned;
}

void warn_of_pairs(const std::vector<std::vector<std::string>>& warned, FitResult& result) {
  const std::size_t n = result.parameters.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double correlation = result.correlation[i * n + j];
      if (!(std::abs(correlation) > kCorrelated)) continue;
      const std::string& a = result.parameters[i].parameter.name;
      const std::string& b = result.parameters[j].parameter.name;
      const auto has_both = [&](const std::vector<std::string>& names) {
        return std::count(names.begin(), names.end(), a) > 0 &&
               std::count(names.begin(), names.end(), b) > 0;
      };
      if (std::any_of(warned.begin(), warned.end(), has_both)) continue;
      result.warnings.push_back(in_quotes(a) + " and " + in_quotes(b) +
                                " can hardly be told apart: the correlation of their errors is " +
                                rounded_text(correlation, 3));
    }
}

// Warns of what is identified badly or not at all. `freedom`: number of residuals beyond that of
// the parameters.
void add_warnings(const Identifiability& found, double freedom, FitResult& result) {
  warn_of_bounds(result);
  warn_of_silence(found, result);
  warn_of_pairs(warn_of_directions(found, result), result);
  if (freedom < 1.0 && !result.fit.deviations_known)
    result.warnings.push_back(
        "there are no more measurements than parameters: their deviations cannot be estimated, so "
        "there are no errors; measure more, or say that \"deviations_known\"");
}

// Half width of a confidence interval in standard errors.
double quantile(const Fit& fit, double freedom) {
  const double beyond = 0.5 * (1.0 - fit.confidence);  // its complement would round to 1
  if (fit.deviations_known) return -normal_score({beyond, 1.0 - beyond});
  return freedom < 1.0 ? kNaN : student_score(beyond, freedom);
}

// Covariance of the free variables up to its factor: (J^T J)^-1 from the singular vectors that are
// not lost in round-off; NaN for variables with a part in the lost ones.
MatrixXd unscaled_covariance(const Identifiability& found) {
  const auto n = static_cast<Index>(found.free.size());
  MatrixXd covariance = MatrixXd::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    if (found.is_lost(k)) continue;
    const VectorXd v = found.directions.col(k) / found.singular_values[k];
    covariance += v * v.transpose();
  }
  for (Index i = 0; i < n; ++i) {
    const double length = found.lengths[i];
    covariance.row(i) *= length > 0.0 ? 1.0 / length : kNaN;
    covariance.col(i) *= length > 0.0 ? 1.0 / length : kNaN;
  }
  for (Index i = 0; i < n; ++i)
    if (!found.is_identified(i)) {
      covariance.row(i).setConstant(kNaN);
      covariance.col(i).setConstant(kNaN);
    }
  return covariance;
}

void add_matrices(const Identifiability& found, double variance, FitResult& result) {
  const std::size_t n = result.parameters.size();
  result.covariance.assign(n * n, kNaN);
  result.correlation.assign(n * n, kNaN);
  const MatrixXd unscaled = unscaled_covariance(found);
  for (std::size_t a = 0; a < found.free.size(); ++a)
    for (std::size_t b = 0; b < found.free.size(); ++b) {
      const auto i = static_cast<Index>(a), j = static_cast<Index>(b);
      const std::size_t at = found.free[a] * n + found.free[b];
      result.covariance[at] = variance * unscaled(i, j);
      result.correlation[at] = a == b ? 1.0 + 0.0 * unscaled(i, i)
                                      : unscaled(i, j) / std::sqrt(unscaled(i, i) * unscaled(j, j));
    }
}

}  // namespace

std::size_t best_fit_start(const std::vector<FitStart>& starts, double round_off) {
  double least = std::numeric_limits<double>::infinity();
  for (const FitStart& start : starts) least = std::fmin(least, start.sum_of_squares);
  const double as_small = std::max(round_off, least * (1.0 + kSameSum));
  std::size_t best = starts.size();
  for (std::size_t k = 0; k < starts.size(); ++k)
    if (starts[k].sum_of_squares <= as_small &&
        (best == starts.size() || (starts[k].converged && !starts[best].converged)))
      best = k;
  return best == starts.size() ? 0 : best;
}

void add_statistics(const std::vector<double>& jacobian, FitResult& result) {
  const std::size_t n = result.parameters.size();
  const Identifiability found(jacobian, result.parameters);
  const double measurements = static_cast<double>(jacobian.size() / n);
  const double freedom = measurements - static_cast<double>(found.free.size());
  result.residual_deviation = freedom > 0.0 ? std::sqrt(result.sum_of_squares / freedom) : kNaN;
  const double variance =
      result.fit.deviations_known ? 1.0 : std::pow(result.residual_deviation, 2);
  add_matrices(found, variance, result);
  const double width = quantile(result.fit, freedom);
  for (std::size_t i = 0; i < n; ++i) {
    FittedParameter& parameter = result.parameters[i];
    parameter.standard_error = std::sqrt(result.covariance[i * n + i]);
    parameter.low = parameter.value - width * parameter.standard_error;
    parameter.high = parameter.value + width * parameter.standard_error;
  }
  for (Index k = 0; k < found.singular_values.size(); ++k)
    result.singular_values.push_back(found.singular_values[k]);
  add_warnings(found, freedom, result);
}

}  // namespace gradus
