// The program of the objectives and what each of them depends on.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "src/model/objective_rows.hpp"
#include "src/plan/draft.hpp"
#include "src/plan/exact_integrals.hpp"
#include "src/plan/extension.hpp"

namespace gradus {
namespace {

using expression::Node;

class ObjectiveWriter {
 public:
  explicit ObjectiveWriter(Draft& draft)
      : draft_(draft),
        model_(draft.model),
        plan_(draft.plan),
        scope_(graph_, model_, draft.origin, draft.inputs) {}

  void add(const Objective& objective) {
    kernels::ObjectiveEntry entry{};
    Node value = -1;
    if (is_apart(objective)) {
      value = searched(objective, entry);
    } else if (objective.residuals.empty()) {
      value = parsed(objective);
    } else {
      // Each residual is an output as well.
      entry.least_squares = plan_.least_squares_count++;
      entry.residual_begin = static_cast<int>(plan_.residual_outputs.size());
      value = sum_of_squares(objective, [this](Node residual) {
        plan_.residual_outputs.push_back(static_cast<int>(outputs_.size()));
        outputs_.push_back(residual);
      });
      entry.residual_end = static_cast<int>(plan_.residual_outputs.size());
    }
    if (const auto whole = exact(objective, value)) {
      add_exact(*whole, value);
      add_output(graph_.constant(0.0), ObjectiveKind::terminal, entry);
    } else {
      add_output(value, kind_of(objective), entry);
    }
    const std::vector<std::string> rows = objective_rows(objective);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (!objective.at.empty()) entry.time = objective.at[k];
      plan_.objectives.push_back(entry);
      plan_.objective_names.push_back({rows[k], unit_of(objective)});
    }
  }

  // One objective for every moment at which some have a value: their adjoint has so many rows.
  void add_weighted() {
    std::map<std::pair<ObjectiveKind, double>, Node> sums;
    std::optional<ExactIntegral> exact_sum;
    Node integrand = graph_.constant(0.0);
    int weight = plan_.parameter_count() - static_cast<int>(row_count(model_.objectives));
    for (const Objective& objective : model_.objectives) {
      if (is_apart(objective)) {
        add_times_weight(objective, weight++);
        continue;
      }
      const Node value =
          objective.residuals.empty() ? parsed(objective) : sum_of_squares(objective, [](Node) {});
      if (const auto whole = exact(objective, value)) {
        const Node share = graph_.input(weight++);
        const Node sum = graph_.multiply(share, whole->value);
        integrand = graph_.add(integrand, graph_.multiply(share, value));
        exact_sum = exact_sum ? both(*exact_sum, *whole, graph_.add(exact_sum->value, sum))
                              : ExactIntegral{sum, whole->rule};
        sums.try_emplace({ObjectiveKind::terminal, 0.0}, graph_.constant(0.0));
        continue;
      }
      const bool at_times = objective.kind == ObjectiveKind::value;
      for (const double time : at_times ? objective.at : std::vector<double>{0.0}) {
        Node& sum = sums.try_emplace({objective.kind, time}, graph_.constant(0.0)).first->second;
        sum = graph_.add(sum, graph_.multiply(graph_.input(weight++), value));
      }
    }
    for (const auto& [moment, sum] : sums) {
      kernels::ObjectiveEntry entry{};
      if (exact_sum && moment.first == ObjectiveKind::terminal) add_exact(*exact_sum, integrand);
      add_output(sum, moment.first, entry);
      entry.time = moment.second;
      plan_.objectives.push_back(entry);
      plan_.objective_names.push_back({"weighted sum", ""});
    }
  }

  void finish() {
    for (const Node output : outputs_) draft_.time_laws.add(graph_, output, scope_.time_input());
    plan_.objective_program = expression::compile(
        graph_, outputs_,
        [this](const expression::SplineCall& call) { return draft_.spline(graph_, call); });
    plan_.exact_integrals.values = expression::compile(graph_, exact_values_);
    plan_.exact_integrals.integrands = expression::compile(graph_, exact_integrands_);
    note_factors_of_time(plan_.objective_program,
                         [this](int input) { return input == scope_.time_input(); });
    note_splines(plan_, plan_.objective_program, "", plan_.objective_splines);
    for (std::size_t o = 0; o < plan_.objectives.size(); ++o) watch(o);
    for (const kernels::Instruction& i : plan_.objective_program.instructions)
      if (i.operation == kernels::Operation::input && i.a < plan_.parameter_count())
        plan_.explicit_parameters.push_back(i.a);
  }

 private:
  // Lists the splines of an objective that extrapolate, which belong to it, and lists its kinks.
  void watch(std::size_t o) {
    kernels::ObjectiveEntry& objective = plan_.objectives[o];
    const expression::Program& program = plan_.objective_program;
    const int last = program.outputs[index(objective.output)];
    std::vector<bool> needed(index(last) + 1, false);
    needed[index(last)] = true;
    objective.kink_begin = static_cast<int>(plan_.objective_kinks.size());
    for (int k = last; k >= 0; --k) {
      const kernels::Instruction& i = program.instructions[index(k)];
      if (!needed[index(k)] || i.operation == kernels::Operation::constant ||
          i.operation == kernels::Operation::input)
        continue;
      if (kernels::has_kink(i.operation)) plan_.objective_kinks.push_back(k);
      needed[index(i.a)] = true;
      if (i.b >= 0) needed[index(i.b)] = true;
    }
    objective.kink_end = static_cast<int>(plan_.objective_kinks.size());
    objective.watch_begin = static_cast<int>(plan_.watched_calls.size());
    for (std::size_t k = 0; k < plan_.objective_splines.size(); ++k) {
      const auto& [instruction, spline] = plan_.objective_splines[k];
      if (instruction > last || !needed[index(instruction)]) continue;
      note_owner(plan_, index(spline), plan_.objective_names[o].name);
      if (kernels::extrapolates(plan_.splines[index(spline)].ends))
        plan_.watched_calls.push_back(static_cast<int>(k));
    }
    objective.watch_end = static_cast<int>(plan_.watched_calls.size());
  }

