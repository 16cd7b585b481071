// Chunks -> arrays and statistics, design by design.
#include "src/study/sweep/sweep_arrays.hpp"

#include <cstring>
#include <limits>

#include "src/study/sweep/sweep_statistics.hpp"

namespace gradus {
namespace {

void append(const std::vector<double>& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

std::vector<double> picked(std::span<const double> row, const std::vector<std::size_t>& indices) {
  std::vector<double> values;
  values.reserve(indices.size());
  for (const std::size_t index : indices) values.push_back(row[index]);
  return values;
}

// [n_objective, n_varied] of the gradient of one design in a chunk.
class GradientRows {
 public:
  GradientRows(const std::vector<std::size_t>& varied, std::size_t n_objective,
               std::size_t n_parameter)
      : varied_(varied), n_parameter_(n_parameter), whole_(n_objective * n_parameter) {}

  std::vector<double> row(const StoredChunk& chunk, std::size_t design) {
    if (chunk.gradient.empty()) return {};
    const std::size_t bytes = whole_.size() * sizeof(double);
    std::memcpy(whole_.data(), chunk.gradient.data() + design * bytes, bytes);
    std::vector<double> values;
    for (std::size_t at = 0; at < whole_.size(); at += n_parameter_)
      append(picked(std::span(whole_).subspan(at, n_parameter_), varied_), values);
    return values;
  }

 private:
  const std::vector<std::size_t>& varied_;
  std::size_t n_parameter_;
  std::vector<double> whole_;
};

// Partial integration over a distribution knows nothing of parts of it that have no motion.
constexpr double most_failed = 1e-3;

void leave_out_shares_of_distributions(SweepResult& result) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (ObjectiveStatistics& statistics : result.statistics)
    for (Driver& driver : statistics.drivers)
      driver.first_order = driver.total_bound = {nan, nan, nan};
}

}  // namespace

void merge(const std::vector<StoredChunk>& chunks, const std::vector<std::size_t>& varied,
           SweepResult& result) {
  const std::size_t n_parameter = result.parameters.size();
  const std::size_t n_objective = result.objectives.size();
  SweepStatistics statistics(result.sweep, result.objectives);
  GradientRows gradients(varied, n_objective, n_parameter);
  std::size_t index = 0;
  for (const StoredChunk& chunk : chunks) {
    const Chunk& content = chunk.content;
    append(content.parameter_values, result.parameter_values);
    append(content.objective_values, result.objective_values);
    result.status.insert(result.status.end(), content.status.begin(), content.status.end());
    for (std::size_t d = 0; d < content.range.count; ++d, ++index) {
      if (!content.status[d].ok) continue;
      const std::span parameters(content.parameter_values);
      const std::span objectives(content.objective_values);
      statistics.add(index, picked(parameters.subspan(d * n_parameter, n_parameter), varied),
                     objectives.subspan(d * n_objective, n_objective), gradients.row(chunk, d));
    }
  }
  result.statistics = statistics.result();
  if (static_cast<double>(result.failed()) > most_failed * static_cast<double>(result.designs))
    leave_out_shares_of_distributions(result);
}

results::SweepPieces pieces_of(const std::vector<StoredChunk>& chunks) {
  results::SweepPieces pieces;
  for (const StoredChunk& chunk : chunks) {
    pieces.gradient.push_back(chunk.gradient);
    pieces.sensors.push_back(chunk.sensors);
    if (pieces.time.empty()) pieces.time = chunk.content.time;
  }
  return pieces;
}

}  // namespace gradus
