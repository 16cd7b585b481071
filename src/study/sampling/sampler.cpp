// Designs of grids, lists and samples.
#include "src/study/sampling/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "src/model/message.hpp"
#include "src/study/sampling/distribution.hpp"

namespace gradus {
namespace {

constexpr double most_designs = 1e8;

std::size_t checked_designs(double designs, const std::string& where) {
  if (designs < 1.0)
    reject(where, "there are no designs", "a sweep has at least one", "ask for some");
  if (designs > most_designs)
    reject(where, "there are " + to_text(designs) + " designs",
           "a sweep has at most " + to_text(most_designs), "ask for fewer");
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

}  // namespace gradus
