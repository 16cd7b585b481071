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
    if (found.size() > 1 && !optimization.worst_case)
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
    for (const std::size_t row : found) {
      if (std::any_of(terms.minimised.begin(), terms.minimised.end(),
                      [&](const OptimizationTerms::Term& other) { return other.objective == row; }))
        reject(inner, in_quotes(objectives.row(row)) + " is named twice", "it has one weight",
               "name it once");
      terms.minimised.push_back({row, optimization.maximize ? -term.weight : term.weight});
    }
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
std::vector<WeightedObjective> read_terms(const JsonElement& element) {
  if (!element.is_object()) return {{element.text(), 1.0}};
  std::vector<WeightedObjective> terms;
  for (const auto& [name, weight] : element.named()) terms.push_back({name, weight.constant()});
  return terms;
}

// The same, or { "largest": LIST or OBJECT } of them ("smallest" where it is maximised).
void read_objective(const JsonElement& element, Optimization& optimization) {
  const char* const extreme = optimization.maximize ? "smallest" : "largest";
  const char* const opposite = optimization.maximize ? "largest" : "smallest";
  const auto several = [&](const char* key) {
    auto found = element.is_object() ? element.find(key) : std::nullopt;
    return found && (found->is_object() || found->is_array()) ? found : std::nullopt;
  };
  if (several(opposite))
    reject(element.where(), "found " + in_quotes(opposite),
           optimization.maximize ? "what is maximised is the smallest of several"
                                 : "what is minimised is the largest of several",
           "use " + in_quotes(extreme));
  const auto worst = several(extreme);
  if (!worst) {
    optimization.objective = read_terms(element);
    return;
  }
  if (element.named().size() > 1)
    reject(element.where(), in_quotes(extreme) + " stands beside weights",
           "either the largest of several objectives counts, or a sum of them",
           "put all of them under " + in_quotes(extreme));
  optimization.worst_case = true;
  if (worst->is_object()) {
    optimization.objective = read_terms(*worst);
    return;
  }
  for (const JsonElement& name : worst->elements())
    optimization.objective.push_back({name.text(), 1.0});
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
  // A gradient that is nothing beside the value says nothing about size.
  objective_scale =
      std::max(gradient_norm(at_start), 1e-8 * std::abs(objective_of(terms, at_start)));
  if (!(objective_scale > 0.0)) objective_scale = 1.0;
  for (std::size_t row = 0; row < terms.constraints.size(); ++row) {
    const double low = terms.constraints[row].lower;
    const double high = terms.constraints[row].upper;
    const double value = at_start[terms.constraints[row].objective];
    const double size = std::max(finite_size(low), finite_size(high));
    std::vector<double> slopes;
    for (std::size_t k = 0; k < from.size(); ++k)
      slopes.push_back(slope({terms.constraints[row].objective, 1.0}, at_start, k));
    double scale = std::max(norm(slopes), 1e-8 * std::max(size, std::abs(value)));
    if (!(scale > 0.0)) scale = 1.0;
    constraint_scale[row] = scale;
    constraint_lower.push_back(low / scale);
    constraint_upper.push_back(high / scale);
    constraint_tolerance.push_back(optimization.constraint_tolerance * std::max(size, scale) /
                                   scale);
  }
  start_objective = objective_of(terms, at_start) / objective_scale;
  if (terms.worst_case) add_largest(at_start);
}

void ScaledProblem::add_largest(const Answer& at_start) {
  const double infinity = std::numeric_limits<double>::infinity();
  start.push_back(objective_of(terms_, at_start) / objective_scale);
  lower.push_back(-infinity);
  upper.push_back(infinity);
  const std::size_t count = terms_.minimised.size();
  constraint_scale.insert(constraint_scale.end(), count, objective_scale);
  constraint_lower.insert(constraint_lower.end(), count, -infinity);
  constraint_upper.insert(constraint_upper.end(), count, 0.0);
  constraint_tolerance.insert(constraint_tolerance.end(), count,
                              optimization_.constraint_tolerance);
}

std::vector<double> ScaledProblem::scaled(std::span<const double> point,
                                          const Answer& answer) const {
  std::vector<double> x;
  for (std::size_t k = 0; k < scale_.size(); ++k)
    x.push_back(std::clamp((point[k] - offset_[k]) / scale_[k], lower[k], upper[k]));
  if (terms_.worst_case) x.push_back(objective_of(terms_, answer) / objective_scale);
  return x;
}

