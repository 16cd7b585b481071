// Designs of grids, lists and samples. Covariances are correlations times standard deviations;
// correlations are checked and factorised.
#include "src/study/sampling/sampler.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/motion/decompositions.hpp"
#include "src/study/sampling/distribution.hpp"

namespace gradus {
namespace {

std::size_t checked_designs(double designs, const std::string& where) {
  if (designs < 1.0)
    reject(where, "there are no designs", "a sweep has at least one", "ask for some");
  if (designs > static_cast<double>(most_designs))
    reject(where, "there are " + to_text(designs) + " designs",
           "a sweep has at most " + to_text(static_cast<double>(most_designs)), "ask for fewer");
  return static_cast<std::size_t>(designs);
}

std::string where_of(const std::string& where, const SweepParameter& parameter) {
  return where + ": parameter " + in_quotes(parameter.name);
}

double grid_designs(const Sweep& sweep, const std::string& where) {
  double designs = 1.0;
  for (const SweepParameter& parameter : sweep.parameters) {
    for (const double value : parameter.values)
      if (!std::isfinite(value))
        reject(where_of(where, parameter), "found the value " + to_text(value), "it is not finite",
               "give numbers");
    designs *= static_cast<double>(parameter.values.size());
  }
  return designs;
}

double list_designs(const Sweep& sweep, const std::string& where) {
  if (sweep.list.size() % sweep.parameters.size() != 0)
    reject(where, "found a list of " + std::to_string(sweep.list.size()) + " numbers",
           "it has one row for each design and one column for each of " +
               std::to_string(sweep.parameters.size()) + " parameters",
           "complete its rows");
  for (const double value : sweep.list)
    if (!std::isfinite(value))
      reject(where, "found " + to_text(value) + " in the list", "it is not finite", "give numbers");
  return static_cast<double>(sweep.list.size() / sweep.parameters.size());
}

void sample_grid(const Sweep& sweep, std::size_t index, std::span<double> values) {
  for (std::size_t k = values.size(); k-- > 0;) {
    const std::vector<double>& axis = sweep.parameters[k].values;
    values[k] = axis[index % axis.size()];
    index /= axis.size();
  }
}

using Matrix = Eigen::MatrixXd;

std::vector<std::size_t> indices_of(const Sweep& sweep, const std::string& where) {
  std::vector<std::string> names;
  for (const SweepParameter& parameter : sweep.parameters) names.push_back(parameter.name);
  std::vector<std::size_t> indices;
  for (const std::string& name : sweep.dependence->parameters) {
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (found == names.end())
      reject(where, "found the parameter " + in_quotes(name), "the sweep does not vary it",
             suggestion(name, names));
    if (std::find(indices.begin(), indices.end(), index) != indices.end())
      reject(where, "found the parameter " + in_quotes(name) + " twice",
             "it has one row of the matrix", "remove one");
    indices.push_back(index);
  }
  return indices;
}

void require_normal(const Sweep& sweep, const std::vector<std::size_t>& indices,
                    const std::string& where) {
  for (const std::size_t index : indices) {
    const SweepParameter& parameter = sweep.parameters[index];
    if (parameter.distribution.kind != Distribution::Kind::normal ||
        parameter.distribution.truncated)
      reject(where, "the distribution of " + in_quotes(parameter.name) + " is not normal",
             "a covariance needs normal distributions without truncation",
             "make it normal, or give a correlation instead");
  }
}

Matrix matrix_of(const Dependence& dependence, const std::string& where) {
  const std::size_t n = dependence.parameters.size();
  if (n == 0 || dependence.matrix.size() != n * n)
    reject(where, "found a matrix of " + std::to_string(dependence.matrix.size()) + " numbers",
           "there are " + std::to_string(n) + " parameters", "give as many rows and columns");
  const auto size = static_cast<Eigen::Index>(n);
  return Eigen::Map<const Matrix>(dependence.matrix.data(), size, size).transpose();
}

// How messages name an entry.
std::string entry(const Dependence& dependence, Eigen::Index row, Eigen::Index column) {
  return "the entry of " + in_quotes(dependence.parameters[static_cast<std::size_t>(row)]) +
         " and " + in_quotes(dependence.parameters[static_cast<std::size_t>(column)]);
}

void check_diagonal(const Dependence& dependence, const Matrix& matrix, const std::string& where) {
  constexpr double tolerance = 1e-10;
  for (Eigen::Index k = 0; k < matrix.rows(); ++k) {
    const double value = matrix(k, k);
    const std::string found = entry(dependence, k, k) + " is " + to_text(value);
    if (dependence.is_covariance && !(value > 0.0 && std::isfinite(value)))
      reject(where, found, "variances are positive", "give the square of a standard deviation");
    if (!dependence.is_covariance && !(std::abs(value - 1.0) <= tolerance))
      reject(where, found, "the correlation of a parameter with itself is 1",
             "make the diagonal 1");
  }
}

// Rejects entries that are not finite or not symmetric.
void check_symmetry(const Dependence& dependence, const Matrix& correlation,
                    const std::string& where) {
  constexpr double tolerance = 1e-10;
  for (Eigen::Index row = 0; row < correlation.rows(); ++row)
    for (Eigen::Index column = 0; column < row; ++column) {
      const double below = correlation(row, column), above = correlation(column, row);
      if (!std::isfinite(below) || !std::isfinite(above))
        reject(where, entry(dependence, row, column) + " is not finite", "entries are numbers",
               "give one");
      if (std::abs(below - above) > tolerance)
        reject(where, entry(dependence, row, column) + " differs from its mirror image",
               "correlations are " + to_text(below) + " and " + to_text(above),
               "make the matrix symmetric");
    }
}

// The parameters with a significant part in a direction.
std::string parameters_along(const Dependence& dependence, const Eigen::VectorXd& direction) {
  constexpr double part = 0.1;  // of the largest component
  std::vector<std::string> names;
  const double largest = direction.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < direction.size(); ++k)
    if (std::abs(direction(k)) >= part * largest)
      names.push_back(dependence.parameters[static_cast<std::size_t>(k)]);
  return quoted_list(names);
}

void check_definiteness(const Dependence& dependence, const Matrix& correlation,
                        const std::string& where) {
  const auto [values, vectors] = eigenvectors(correlation);
  const double smallest = values(0);
  const double noise = 4.0 * static_cast<double>(correlation.rows()) *
                       std::numeric_limits<double>::epsilon() * values.maxCoeff();
  if (smallest > noise) return;
  const std::string names = parameters_along(dependence, vectors.col(0));
  const std::string scaled = dependence.is_covariance ? " of the correlations" : "";
  if (smallest >= -noise)
    reject(where, "the matrix is singular",
           "its smallest eigenvalue" + scaled + " is " + rounded_text(smallest, 3) +
               ": a combination of " + names + " does not vary",
           "leave one of them out or lower their correlations");
  reject(
      where, "the matrix is not positive definite",
      "its smallest eigenvalue" + scaled + " is " + rounded_text(smallest, 3) + ", along " + names,
      "no variables can have such correlations: check or lower them");
}

Matrix correlation_of(const Dependence& dependence, const std::string& where) {
  Matrix matrix = matrix_of(dependence, where);
  check_diagonal(dependence, matrix, where);
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  matrix = scale.asDiagonal() * matrix * scale.asDiagonal();
  check_symmetry(dependence, matrix, where);
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  matrix.diagonal().setOnes();
  check_definiteness(dependence, matrix, where);
  return matrix;
}

}  // namespace

