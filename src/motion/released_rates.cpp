// The rates V that held rows make of all rates, and what the laws make of these.
#include "src/motion/released_rates.hpp"

#include <algorithm>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/motion/start_constraints.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool is_same(const HeldRow& a, const HeldRow& b) {
  return a.coordinate == b.coordinate && a.turn == b.turn;
}

// Whether the rate of the row is what the model says: a number other than 0, or an expression of
// parameters.
bool is_stated(const Plan& plan, StartConstraints& start, const HeldRow& row) {
  const int c = row.turn < 0 ? row.coordinate : row.coordinate + 1 + row.turn;
  const kernels::CoordinateEntry& coordinate = plan.coordinates[static_cast<std::size_t>(c)];
  if (coordinate.start_rate >= 0 || start.slot(coordinate.velocity_slot) != 0.0) return true;
  return std::any_of(plan.partials.begin(), plan.partials.end(), [&](const auto& partial) {
    return partial.kind == kernels::PartialKind::start_velocity && partial.index == c;
  });
}

// [coordinate, held row] rates where one held row has the rate 1 and the others 0.
MatrixXd rates_of(StartConstraints& start, const std::vector<HeldRow>& held) {
  const MatrixXd jacobian = start.jacobian();
  const auto free = static_cast<Index>(held.size());
  MatrixXd all(jacobian.rows() + free, jacobian.cols());
  all << jacobian, start.rows_of(held);
  MatrixXd rates(jacobian.cols(), free);
  for (Index k = 0; k < free; ++k)
    rates.col(k) = shortest_solution(all, VectorXd::Unit(all.rows(), jacobian.rows() + k),
                                     AssemblyLimits::redundancy);
  return rates;
}

// Each row of a length of 1, so that no unit counts.
MatrixXd evened(MatrixXd laws) {
  for (Index i = 0; i < laws.rows(); ++i)
    if (const double length = laws.row(i).norm(); length > 0.0) laws.row(i) /= length;
  return laws;
}

std::string names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const int law : plan.rate_laws) {
    const std::string& name = plan.law_names[static_cast<std::size_t>(law)];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return quoted_list(names);
}

// How many columns are independent, beside rows of a length of 1.
Index rank_of(const MatrixXd& rows) {
  if (rows.cols() == 0 || rows.rows() == 0) return 0;
  const PivotedColumns columns = pivoted_columns(rows, AssemblyLimits::redundancy);
  const Index most = std::min(rows.rows(), rows.cols());
  Index rank = 0;
  while (rank < most && std::abs(columns.pivots(rank)) > AssemblyLimits::redundancy) ++rank;
  return rank;
}

std::vector<HeldRow> chosen(Plan& plan, const std::vector<double>& parameters,
                            const std::string& origin) {
  StartConstraints start(plan, parameters);
  start.evaluate();
  const auto laws = static_cast<Index>(plan.rate_laws.size());
  const MatrixXd by_rows = evened(start.rate_laws() * rates_of(start, plan.held_rows));
  if (rank_of(by_rows) < laws)
    throw InputError(origin + ": found nonholonomic constraints, or wheels that roll (" +
                     names_of(plan) +
                     "), that say the same twice of the rates at the start, or nothing that is "
                     "left free; let one of "
                     "them give way (of wheels \"sideways\": \"free\")");
  std::vector<HeldRow> candidates;
  std::vector<Index> places;
  for (std::size_t k = 0; k < plan.held_rows.size(); ++k)
    if (!is_stated(plan, start, plan.held_rows[k])) {
      candidates.push_back(plan.held_rows[k]);
      places.push_back(static_cast<Index>(k));
    }
  const MatrixXd open = by_rows(Eigen::all, places);
  if (const Index rank = rank_of(open); rank < laws)
    throw InputError(
        origin + ": found " + std::to_string(rank) + " independent rates that are left to " +
        std::to_string(laws) + " equations of nonholonomic constraints and wheels that roll (" +
        names_of(plan) +
        "); state fewer rates at the start: those that are left out, or are the number 0, follow "
        "from these");
  const PivotedColumns columns = pivoted_columns(open, AssemblyLimits::redundancy);
  std::vector<HeldRow> rows;
  for (Index i = 0; i < laws; ++i)
    rows.push_back(
        candidates[static_cast<std::size_t>(columns.order[static_cast<std::size_t>(i)])]);
  return rows;
}

}  // namespace

void release_rates(Plan& plan, const Extension& extension, const std::vector<double>& parameters,
                   const std::string& origin) {
  if (plan.rate_laws.empty()) return;
  plan.released_rows =
      extension.start_state.empty() ? chosen(plan, parameters, origin) : extension.released;
  plan.released.clear();
  for (const HeldRow& row : plan.released_rows)
    for (std::size_t k = 0; k < plan.held_rows.size(); ++k)
      if (is_same(row, plan.held_rows[k])) plan.released.push_back(static_cast<int>(k));
}

}  // namespace gradus