std::vector<double> ScaledProblem::point(std::span<const double> x) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < scale_.size(); ++k) {
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

double ScaledProblem::slope(const OptimizationTerms::Term& term, const Answer& answer,
                            std::size_t k) const {
  return term.weight * answer[terms_.objectives + term.objective * scale_.size() + k] * scale_[k];
}

double ScaledProblem::gradient_norm(const Answer& answer) const {
  std::vector<double> gradient(scale_.size(), 0.0);
  const std::size_t largest = terms_.worst_case ? largest_term(terms_, answer) : 0;
  for (std::size_t i = 0; i < terms_.minimised.size(); ++i)
    for (std::size_t k = 0; k < gradient.size() && (!terms_.worst_case || i == largest); ++k)
      gradient[k] += slope(terms_.minimised[i], answer, k);
  return norm(gradient);
}

std::vector<double> ScaledProblem::tightened(std::span<const double> x,
                                             const Answer& answer) const {
  std::vector<double> tight(x.begin(), x.end());
  if (terms_.worst_case) tight.back() = objective_of(terms_, answer) / objective_scale;
  return tight;
}

ScaledEvaluation ScaledProblem::evaluation(const Answer& answer) const {
  return evaluation(answer, tightened(start, answer));
}

ScaledEvaluation ScaledProblem::evaluation(const Answer& answer, std::span<const double> x) const {
  const std::size_t parameters = scale_.size();
  ScaledEvaluation result;
  result.gradient.assign(variables(), 0.0);
  if (terms_.worst_case) {
    result.objective = x.back();
    result.gradient.back() = 1.0;
  } else {
    result.objective = objective_of(terms_, answer) / objective_scale;
    for (const OptimizationTerms::Term& term : terms_.minimised)
      for (std::size_t k = 0; k < parameters; ++k)
        result.gradient[k] += slope(term, answer, k) / objective_scale;
  }
  const auto add = [&](const OptimizationTerms::Term& term, double scale) {
    result.constraints.push_back(term.weight * answer[term.objective] / scale);
    for (std::size_t k = 0; k < parameters; ++k)
      result.constraint_gradient.push_back(slope(term, answer, k) / scale);
  };
  for (std::size_t row = 0; row < terms_.constraints.size(); ++row) {
    add({terms_.constraints[row].objective, 1.0}, constraint_scale[row]);
    if (terms_.worst_case) result.constraint_gradient.push_back(0.0);
  }
  for (std::size_t i = 0; terms_.worst_case && i < terms_.minimised.size(); ++i) {
    add(terms_.minimised[i], objective_scale);
    result.constraints.back() -= x.back();
    result.constraint_gradient.push_back(-1.0);
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

std::size_t largest_term(const OptimizationTerms& terms, const Answer& answer) {
  std::size_t largest = 0;
  const auto value = [&](std::size_t i) {
    return terms.minimised[i].weight * answer[terms.minimised[i].objective];
  };
  for (std::size_t i = 1; i < terms.minimised.size(); ++i)
    if (value(i) > value(largest)) largest = i;
  return largest;
}

double objective_of(const OptimizationTerms& terms, const Answer& answer) {
  if (terms.worst_case) {
    const OptimizationTerms::Term& term = terms.minimised[largest_term(terms, answer)];
    return term.weight * answer[term.objective];
  }
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

namespace {

void check_step(const ContinuationStep& step, const Optimization& optimization, const Model& model,
                const std::string& where) {
  if (step.duration && !(*step.duration > 0.0 && std::isfinite(*step.duration)))
    reject(where + "/duration", "found " + to_text(*step.duration), "a motion takes some time",
           "expected a number above 0");
  for (const auto& entry : step.set) {
    const std::string& name = entry.first;
    const double value = entry.second;
    parameter_index(model, name, where + "/set");
    const bool varies = std::any_of(optimization.variables.begin(), optimization.variables.end(),
                                    [&](const Variable& v) { return v.name == name; });
    if (varies)
      reject(where + "/set/" + name, "found a value of a parameter that varies",
             "the step begins at the optimum of the one before", "remove it");
    if (!std::isfinite(value))
      reject(where + "/set/" + name, "found " + to_text(value), "it is no number",
             "expected a finite number");
  }
  if (step.tolerance) check_fraction(*step.tolerance, where, "tolerance");
  if (step.evaluations) check_count(*step.evaluations, 1'000'000, where, "evaluations");
}

}  // namespace

OptimizationTerms resolve(const Optimization& optimization, const Model& model,
                          const std::string& where) {
  const Objectives objectives(model);
  OptimizationTerms terms;
  terms.objectives = objectives.count();
  terms.worst_case = optimization.worst_case;
  add_terms(optimization, objectives, where, terms);
  for (const ObjectiveBound& bound : optimization.constraints)
    add_rows(bound, objectives, where + "/constraints", terms);
  check_fraction(optimization.tolerance, where, "tolerance");
  check_fraction(optimization.constraint_tolerance, where, "constraint_tolerance");
  check_count(optimization.evaluations, 1'000'000, where, "evaluations");
  check_count(optimization.starts, most_starts, where, "starts");
  check_variables(optimization.variables, model, optimization.starts, where + "/parameters");
  terms.variables = variable_indices(optimization.variables, model);
  check_count(optimization.continuation.size() + 1, 1000, where, "continuation");
  for (std::size_t k = 0; k < optimization.continuation.size(); ++k)
    check_step(optimization.continuation[k], optimization, model,
               where + "/continuation/" + std::to_string(k));
  check_method(optimization.method, terms.has_constraints(), terms.has_equations(),
               where + "/method");
  return terms;
}

namespace {

ContinuationStep read_continuation_step(const JsonElement& element) {
  element.require_keys(keys::continuation_step);
  ContinuationStep step;
  if (const auto key = element.find("duration")) step.duration = key->constant();
  if (const auto key = element.find("set"))
    for (const auto& [name, value] : key->named()) step.set.emplace_back(name, value.constant());
  if (const auto key = element.find("tolerance")) step.tolerance = key->constant();
  if (const auto key = element.find("evaluations")) step.evaluations = whole_number(*key, 1);
  return step;
}

}  // namespace

Optimization read_optimization(const JsonElement& element, const StudyContext& context) {
  element.require_keys(keys::optimization);
  Optimization result;
  const std::string goal = element.one_of(keys::optimization_goal);
  result.maximize = goal == "maximize";
  read_objective(element.at(goal), result);
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
  if (const auto steps = element.find("continuation"))
    for (const JsonElement& step : steps->elements())
      result.continuation.push_back(read_continuation_step(step));
  resolve(result, context.study.model, element.where());
  return result;
}

}  // namespace gradus
