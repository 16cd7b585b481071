// Forces are made of actions, whose sizes are laws.
#include "src/plan/force_draft.hpp"

#include <algorithm>
#include <stdexcept>

#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/plan/event_draft.hpp"
#include "src/plan/rate_constraint.hpp"

namespace gradus {

using expression::Node;
using kernels::ActionKind;
using kernels::LawInputKind;

Recorded Recorded::apply(kernels::Operation operation, const Recorded& a, const Recorded* b) {
  LawWriter* const law = a.law_ != nullptr || b == nullptr ? a.law_ : b->law_;
  if (law != nullptr)
    return {*law, law->apply(operation, a.in(*law), b == nullptr ? -1 : b->in(*law))};
  expression::Graph graph;
  const Node node = graph.apply(operation, graph.constant(a.value_),
                                b == nullptr ? -1 : graph.constant(b->value_));
  return graph.constant_value(node);
}

const LawReader& ForceLaws::of(std::span<const std::string_view> locals) {
  const std::string_view* const first = locals.empty() ? nullptr : locals.data();
  return readers_.try_emplace(first, draft_, LawPlace::force, locals).first->second;
}

Recorded ForceFormula::operator[](std::string_view key) const {
  const std::array locals{extent_.in(law_), rate_.in(law_)};
  return {law_, force_.value(law_, key, 0, locals)};
}

Recorded3 ForceFormula::vector(std::string_view key) const {
  Recorded3 vector;
  for (int k = 0; k < 3; ++k) vector[index(k)] = {law_, force_.value(law_, key, k)};
  return vector;
}

Recorded3 ForceFormula::of_pose(LawInputKind kind, int first) const {
  Recorded3 numbers;
  for (int k = 0; k < 3; ++k) numbers[index(k)] = {law_, law_.input(kind, pose_, first + k)};
  return numbers;
}

// J^-T m, J the left Jacobian of SO(3).
Recorded3 ForceFormula::torque_of(const Recorded3& moments) const {
  const Recorded share(law_, law_.input(LawInputKind::pose, pose_, kernels::kPoseNumbers - 1));
  const Recorded3 once = cross(rotation(), moments);
  return moments + 0.5 * once + share * cross(rotation(), once);
}

Recorded ForceFormula::state(std::string_view name) const {
  return {law_, law_.input(LawInputKind::rate, force_.coordinate_of_state(name))};
}

// Found once for a design, not wherever the law is run.
Recorded ForceFormula::positive(std::string_view key) const {
  expression::Graph& graph = force_.graph();
  const Node value = force_.constant(key);
  const Node root = graph.apply(kernels::Operation::square_root, value);
  return {law_, law_.slot(graph.multiply(value, graph.divide(root, root)))};
}

// The logarithm is 0, or that of 0; the choice in it counts as a constant.
Recorded ForceFormula::where_not_negative(Node value, Node margin) const {
  expression::Graph& graph = force_.graph();
  const Node choice = graph.apply(kernels::Operation::at_least, margin, graph.constant(0.0));
  return {law_, law_.slot(graph.add(value, graph.apply(kernels::Operation::logarithm, choice)))};
}

Recorded ForceFormula::not_negative(std::string_view key) const {
  const Node value = force_.constant(key);
  return where_not_negative(value, value);
}

Recorded ForceFormula::at_least_one(std::string_view key) const {
  expression::Graph& graph = force_.graph();
  const Node value = force_.constant(key);
  return where_not_negative(value, graph.subtract(value, graph.constant(1.0)));
}

Recorded ForceFormula::share(std::string_view key) const {
  return positive(key) + nothing_where_at_most_one(key);
}

Recorded ForceFormula::share_or_nothing(std::string_view key) const {
  return not_negative(key) + nothing_where_at_most_one(key);
}

Recorded ForceFormula::nothing_where_at_most_one(std::string_view key) const {
  expression::Graph& graph = force_.graph();
  const Node margin = graph.subtract(graph.constant(1.0), force_.constant(key));
  return where_not_negative(graph.constant(0.0), margin);
}

bool ForceFormula::says(std::string_view key) const {
  return force_.says(key);
}

ForceDraft::ForceDraft(Draft& draft, ForceLaws& laws, const Force& force)
    : draft_(draft), laws_(laws), force_(force), kind_(kind_of(force)) {}

const ForceKey& ForceDraft::key_of(std::string_view name) const {
  const auto found = std::find_if(kind_.keys.begin(), kind_.keys.end(),
                                  [name](const ForceKey& key) { return key.name == name; });
  if (found == kind_.keys.end()) throw std::logic_error("a key that the force does not have");
  return *found;
}

Node ForceDraft::constant(std::string_view key) const {
  const ForceValue* const said = force_.find(key);
  return draft_.node(said == nullptr ? Number(0) : said->number(), path(key));
}

Nodes3 ForceDraft::constants(std::string_view key) {
  const ForceValue* const said = force_.find(key);
  Nodes3 nodes;
  for (std::size_t k = 0; k < 3; ++k)
    nodes[k] = draft_.node(said == nullptr ? Number(0) : said->vector()[k],
                           path(key) + "/" + std::to_string(k));
  return nodes;
}

Node ForceDraft::value(LawWriter& law, std::string_view name, int component,
                       std::span<const Node> locals) const {
  const ForceKey& key = key_of(name);
  const ForceValue* const said = force_.find(name);
  if (said == nullptr) return law.constant(0.0);
  const std::string at = path(name) + (key.size > 1 ? "/" + std::to_string(component) : "");
  const Number& number = said->vector()[index(component)];
  if (key.content == ForceContent::number) return law.slot(draft_.node(number, at));
  return laws_.of(key.locals).read(law, number, at, locals.first(key.locals.size()));
}

Node ForceDraft::place_law(std::string_view name) const {
  const ForceKey& key = key_of(name);
  const LawReader& reader = laws_.of(key.locals);
  const Node node = reader.node(force_.find(name)->number(), path(name));
  for (const int input : draft_.graph.inputs_of(node)) {
    bool is_known = input < draft_.plan.parameter_count() || input == reader.time_input();
    for (std::size_t k = 0; k < key.locals.size(); ++k)
      is_known = is_known || input == reader.local_input(k);
    if (!is_known)
      reject(draft_.where(path(name)), "found a law of sensors",
             "where a surface is follows from parameters, the time and the place",
             "use " + in_quotes(key.locals[0]) + ", " + in_quotes(key.locals[1]) +
                 ", the time t and parameters");
  }
  return node;
}

Recorded ForceDraft::value_of(LawWriter& law, std::string_view key, Node node,
                              std::span<const Node> locals) const {
  return {law, laws_.of(key_of(key).locals).lowered(law, node, locals, false)};
}

Recorded ForceDraft::slope_of(LawWriter& law, std::string_view key, Node node, std::size_t local,
                              std::span<const Node> locals) const {
  const std::map<int, Node> slopes = draft_.graph.derivatives(node);
  const auto found = slopes.find(laws_.of(key_of(key).locals).local_input(local));
  return found == slopes.end() ? Recorded(0.0) : value_of(law, key, found->second, locals);
}

bool ForceDraft::reads_time(Node node) const {
  const std::vector<int> inputs = draft_.graph.inputs_of(node);
  return std::find(inputs.begin(), inputs.end(), laws_.of({}).time_input()) != inputs.end();
}

int ForceDraft::line() {
  const int from = point("from");
  return draft_.line(from, point("to"));
}

int ForceDraft::pose() {
  const int from = point("from");
  return draft_.pose(from, point("to"));
}

int ForceDraft::body(std::string_view key) {
  const std::string where = draft_.where(path(key));
  return draft_.position_of(draft_.references.point(text(key), where).body);
}

ForceFormula ForceDraft::inputs_in(LawWriter& law) {
  if (kind_.acts_on == ActsOn::coordinate) {
    const CoordinateDraft acted = coordinate();
    const Recorded position = kind_.reads_place ? acted.value(law) : Recorded(0.0);
    return {*this, law, position, acted.rate(law)};
  }
  if (kind_.acts_on == ActsOn::bodies) return {*this, law, 0.0, 0.0, pose()};
  if (kind_.acts_on != ActsOn::line) return {*this, law, 0.0, 0.0};
  const int k = line();
  return {*this,
          law,
          {law, law.input(LawInputKind::length, k)},
          {law, law.input(LawInputKind::length_rate, k)}};
}

void ForceDraft::push(const Formula& formula) {
  LawWriter work(draft_);
  LawWriter size(draft_);
  const Recorded value = formula(inputs_in(size));
  add_effort(draft_, work, coordinate().work(work), size, value.in(size), name());
}

void ForceDraft::push_along(const std::function<Node(LawWriter&)>& way, const Formula& formula) {
  LawWriter work(draft_);
  LawWriter size(draft_);
  const Recorded value = formula(inputs_in(size));
  add_effort(draft_, work, way(work), size, value.in(size), name());
}

void ForceDraft::turn(int body, int k, const Formula& formula) {
  LawWriter size(draft_);
  const Node torque = formula(inputs_in(size)).in(size);
  if (is_zero(size, torque)) return;
  draft_.plan.actions.push_back(
      {ActionKind::fixed_torque, size.finish_size(torque, name()), -1, body, k, -1});
}

int ForceDraft::determine(const Formula& formula) {
  LawWriter law(draft_);
  return law.finish_unknown(formula(inputs_in(law)).in(law), name());
}

bool ForceDraft::is_shown(std::string_view sensor) const {
  const std::vector<Sensor>& sensors = draft_.model.sensors;
  return std::any_of(sensors.begin(), sensors.end(),
                     [&](const Sensor& s) { return s.type == sensor && s.target == force_.name; });
}

void ForceDraft::show(std::string_view sensor, const Formula& formula) {
  LawWriter law(draft_);
  const int number = law.finish(formula(inputs_in(law)).in(law), name());
  draft_.shown.try_emplace({name(), std::string(sensor)}, number);
}

void ForceDraft::drive(std::string_view state, const Formula& formula) {
  LawWriter work(draft_);
  LawWriter size(draft_);
  const Recorded rate = formula(inputs_in(size));
  add_effort(draft_, work, work.coordinate(coordinate_of_state(state)), size, rate.in(size),
             disc_of_state(name() + "." + std::string(state)));
}

LawFormula ForceDraft::law_of(const Formula& formula) {
  return [this, &formula](LawWriter& law) { return formula(inputs_in(law)).in(law); };
}

void ForceDraft::on(const Formula& when, int direction, const Formula& condition,
                    std::string_view state, double next) {
  add_event(draft_,
            {name(),
             draft_.where("/forces/" + name()),
             law_of(when),
             law_of(condition),
             direction,
             {{coordinate_of_state(state), [next](LawWriter& law) { return law.constant(next); }}},
             {},
             true});
}

void ForceDraft::begin(std::string_view state, const Formula& formula) {
  if (draft_.plan.from_equilibrium != 0)
    reject(draft_.where("/forces/" + name()),
           "found events of a force, and a start from an equilibrium",
           "whether it acts there is not looked for", "state the start positions");
  LawWriter law(draft_);
  const Node value = formula(inputs_in(law)).in(law);
  kernels::CoordinateEntry& coordinate = draft_.plan.coordinates[index(coordinate_of_state(state))];
  coordinate.start_rate = law.finish(value, disc_of_state(name() + "." + std::string(state)));
  coordinate.is_held = 1;
}

void ForceDraft::strike(std::string_view impulse, const Formula& distance,
                        const Formula& restitution) {
  add_event(draft_, {name(),
                     draft_.where("/forces/" + name()),
                     law_of(distance),
                     {},
                     -1,
                     {},
                     ImpactFormulas{coordinate_of_state(impulse), law_of(distance),
                                    law_of(restitution), true, true}});
}

// The tension works against the length.
void ForceDraft::pull(const Formula& formula) {
  LawWriter work(draft_);
  LawWriter size(draft_);
  const Recorded tension = formula(inputs_in(size));
  add_effort(draft_, work, work.input(LawInputKind::length, line()), size,
             size.negate(tension.in(size)), name());
}

void ForceDraft::resist(int k, const Formula& formula) {
  LawWriter work(draft_);
  LawWriter size(draft_);
  const Recorded resistance = formula(inputs_in(size));
  add_effort(draft_, work, work.input(LawInputKind::pose_work, pose(), k), size,
             size.negate(resistance.in(size)), name());
}

void ForceDraft::resist(const std::function<RecordedWrench(const ForceFormula&)>& formula) {
  for (int k = 0; k < 3; ++k)
    resist(k, [&](const ForceFormula& f) { return formula(f).force[index(k)]; });
  for (int k = 0; k < 3; ++k)
    resist(3 + k, [&](const ForceFormula& f) { return formula(f).torque[index(k)]; });
}

void ForceDraft::store(const Formula& formula) {
  LawWriter energy(draft_);
  const Node value = formula(inputs_in(energy)).in(energy);
  if (is_zero(energy, value)) return;
  draft_.plan.potentials.push_back(energy.finish(value, name()));
}

void ForceDraft::add_component(std::string_view key, int k, bool in_body_axes) {
  add_component(k, in_body_axes,
                [&](const ForceFormula& f) { return Recorded(f.law(), value(f.law(), key, k)); });
}

void ForceDraft::add_component(int k, bool in_body_axes, const Formula& formula) {
  const bool is_torque = kind_.acts_on == ActsOn::body;
  const std::string_view place = is_torque ? "body" : "at";
  const int on = body(place);
  const int at = is_torque ? -1 : point(place);
  LawWriter size(draft_);
  const Node force = formula(inputs_in(size)).in(size);
  if (!is_torque && !in_body_axes) {
    LawWriter work(draft_);
    return add_effort(draft_, work, work.position(at)[index(k)], size, force, name());
  }
  if (is_zero(size, force)) return;
  const ActionKind action = !is_torque     ? ActionKind::follower_force
                            : in_body_axes ? ActionKind::follower_torque
                                           : ActionKind::fixed_torque;
  draft_.plan.actions.push_back({action, size.finish_size(force, name()), -1, on, k, at});
}

bool is_zero(const LawWriter& law, Node value) {
  return law.is_constant(value) && law.constant_value(value) == 0.0;
}

void add_effort(Draft& draft, LawWriter& work, Node scalar, LawWriter& size, Node value,
                const std::string& name) {
  if (is_zero(size, value)) return;
  const int size_law = size.finish_size(value, name);
  draft.plan.actions.push_back(
      {ActionKind::effort, size_law, work.finish(scalar, name), -1, -1, -1});
}

void ForceDraft::keep(const Formula& formula) {
  LawWriter law(draft_);
  const Node kept = formula(inputs_in(law)).in(law);
  draft_.normal_constraints[name()] = static_cast<int>(draft_.plan.constraints.size());
  draft_.add_constraint(kernels::ConstraintKind::law, {law.finish(kept, name()), -1, -1}, name());
}

void ForceDraft::keep_rate(const Formula& formula) {
  const RateConstraint constraint{[&](LawWriter& law) { return formula(inputs_in(law)).in(law); },
                                  name(), draft_.where("/forces/" + name())};
  add_rate_constraint(draft_, constraint);
}

void constrain_by_forces(Draft& draft) {
  ForceLaws laws(draft);
  for (const Force& force : draft.model.forces) {
    if (kind_of(force).constrain == nullptr) continue;
    ForceDraft writer(draft, laws, force);
    kind_of(force).constrain(writer);
  }
}

void add_forces(Draft& draft) {
  ForceLaws laws(draft);
  for (const Force& force : draft.model.forces) {
    ForceDraft writer(draft, laws, force);
    kind_of(force).write(writer);
  }
}

}  // namespace gradus
