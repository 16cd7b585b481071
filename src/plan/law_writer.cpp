// From expressions to laws.
#include "src/plan/sensor_draft.hpp"

#include <algorithm>
#include <array>

namespace gradus {

using expression::Node;
using kernels::Instruction;
using kernels::LawInputEntry;
using kernels::LawInputKind;
using kernels::Operation;

namespace {

bool is_operation(const Instruction& instruction) {
  return instruction.operation != Operation::constant && instruction.operation != Operation::input;
}

// The nodes that `root` needs, in the order of the graph.
std::vector<Node> needed(const expression::Graph& graph, Node root) {
  std::vector<bool> is_needed(index(root) + 1, false);
  is_needed[index(root)] = true;
  std::vector<Node> nodes;
  for (Node node = root; node >= 0; --node) {
    if (!is_needed[index(node)]) continue;
    nodes.push_back(node);
    const Instruction& instruction = graph[node];
    if (!is_operation(instruction)) continue;
    is_needed[index(instruction.a)] = true;
    if (instruction.b >= 0) is_needed[index(instruction.b)] = true;
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// Whether an input answers to no coordinate.
bool is_fixed(LawInputKind kind) {
  return kind == LawInputKind::slot || kind == LawInputKind::time;
}

bool reads_axes(LawInputKind kind) {
  return kind == LawInputKind::feature || kind == LawInputKind::feature_velocity ||
         kind == LawInputKind::angular_velocity || kind == LawInputKind::length_rate ||
         kind == LawInputKind::pose_rate;
}

// Whether the coordinate moves what the input shows.
bool is_moved(const Plan& plan, const kernels::LawInputEntry& in, int coordinate) {
  const int carrier = plan.coordinates[index(coordinate)].body;
  const auto moves = [&](int body) {
    return body >= carrier && body < plan.bodies[index(carrier)].end;
  };
  switch (in.kind) {
    case LawInputKind::feature:
    case LawInputKind::feature_velocity:
      return moves(plan.features[index(in.index)].body);
    case LawInputKind::angular_velocity:
      return moves(in.index);
    case LawInputKind::length:
    case LawInputKind::length_rate: {
      const kernels::LineEntry& line = plan.lines[index(in.index)];
      return moves(plan.features[index(line.from)].body) ||
             moves(plan.features[index(line.to)].body);
    }
    case LawInputKind::pose:
    case LawInputKind::pose_rate:
    case LawInputKind::pose_work: {
      const kernels::PoseEntry& pose = plan.poses[index(in.index)];
      return moves(plan.features[index(pose.from)].body) ||
             moves(plan.features[index(pose.to)].body);
    }
    case LawInputKind::coordinate:
    case LawInputKind::rate:
      return in.index == coordinate;
    case LawInputKind::slot:
    case LawInputKind::time:
    case LawInputKind::sensor:
    case LawInputKind::algebraic:
      break;
  }
  return false;
}

int add_unknown(Plan& plan, int law) {
  plan.uses_reactions = 1;
  plan.algebraic_laws.push_back(law);
  return static_cast<int>(plan.algebraic_laws.size()) - 1;
}

}  // namespace

Node LawWriter::input(LawInputKind kind, int place, int component) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const kernels::LawInputEntry& known = inputs_[i];
    if (known.kind == kind && known.index == place && known.component == component)
      return Graph::input(static_cast<int>(i));
  }
  inputs_.push_back({kind, place, component});
  return Graph::input(static_cast<int>(inputs_.size()) - 1);
}

Nodes3 LawWriter::vector(LawInputKind kind, int place) {
  return {input(kind, place, 0), input(kind, place, 1), input(kind, place, 2)};
}

Node LawWriter::slot(Node node) {
  if (draft_.graph.is_constant(node)) return constant(draft_.graph.constant_value(node));
  return input(LawInputKind::slot, draft_.slots.add(std::array<Node, 1>{node}));
}

Node LawWriter::rate(Node node, const std::function<Node(LawInputEntry)>& other) {
  const auto rate_of = [&](const LawInputEntry& in) {
    switch (in.kind) {
      case LawInputKind::slot:
        return constant(0.0);
      case LawInputKind::time:
        return constant(1.0);
      case LawInputKind::coordinate:
        return input(LawInputKind::rate, in.index);
      case LawInputKind::feature:
        return input(LawInputKind::feature_velocity, in.index, in.component);
      case LawInputKind::length:
        return input(LawInputKind::length_rate, in.index);
      default:
        return other(in);
    }
  };
  Node sum = constant(0.0);
  for (const auto& [number, slope] : derivatives(node)) {
    const LawInputEntry in = inputs_[index(number)];  // a copy: new inputs move the others
    sum = add(sum, multiply(slope, rate_of(in)));
  }
  return sum;
}

Node LawWriter::lowered(Node root, const std::function<Node(int)>& signal, bool looks_splines_up) {
  const expression::Graph& from = draft_.graph;
  const int parameters = draft_.plan.parameter_count();
  std::vector<bool> moves(index(root) + 1, false);  // [node] more than parameters
  std::vector<Node> place(index(root) + 1, -1);
  const auto at = [&](Node node) {
    Node& known = place[index(node)];
    if (known < 0) known = slot(node);
    return known;
  };
  const std::vector<Node> nodes = needed(from, root);
  for (const Node node : nodes) {
    const Instruction& instruction = from[node];
    if (is_operation(instruction))
      moves[index(node)] =
          moves[index(instruction.a)] || (instruction.b >= 0 && moves[index(instruction.b)]);
    else
      moves[index(node)] = instruction.operation == Operation::input && instruction.a >= parameters;
  }
  // What a spline is made of is left out where it can be looked up.
  std::vector<int> splines(index(root) + 1, -1);
  std::vector<bool> wanted(index(root) + 1, false);
  wanted[index(root)] = true;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Instruction& instruction = from[*node];
    if (!wanted[index(*node)] || !moves[index(*node)] || !is_operation(instruction)) continue;
    const expression::SplineCall* const call = looks_splines_up ? from.spline_at(*node) : nullptr;
    if (call != nullptr) splines[index(*node)] = draft_.spline(from, *call);
    if (splines[index(*node)] >= 0) {
      wanted[index(call->x)] = true;
      continue;
    }
    wanted[index(instruction.a)] = true;
    if (instruction.b >= 0) wanted[index(instruction.b)] = true;
  }
  for (const Node node : nodes) {
    if (!wanted[index(node)] || !moves[index(node)]) continue;
    const Instruction& instruction = from[node];
    if (!is_operation(instruction)) {
      place[index(node)] = signal(instruction.a);
    } else if (splines[index(node)] >= 0) {
      place[index(node)] = spline(at(from.spline_at(node)->x), splines[index(node)]);
    } else {
      const Node second = instruction.b >= 0 ? at(instruction.b) : -1;
      place[index(node)] = apply(instruction.operation, at(instruction.a), second);
    }
  }
  return at(root);
}

