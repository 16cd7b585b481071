// Reads the section "optimize" of a study.
#include <cmath>

#include "src/model/message.hpp"
#include "src/study/optimization/optimization_keys.hpp"
#include "src/study/optimization/optimization_terms.hpp"
#include "src/study/study_readers.hpp"

namespace gradus {
namespace {

// A whole number that a double holds exactly.
std::uint64_t whole_number(const JsonElement& element, double smallest) {
  const double number = element.constant();
  if (!(number >= smallest && number <= 9007199254740992.0) || number != std::floor(number))
    element.reject_value("a whole number, at least " + to_text(smallest));
  return static_cast<std::uint64_t>(number);
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
           "an equation has no other bounds", "say one or the other");
  if (!equal && !low && !high)
    reject(element.where(), "the constraint demands nothing", "it has no bound",
           R"(say "min", "max" or "equal")");
  if (equal) bound.lower = bound.upper = equal->constant();
  if (low) bound.lower = low->constant();
  if (high) bound.upper = high->constant();
  return bound;
}

}  // namespace

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