  std::string where(const Objective& objective) const {
    return draft_.where("/objectives/" + objective.name);
  }

  Node parsed(const Objective& objective) {
    return expression::parse_scalar(graph_, objective.expression, scope_, where(objective));
  }

  // The integral, if it follows from the parameters alone.
  std::optional<ExactIntegral> exact(const Objective& objective, Node value) {
    if (objective.kind != ObjectiveKind::integral || !objective.residuals.empty())
      return std::nullopt;
    return exact_integral(graph_, value, scope_.time_input(), model_.analysis.duration);
  }

  // Of the objective that is added next.
  void add_exact(const ExactIntegral& integral, Node integrand) {
    exact_values_.push_back(integral.value);
    exact_integrands_.push_back(integrand);
    plan_.exact_integrals.rules.push_back(integral.rule);
    plan_.exact_integrals.objectives.push_back(static_cast<int>(plan_.objectives.size()));
  }
  static ExactIntegral both(const ExactIntegral& a, const ExactIntegral& b, Node value) {
    ExactIntegral sum{value, {std::max(a.rule.points, b.rule.points), {}}};
    std::set_union(a.rule.breaks.begin(), a.rule.breaks.end(), b.rule.breaks.begin(),
                   b.rule.breaks.end(), std::back_inserter(sum.rule.breaks));
    return sum;
  }

  // Whose value is no sum over the instants of the motion, so that no sums of several are made.
  static bool is_apart(const Objective& objective) {
    return kernels::is_searched(static_cast<kernels::ObjectiveKind>(objective.kind));
  }
  static ObjectiveKind kind_of(const Objective& objective) {
    return objective.smooth > 0.0 ? ObjectiveKind::integral : objective.kind;
  }
  static std::string unit_of(const Objective& objective) {
    const bool is_time = objective.kind == ObjectiveKind::time_when;
    return is_time && objective.unit.empty() ? "s" : objective.unit;
  }

  // What is sampled; of a smooth extremum the integrand exp(g / eps), -eps for a minimum.
  Node searched(const Objective& objective, kernels::ObjectiveEntry& entry) {
    const Node value = parsed(objective);
    if (objective.smooth > 0.0) {
      entry.smooth =
          objective.kind == ObjectiveKind::minimum ? -objective.smooth : objective.smooth;
      return graph_.apply(kernels::Operation::exponential,
                          graph_.divide(value, graph_.constant(entry.smooth)));
    }
    entry.search = plan_.search_count++;
    entry.from = objective.from;
    entry.to = objective.to.value_or(std::numeric_limits<double>::infinity());
    entry.direction = objective.direction == Passages::rising    ? 1
                      : objective.direction == Passages::falling ? -1
                                                                 : 0;
    entry.passage = objective.passage;
    entry.otherwise = objective.otherwise.value_or(std::numeric_limits<double>::quiet_NaN());
    return value;
  }

  void add_times_weight(const Objective& objective, int weight) {
    kernels::ObjectiveEntry entry{};
    entry.weight = weight;
    const Node value = searched(objective, entry);
    add_output(value, kind_of(objective), entry);
    plan_.objectives.push_back(entry);
    plan_.objective_names.push_back({objective.name, unit_of(objective)});
  }

  template <class Visit>
  Node sum_of_squares(const Objective& objective, const Visit& visit) {
    Node sum = graph_.constant(0.0);
    for (const Node r : residuals(graph_, objective, scope_, where(objective))) {
      visit(r);
      sum = graph_.add(sum, graph_.multiply(r, r));
    }
    return sum;
  }

  void add_output(Node value, ObjectiveKind kind, kernels::ObjectiveEntry& entry) {
    entry.output = static_cast<int>(outputs_.size());
    outputs_.push_back(value);
    entry.kind = static_cast<kernels::ObjectiveKind>(kind);
    entry.sensor_begin = static_cast<int>(plan_.objective_sensors.size());
    add_sensors(graph_.inputs_of(value));
    entry.sensor_end = static_cast<int>(plan_.objective_sensors.size());
  }

  // Sensors any component of which is among the inputs of an objective.
  void add_sensors(const std::vector<int>& inputs) {
    for (std::size_t s = 0; s < model_.sensors.size(); ++s) {
      const int first = scope_.sensor_input(s);
      const int size = plan_.sensors[s].size;
      const bool used = std::any_of(inputs.begin(), inputs.end(),
                                    [&](int i) { return i >= first && i < first + size; });
      if (!used) continue;
      plan_.objective_sensors.push_back(static_cast<int>(s));
      const kernels::SignalKind kind = plan_.sensors[s].kind;
      if (kernels::is_energy(kind) || kernels::is_momentum(kind)) plan_.uses_energy = 1;
      if (kernels::is_reaction(kind)) plan_.uses_reactions = 1;
    }
  }

  Draft& draft_;
  const Model& model_;
  Plan& plan_;
  expression::Graph graph_;
  MotionScope scope_;
  std::vector<Node> outputs_;
  std::vector<Node> exact_values_, exact_integrands_;  // of integrals that need no motion
};

}  // namespace

void add_objectives(Draft& draft, bool weighted) {
  ObjectiveWriter writer(draft);
  if (weighted) {
    writer.add_weighted();
  } else {
    for (const Objective& objective : draft.model.objectives) writer.add(objective);
  }
  writer.finish();
}

}  // namespace gradus