int LawWriter::finish(Node result, const std::string& name) {
  Plan& plan = draft_.plan;
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  // The inputs that the result needs, their slots counted, and its program with their numbers.
  std::vector<int> used = inputs_of(result);
  const auto is_at_rest = [&](int i) { return is_fixed(inputs_[index(i)].kind); };
  std::stable_partition(used.begin(), used.end(), [&](int i) { return !is_at_rest(i); });
  std::vector<kernels::LawInputEntry> inputs;
  int slots = 0;
  for (const int i : used) {
    inputs.push_back(inputs_[index(i)]);
    if (inputs.back().kind == LawInputKind::slot) inputs.back().component = slots++;
    if (inputs.back().kind == LawInputKind::pose && inputs.back().component >= 3)
      plan.poses[index(inputs.back().index)].reads_rotation = 1;
  }
  const auto unknown = std::find_if(inputs.begin(), inputs.end(), [](const auto& in) {
    return in.kind == LawInputKind::algebraic;
  });
  expression::Program program = expression::compile(*this, {result});
  note_factors_of_time(program,
                       [&](int input) { return inputs_[index(input)].kind == LawInputKind::time; });
  for (Instruction& instruction : program.instructions)
    if (instruction.operation == Operation::input)
      instruction.a =
          static_cast<int>(std::find(used.begin(), used.end(), instruction.a) - used.begin());
  kernels::LawEntry law{};
  law.unknown_input = unknown == inputs.end() ? -1 : static_cast<int>(unknown - inputs.begin());
  law.instruction_begin = count(plan.law_instructions);
  plan.law_instructions.insert(plan.law_instructions.end(), program.instructions.begin(),
                               program.instructions.end());
  law.instruction_end = count(plan.law_instructions);
  law.call_begin = count(plan.spline_calls);
  note_splines(plan, program, name, plan.spline_calls);
  law.call_end = count(plan.spline_calls);
  law.input_begin = count(plan.law_inputs);
  plan.law_inputs.insert(plan.law_inputs.end(), inputs.begin(), inputs.end());
  law.input_end = count(plan.law_inputs);
  law.moving_end =
      law.input_end - static_cast<int>(std::count_if(used.begin(), used.end(), is_at_rest));
  law.reads_axes =
      std::any_of(inputs.begin(), inputs.end(), [](const auto& in) { return reads_axes(in.kind); })
          ? 1
          : 0;
  law.touch_begin = count(plan.touches);
  for (int c = 0; c < plan.coordinate_count(); ++c)
    if (std::any_of(inputs.begin(), inputs.end(),
                    [&](const kernels::LawInputEntry& in) { return is_moved(plan, in, c); }))
      plan.touches.push_back({c, 0});
  law.touch_end = count(plan.touches);
  plan.laws.push_back(law);
  plan.law_names.push_back(name);
  return count(plan.laws) - 1;
}

