// Reads the section "optimize" of a study, looks up its names, says what is wrong with it, and
// scales it.
#include "src/study/optimization/scaled_problem.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/objective_rows.hpp"
#include "src/model/suggestion.hpp"
#include "src/study/optimization/optimizer.hpp"
#include "src/study/study_keys.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

double norm(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

double finite_size(double bound) {
  return std::isfinite(bound) ? std::abs(bound) : 0.0;
}

// Whether both bounds are finite, and their distance is a number too.
bool is_bounded(const Variable& variable) {
  return std::isfinite(variable.upper - variable.lower);
}

// What one unit of a scaled variable is: the width of its bounds, or else a size that it has.
double scale_of(const Variable& variable, double start) {
  if (is_bounded(variable)) return variable.upper - variable.lower;
  if (start != 0.0) return std::abs(start);
  const double bound = std::max(finite_size(variable.lower), finite_size(variable.upper));
  return bound > 0.0 ? bound : 1.0;
}

double beyond(double value, double lower, double upper) {
  return std::max({lower - value, value - upper, 0.0});
}

// The objectives of a model as results have them.
class Objectives {
 public:
  explicit Objectives(const Model& model) {
    for (const Objective& objective : model.objectives)
      for (const std::string& row : objective_rows(objective)) {
        rows_.push_back(row);
        owners_.push_back(objective.name);
      }
  }
  std::size_t count() const { return rows_.size(); }

  // Those that a name means: itself, or all its times.
  std::vector<std::size_t> find(const std::string& name, const std::string& where) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i] == name || owners_[i] == name) found.push_back(i);
    if (found.empty()) {
      std::vector<std::string> known = rows_;
      for (std::size_t i = 0; i < owners_.size(); ++i)
        if (owners_[i] != rows_[i] && (i == 0 || owners_[i] != owners_[i - 1]))
          known.push_back(owners_[i]);
      throw InputError(where + ": found the objective " + in_quotes(name) +
                       ", which the model does not have; " + suggestion(name, known));
    }
    return found;
  }
  const std::string& row(std::size_t index) const { return rows_[index]; }

 private:
  std::vector<std::string> rows_;
  std::vector<std::string> owners_;
};

void add_terms(const Optimization& optimization, const Objectives& objectives,
               const std::string& where, OptimizationTerms& terms) {
  const std::string inner = where + (optimization.maximize ? "/maximize" : "/minimize");
  if (optimization.objective.empty())
    reject(inner, "there is no objective", "nothing could be optimised", "name one at least");
  std::set<std::string> names;
  for (const WeightedObjective& term : optimization.objective) {
    const std::vector<std::size_t> found = objectives.find(term.objective, inner);
    if (found.size() > 1)
      reject(inner, in_quotes(term.objective) + " has several values",
             "it is taken at " + std::to_string(found.size()) + " times",
             "name them one by one, e.g. " + in_quotes(objectives.row(found[0])));
    if (!std::isfinite(term.weight) || term.weight == 0.0)
      reject(inner + "/" + term.objective, "the weight is " + to_text(term.weight),
             "it must be a finite number other than 0",
             "remove the objective if it should not count");
    if (!names.insert(term.objective).second)
      reject(inner, in_quotes(term.objective) + " is named twice", "it has one weight",
             "name it once");
    terms.minimised.push_back({found[0], optimization.maximize ? -term.weight : term.weight});
  }
}

void add_rows(const ObjectiveBound& bound, const Objectives& objectives, const std::string& where,
              OptimizationTerms& terms) {
  const std::string inner = where + "/" + bound.objective;
  const double infinity = std::numeric_limits<double>::infinity();
  if (std::isnan(bound.lower) || std::isnan(bound.upper) || bound.lower == infinity ||
      bound.upper == -infinity || bound.lower > bound.upper)
    reject(inner,
           "no value can lie between " + to_text(bound.lower) + " and " + to_text(bound.upper),
           "\"min\" must not be above \"max\"", "swap them, or use \"equal\"");
  if (bound.lower == -infinity && bound.upper == infinity)
    reject(inner, "the constraint demands nothing", "it has no finite bound",
           R"(give "min", "max" or "equal", or remove it)");
  for (const std::size_t row : objectives.find(bound.objective, where)) {
    for (const OptimizationTerms::Row& other : terms.constraints)
      if (other.objective == row)
        reject(inner, in_quotes(objectives.row(row)) + " is constrained twice",
               "it has one pair of bounds", "give both bounds in one place");
    terms.constraints.push_back({row, bound.lower, bound.upper});
  }
}