Sampler::Sampler(const Sweep& sweep, const std::string& where) : sweep_(sweep) {
  if (sweep_.parameters.empty())
    reject(where, "it varies nothing", "a sweep has parameters", "name one");
  designs_ = count_designs(where);
  if (!sweep_.is_sample()) {
    if (sweep_.dependence)
      reject(where, "found parameters that depend on each other",
             "the designs of grids and lists are given", "sample at random instead");
    return;
  }
  dependence_ = DependenceFactor(sweep_, where);
  distributions_ = distributions_of(sweep_);
  for (std::size_t k = 0; k < distributions_.size(); ++k)
    check_distribution(distributions_[k], where_of(where, sweep_.parameters[k]));
  if (sweep_.sampling == Sampling::latin_hypercube)
    for (std::size_t k = 0; k < distributions_.size(); ++k)
      strata_.emplace_back(designs_, sweep_.seed, static_cast<std::uint32_t>(k),
                           RandomPurpose::permutation);
  if (sweep_.sampling == Sampling::sobol) sobol_.emplace(sweep_.parameters.size());
}

std::size_t Sampler::count_designs(const std::string& where) const {
  if (sweep_.sampling == Sampling::grid) return checked_designs(grid_designs(sweep_, where), where);
  if (sweep_.sampling == Sampling::list) return checked_designs(list_designs(sweep_, where), where);
  const std::size_t most = SobolSequence::most_dimensions();
  if (sweep_.sampling == Sampling::sobol && sweep_.parameters.size() > most)
    reject(where, "there are " + std::to_string(sweep_.parameters.size()) + " parameters",
           "Sobol's sequence has at most " + std::to_string(most) + " dimensions",
           "use \"latin-hypercube\" or \"random\"");
  return checked_designs(static_cast<double>(sweep_.designs), where);
}