int LawWriter::finish_size(Node size, const std::string& name) {
  const int law = finish(size, name);
  Plan& plan = draft_.plan;
  const kernels::LawEntry& entry = plan.laws[index(law)];
  const auto inputs = plan.law_inputs.begin();
  if (std::none_of(inputs + entry.input_begin, inputs + entry.input_end,
                   [](const auto& in) { return in.kind == LawInputKind::sensor; }))
    return law;
  LawWriter unknown(draft_);
  return unknown.finish(unknown.input(LawInputKind::algebraic, add_unknown(plan, law)), name);
}

int LawWriter::finish_unknown(Node value, const std::string& name) {
  const int law = finish(value, name);
  return add_unknown(draft_.plan, law);
}

int LawWriter::finish_vanishing(Node value, const std::string& name) {
  const int law = finish(value, name);
  draft_.plan.laws[index(law)].vanishes = 1;
  return add_unknown(draft_.plan, law);
}

Node LawReader::lowered(LawWriter& law, Node root, std::span<const Node> locals,
                        bool looks_splines_up) const {
  draft_.time_laws.add(draft_.graph, root, scope_.time_input());
  const auto signal = [&](int input) {
    if (input == scope_.time_input()) return law.input(LawInputKind::time, 0);
    for (std::size_t k = 0; k < locals.size(); ++k)
      if (input == scope_.local_input(k)) return locals[k];
    std::size_t s = draft_.model.sensors.size() - 1;
    while (input < scope_.sensor_input(s)) --s;
    const SensorDraft shown(draft_, draft_.model.sensors[s]);
    const int component = input - scope_.sensor_input(s);
    if (shown.kind().level == MotionLevel::acceleration)
      return law.input(LawInputKind::sensor, static_cast<int>(s), component);
    // Scopes name no others that have no formula.
    return shown.kind().formula(SensorFormula(shown, law), component).in(law);
  };
  return law.lowered(root, signal, looks_splines_up);
}

}  // namespace gradus