// One name, or an object of names and weights.
std::vector<WeightedObjective> read_objective(const JsonElement& element) {
  if (!element.is_object()) return {{element.text(), 1.0}};
  std::vector<WeightedObjective> terms;
  for (const auto& [name, weight] : element.named()) terms.push_back({name, weight.constant()});
  return terms;
}

ObjectiveBound read_bound(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::objective_bound);
  ObjectiveBound bound;
  bound.objective = name;
  const auto equal = element.find("equal");
  const auto low = element.find("min");
  const auto high = element.find("max");
  if (equal && (low || high))
    reject(element.where(), R"("equal" stands beside "min" or "max")",
           "an equation has no other bounds", "give one or the other");
  if (!equal && !low && !high)
    reject(element.where(), "the constraint demands nothing", "it has no bound",
           R"(give "min", "max" or "equal")");
  if (equal) bound.lower = bound.upper = equal->constant();
  if (low) bound.lower = low->constant();
  if (high) bound.upper = high->constant();
  return bound;
}

}  // namespace

ScaledProblem::ScaledProblem(const Optimization& optimization, const OptimizationTerms& terms,
                             std::span<const double> from, const Answer& at_start)
    : optimization_(optimization), terms_(terms) {
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Variable& variable = optimization.variables[k];
    offset_.push_back(is_bounded(variable) ? variable.lower : 0.0);
    scale_.push_back(scale_of(variable, from[k]));
    lower.push_back((variable.lower - offset_[k]) / scale_[k]);
    upper.push_back((variable.upper - offset_[k]) / scale_[k]);
    start.push_back(std::clamp((from[k] - offset_[k]) / scale_[k], lower[k], upper[k]));
  }
  // Scales are 1 so far: these are the user's numbers by scaled variables.
  constraint_scale.assign(terms.constraints.size(), 1.0);
  const ScaledEvaluation found = evaluation(at_start);
  // A gradient that is nothing beside the value says nothing about size.
  objective_scale = std::max(norm(found.gradient), 1e-8 * std::abs(found.objective));
  if (!(objective_scale > 0.0)) objective_scale = 1.0;
  const std::size_t n = from.size();
  for (std::size_t row = 0; row < terms.constraints.size(); ++row) {
    const double low = terms.constraints[row].lower;
    const double high = terms.constraints[row].upper;
    const double size = std::max(finite_size(low), finite_size(high));
    const double slope = norm(std::span(found.constraint_gradient).subspan(row * n, n));
    double scale = std::max(slope, 1e-8 * std::max(size, std::abs(found.constraints[row])));
    if (!(scale > 0.0)) scale = 1.0;
    constraint_scale[row] = scale;
    constraint_lower.push_back(low / scale);
    constraint_upper.push_back(high / scale);
    constraint_tolerance.push_back(optimization.constraint_tolerance * std::max(size, scale) /
                                   scale);
  }
}

std::vector<double> ScaledProblem::point(std::span<const double> x) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Variable& variable = optimization_.variables[k];
    const double value = offset_[k] + scale_[k] * x[k];
    // Bounds are met to the last bit.
    if (x[k] <= lower[k] || value < variable.lower)
      values.push_back(variable.lower);
    else if (x[k] >= upper[k] || value > variable.upper)
      values.push_back(variable.upper);
    else
      values.push_back(value);
  }
  return values;
}