// Strictly between 0 and 1.
double Sampler::probability(std::size_t index, std::size_t parameter) const {
  const auto stream = static_cast<std::uint32_t>(parameter);
  switch (sweep_.sampling) {
    case Sampling::latin_hypercube: {
      const auto slices = static_cast<double>(designs_);
      const double margin = slices * 0x1p-52;  // keeps rounding from reaching the next slice
      const double jitter =
          unit_interval(random_bits(sweep_.seed, index, stream, RandomPurpose::jitter));
      return (static_cast<double>(strata_[parameter](index)) +
              std::clamp(jitter, margin, 1.0 - margin)) /
             slices;
    }
    case Sampling::sobol:
      // A digital shift: the points stay as evenly spread.
      return unit_interval(sobol_->bits(index, parameter) ^
                           random_bits(sweep_.seed, 0, stream, RandomPurpose::shift));
    default:
      return unit_interval(random_bits(sweep_.seed, index, stream, RandomPurpose::value));
  }
}

void Sampler::sample_distributions(std::size_t index, std::span<double> values) const {
  std::vector<double> scores;
  for (const std::size_t parameter : dependence_.parameters()) {
    const double below = probability(index, parameter);
    scores.push_back(normal_score({below, 1.0 - below}));
  }
  dependence_.apply(scores);
  std::vector<bool> is_done(values.size(), false);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const std::size_t parameter = dependence_.parameters()[k];
    values[parameter] = value_at_score(distributions_[parameter], scores[k]);
    is_done[parameter] = true;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_done[k]) continue;
    const double below = probability(index, k);
    values[k] = value_at(distributions_[k], {below, 1.0 - below});
  }
}

void Sampler::sample(std::size_t index, std::span<double> values) const {
  if (sweep_.sampling == Sampling::grid) return sample_grid(sweep_, index, values);
  if (sweep_.sampling != Sampling::list) return sample_distributions(index, values);
  const auto row = sweep_.list.begin() + static_cast<std::ptrdiff_t>(index * values.size());
  std::copy(row, row + static_cast<std::ptrdiff_t>(values.size()), values.begin());
}

DependenceFactor::DependenceFactor(const Sweep& sweep, const std::string& where) {
  if (!sweep.dependence) return;
  parameters_ = indices_of(sweep, where);
  if (sweep.dependence->is_covariance) require_normal(sweep, parameters_, where);
  const Matrix correlation = correlation_of(*sweep.dependence, where);
  const Matrix factor = Eigen::LLT<Matrix>(correlation).matrixL();
  for (Eigen::Index row = 0; row < factor.rows(); ++row)
    for (Eigen::Index column = 0; column <= row; ++column) factor_.push_back(factor(row, column));
}

// Backwards in place, since a row needs its own score and those before it.
void DependenceFactor::apply(std::span<double> scores) const {
  const double* end = factor_.data() + factor_.size();
  for (std::size_t row = scores.size(); row-- > 0;) {
    end -= row + 1;
    double sum = 0.0;
    for (std::size_t column = 0; column <= row; ++column) sum += end[column] * scores[column];
    scores[row] = sum;
  }
}

std::vector<Distribution> distributions_of(const Sweep& sweep) {
  std::vector<Distribution> distributions;
  for (const SweepParameter& parameter : sweep.parameters)
    distributions.push_back(parameter.distribution);
  if (!sweep.dependence || !sweep.dependence->is_covariance) return distributions;
  const Dependence& dependence = *sweep.dependence;
  const std::size_t n = dependence.parameters.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < distributions.size(); ++j)
      if (sweep.parameters[j].name == dependence.parameters[k] && dependence.matrix.size() == n * n)
        distributions[j].standard_deviation = std::sqrt(dependence.matrix[k * n + k]);
  return distributions;
}

}  // namespace gradus