ScaledEvaluation ScaledProblem::evaluation(const Answer& answer) const {
  const std::size_t n = variables();
  const std::size_t gradients = terms_.objectives;  // where they begin
  ScaledEvaluation result;
  result.objective = objective_of(terms_, answer) / objective_scale;
  result.gradient.assign(n, 0.0);
  for (const OptimizationTerms::Term& term : terms_.minimised)
    for (std::size_t k = 0; k < n; ++k)
      result.gradient[k] +=
          term.weight * answer[gradients + term.objective * n + k] * scale_[k] / objective_scale;
  for (std::size_t row = 0; row < constraints(); ++row) {
    const std::size_t objective = terms_.constraints[row].objective;
    result.constraints.push_back(answer[objective] / constraint_scale[row]);
    for (std::size_t k = 0; k < n; ++k)
      result.constraint_gradient.push_back(answer[gradients + objective * n + k] * scale_[k] /
                                           constraint_scale[row]);
  }
  return result;
}

double ScaledProblem::violation(const ScaledEvaluation& evaluation) const {
  double largest = 0.0;
  for (std::size_t row = 0; row < constraints(); ++row)
    largest = std::max(
        largest, beyond(evaluation.constraints[row], constraint_lower[row], constraint_upper[row]) /
                     constraint_tolerance[row]);
  return largest;
}

double objective_of(const OptimizationTerms& terms, const Answer& answer) {
  double sum = 0.0;
  for (const OptimizationTerms::Term& term : terms.minimised)
    sum += term.weight * answer[term.objective];
  return sum;
}

double violation_of(const OptimizationTerms& terms, const Answer& answer) {
  double largest = 0.0;
  for (const OptimizationTerms::Row& row : terms.constraints)
    largest = std::max(largest, beyond(answer[row.objective], row.lower, row.upper));
  return largest;
}

bool OptimizationTerms::has_equations() const {
  return std::any_of(constraints.begin(), constraints.end(),
                     [](const Row& row) { return row.lower == row.upper; });
}

OptimizationTerms resolve(const Optimization& optimization, const Model& model,
                          const std::string& where) {
  const Objectives objectives(model);
  OptimizationTerms terms;
  terms.objectives = objectives.count();
  add_terms(optimization, objectives, where, terms);
  for (const ObjectiveBound& bound : optimization.constraints)
    add_rows(bound, objectives, where + "/constraints", terms);
  check_fraction(optimization.tolerance, where, "tolerance");
  check_fraction(optimization.constraint_tolerance, where, "constraint_tolerance");
  check_count(optimization.evaluations, 1'000'000, where, "evaluations");
  check_count(optimization.starts, most_starts, where, "starts");
  check_variables(optimization.variables, model, optimization.starts, where + "/parameters");
  terms.variables = variable_indices(optimization.variables, model);
  check_method(optimization.method, !terms.constraints.empty(), terms.has_equations(),
               where + "/method");
  return terms;
}

Optimization read_optimization(const JsonElement& element, const StudyContext& context) {
  element.require_keys(keys::optimization);
  Optimization result;
  const std::string goal = element.one_of(keys::optimization_goal);
  result.maximize = goal == "maximize";
  result.objective = read_objective(element.at(goal));
  result.variables = read_variables(element.at("parameters"), context);
  if (const auto constraints = element.find("constraints"))
    for (const auto& [name, bound] : constraints->named())
      result.constraints.push_back(read_bound(name, bound));
  if (const auto key = element.find("method")) result.method = key->text();
  if (const auto key = element.find("tolerance")) result.tolerance = key->constant();
  if (const auto key = element.find("constraint_tolerance"))
    result.constraint_tolerance = key->constant();
  if (const auto key = element.find("evaluations")) result.evaluations = whole_number(*key, 1);
  if (const auto key = element.find("starts")) result.starts = whole_number(*key, 1);
  if (const auto key = element.find("seed")) result.seed = whole_number(*key, 0);
  resolve(result, context.study.model, element.where());
  return result;
}

}  // namespace gradus
