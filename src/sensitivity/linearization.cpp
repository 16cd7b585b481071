// The start is made an input: its independent coordinates and rates become parameters, whose
// columns at time 0 are the rows of A. In dual numbers that move along a parameter of the model,
// and along the start with it, the same columns give the derivative of A. docs/theory.md,
// section 23.
#include "src/sensitivity/linearization.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mobility.hpp"
#include "src/sensitivity/start_columns.hpp"

namespace gradus {
namespace {

using kernels::DualNumber;
using kernels::EulerParameters;
using kernels::Vector3;
using Compiled = std::shared_ptr<const CompiledMechanism>;

// One number of x: the deviation of a held row, or of its rate.
struct StateRow {
  HeldRow row;
  bool is_rate;
};

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

std::string per_second(const std::string& unit) {
  return unit.empty() ? "1/s" : unit + "/s";
}

// Numbers of x, and what each is called.
class StateList {
 public:
  explicit StateList(const CompiledMechanism& mechanism) : mechanism_(mechanism) {
    for (const HeldRow& row : plan().held_rows) add(row);
    // Positions come first, then rates and states.
    std::stable_partition(rows.begin(), rows.end(),
                          [](const StateRow& state) { return !state.is_rate; });
    for (const StateRow& row : rows) names.push_back(name_of(row));
  }

  std::vector<StateRow> rows;
  std::vector<NamedUnit> names;
  std::vector<std::string> held;  // states that are in none

 private:
  const Plan& plan() const { return mechanism_.plan(); }

  bool is_state(const HeldRow& row) const {
    return row.coordinate >= plan().coordinate_count() - plan().state_count;
  }
  // Of the model or, "FORCE.STATE", of a force.
  std::string state_name(const HeldRow& row) const {
    const std::string& name = plan().coordinate_names[index(row.coordinate)].name;
    for (const std::string& state : states_of(mechanism_.tree().model))
      if (disc_of_state(state) == name) return state;
    return name;
  }

  void add(const HeldRow& row) {
    const State* const state =
        is_state(row) ? find_state(mechanism_.tree().model, state_name(row)) : nullptr;
    if (!is_state(row)) {
      rows.push_back({row, false});
      rows.push_back({row, true});
    } else if (state != nullptr && (!state->turn.empty() || is_sampled(*state))) {
      if (state->turn.empty()) held.push_back(state->name);
    } else if (plan().coordinates[index(row.coordinate)].start_rate >= 0) {
      rows.push_back({row, false});
    } else {
      rows.push_back({row, true});
    }
  }

  NamedUnit name_of(const StateRow& row) const {
    if (is_state(row.row)) {
      const std::string state = state_name(row.row);
      const State* const own = find_state(mechanism_.tree().model, state);
      return {state, own == nullptr ? "" : own->unit};
    }
    const std::string name = held_name(plan(), row.row);
    const std::string unit =
        row.row.turn >= 0 ? "rad" : plan().coordinate_names[index(row.row.coordinate)].unit;
    return row.is_rate ? NamedUnit{"rate of " + name, per_second(unit)} : NamedUnit{name, unit};
  }

  const CompiledMechanism& mechanism_;
};

// Euler parameters ----------------------------------------------------------------------------

template <class Real, class At>
EulerParameters<Real> euler_of(const At& at) {
  return {at(0), {at(1), at(2), at(3)}};
}

// E(p) q
template <class Real>
Vector3<Real> turn_of(const EulerParameters<Real>& p, const EulerParameters<Real>& q) {
  Vector3<Real> sum = q[0] * half_axis(p, 0);
  for (int k = 1; k < 4; ++k) sum = sum + q[k] * half_axis(p, k);
  return sum;
}

template <class Real>
Vector3<Real> twice(const Vector3<Real>& v) {
  return Real(2) * v;
}

// The equations ---------------------------------------------------------------------------------

// Of a start with columns by parameters and start state, the latter from `first_state` on.
template <class Real>
class Equations {
 public:
  Equations(const StartColumns<Real>& start, const std::vector<StateRow>& rows, int first_state,
            bool in_body_axes)
      : start_(start), rows_(rows), first_(first_state), in_body_axes_(in_body_axes) {}

  // [n_state, n_state]
  std::vector<Real> a() const {
    const std::size_t size = rows_.size();
    std::vector<Real> matrix(size * size);
    for (std::size_t j = 0; j < size; ++j) {
      const Tangent tangent = tangent_of(direction_of(rows_[j]));
      for (std::size_t i = 0; i < size; ++i) matrix[i * size + j] = rate_along(rows_[i], tangent);
    }
    return matrix;
  }

  // x' and how it changes with a parameter at the same x.
  Real rate(const StateRow& row) const {
    const int level = row.is_rate ? 2 : 1;
    const HeldRow& held = row.row;
    if (held.turn < 0) return start_.values[level][index(held.coordinate)];
    const EulerParameters<Real> p = euler(0, held.coordinate);
    const Vector3<Real> turn = twice(turn_of(p, euler(level, held.coordinate)));
    return component(in_own_axes(p, turn), held.turn);
  }
  Real rate_by(const StateRow& row, int parameter) const {
    Tangent tangent;
    for (int level = 0; level < 3; ++level)
      for (int c = 0; c < start_.n; ++c)
        tangent[index(level)].push_back(start_.column(level, c, parameter));
    return rate_along(row, tangent);
  }

  // Combination of the columns of the start state: entries and their parameters.
  using Direction = std::vector<std::pair<int, Real>>;
  Direction direction_of(const StateRow& state) const {
    const int c = state.row.coordinate;
    const int position = first_ + c;
    const int rate = first_ + start_.n + c;
    if (state.row.turn < 0) return {{state.is_rate ? rate : position, Real(1)}};
    const EulerParameters<Real> p = euler(0, c);
    const Vector3<Real> turn = unit_turn(p, state.row.turn);
    Direction direction;
    if (state.is_rate) {
      for (int k = 0; k < 4; ++k)
        direction.push_back({rate + k, Real(0.5) * dot(half_axis(p, k), turn)});
      return direction;
    }
    // The angular velocity stays as it is, in the axes of x.
    const Vector3<Real> spin = twice(turn_of(p, euler(1, c)));
    EulerParameters<Real> change;
    change.scalar = Real(0.5) * dot(half_axis(p, 0), turn);
    change.vector = {Real(0.5) * dot(half_axis(p, 1), turn), Real(0.5) * dot(half_axis(p, 2), turn),
                     Real(0.5) * dot(half_axis(p, 3), turn)};
    const Vector3<Real> carried = in_body_axes_ ? cross(turn, spin) : Vector3<Real>{};
    for (int k = 0; k < 4; ++k) {
      direction.push_back({position + k, change[k]});
      direction.push_back({rate + k, Real(0.5) * (dot(half_axis(change, k), spin) +
                                                  dot(half_axis(p, k), carried))});
    }
    return direction;
  }

 private:
  using Tangent = std::array<std::vector<Real>, 3>;  // [level][coordinate]

  EulerParameters<Real> euler(int level, int c) const {
    return euler_of<Real>([&](int k) { return start_.values[level][index(c + k)]; });
  }
  static EulerParameters<Real> euler(const Tangent& tangent, int level, int c) {
    return euler_of<Real>([&](int k) { return tangent[index(level)][index(c + k)]; });
  }
  Vector3<Real> unit_turn(const EulerParameters<Real>& p, int axis) const {
    Vector3<Real> unit{Real(axis == 0), Real(axis == 1), Real(axis == 2)};
    return in_body_axes_ ? rotation_matrix(p) * unit : unit;
  }
  Vector3<Real> in_own_axes(const EulerParameters<Real>& p, const Vector3<Real>& v) const {
    return in_body_axes_ ? transposed_times(rotation_matrix(p), v) : v;
  }

  Tangent tangent_of(const Direction& direction) const {
    Tangent tangent;
    for (int level = 0; level < 3; ++level) {
      std::vector<Real>& own = tangent[index(level)];
      own.assign(index(start_.n), Real(0));
      for (const auto& [parameter, share] : direction)
        for (int c = 0; c < start_.n; ++c)
          own[index(c)] += share * start_.column(level, c, parameter);
    }
    return tangent;
  }

  // How x' changes along a tangent of the motion.
  Real rate_along(const StateRow& state, const Tangent& tangent) const {
    const int c = state.row.coordinate;
    const int level = state.is_rate ? 2 : 1;
    if (state.row.turn < 0) return tangent[index(level)][index(c)];
    const EulerParameters<Real> p = euler(0, c);
    const EulerParameters<Real> change = euler(tangent, 0, c);
    const Vector3<Real> turn = twice(turn_of(p, change));
    // 2 E(p) q for rates q = p' and accelerations q = p'', along the tangent.
    const Vector3<Real> value = twice(turn_of(p, euler(level, c)));
    Vector3<Real> along =
        twice(turn_of(change, euler(level, c)) + turn_of(p, euler(tangent, level, c)));
    if (state.is_rate) {
      if (in_body_axes_) along = along - cross(turn, value);
    } else if (!in_body_axes_) {
      along = along + cross(value, turn);
    }
    return component(in_own_axes(p, along), state.row.turn);
  }

  const StartColumns<Real>& start_;
  const std::vector<StateRow>& rows_;
  int first_;
  bool in_body_axes_;
};

// The mechanism as stated, and with its start as an input.
class StartInputs {
 public:
  StartInputs(const Model& model, const Options& options)
      : options_(options), stated_(std::make_shared<const CompiledMechanism>(model, options)) {
    Extension extension;
    extension.start_state = start_state_on_host(stated_->request(), stated_->nominal());
    extension.held = stated_->plan().held_rows;
    Options quiet = options_;
    quiet.log = {};
    extended_ = std::make_shared<const CompiledMechanism>(stated_->model(), quiet, extension);
    state_ = std::move(extension.start_state);
  }

  const CompiledMechanism& stated() const { return *stated_; }
  const CompiledMechanism& extended() const { return *extended_; }
  int parameter_count() const { return static_cast<int>(stated_->nominal().size()); }
  int state_count() const { return static_cast<int>(state_.size()); }
  const std::vector<double>& start_state() const { return state_; }
  // Of the extended mechanism.
  std::vector<double> values() const {
    std::vector<double> all = stated_->nominal();
    all.insert(all.end(), state_.begin(), state_.end());
    return all;
  }

  // [n_parameter, 2 n] how the start as stated moves with each parameter.
  std::vector<std::vector<double>> start_by_parameters() const {
    const int count = parameter_count();
    std::vector<std::vector<double>> changes(index(count));
    if (count == 0) return changes;
    const auto start = StartRun<double>(*stated_, 0, count).run(stated_->nominal());
    for (int p = 0; p < count; ++p)
      for (int level = 0; level < 2; ++level)
        for (int c = 0; c < start.n; ++c) changes[index(p)].push_back(start.column(level, c, p));
    return changes;
  }

 private:
  Options options_;
  Compiled stated_, extended_;
  std::vector<double> state_;
};

Options options_of(const Options& wish) {
  Options options;
  options.backend = "cpu:1";
  options.set = wish.set;
  options.log = wish.log;
  options.cancelled = wish.cancelled;
  return options;
}

// In coordinates of joints, whatever the model moves in.
Model in_joint_coordinates(Model model) {
  model.analysis.coordinates = std::string(keys::of_joints);
  model.objectives.clear();  // which may ask for later times
  return model;
}

// Derivatives of A along directions of parameters and start state, several at once.
class Changes {
 public:
  Changes(const StartInputs& inputs, const std::vector<StateRow>& rows)
      : inputs_(inputs),
        rows_(rows),
        run_(inputs.extended(), inputs.parameter_count(), inputs.state_count()) {}

  struct OfBothAxes {
    std::vector<std::vector<double>> parent, body;  // [direction][n_state, n_state]
  };
  // `directions` [direction][n_parameter + 2 n]
  OfBothAxes along(const std::vector<std::vector<double>>& directions) {
    OfBothAxes found;
    const std::vector<double> values = inputs_.values();
    for (std::size_t first = 0; first < directions.size(); first += kernels::kDualDirections) {
      const std::size_t count =
          std::min<std::size_t>(kernels::kDualDirections, directions.size() - first);
      std::vector<DualNumber> seeded(values.begin(), values.end());
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < seeded.size(); ++i)
          seeded[i].derivative[k] = directions[first + k][i];
      const StartColumns<DualNumber> start = run_.run(seeded);
      for (const bool body : {false, true}) {
        const std::vector<DualNumber> a = Equations<DualNumber>(start, rows_, 0, body).a();
        for (std::size_t k = 0; k < count; ++k) {
          std::vector<double> own;
          for (const DualNumber& entry : a) own.push_back(entry.derivative[k]);
          (body ? found.body : found.parent).push_back(std::move(own));
        }
      }
    }
    return found;
  }

 private:
  const StartInputs& inputs_;
  const std::vector<StateRow>& rows_;
  StartRun<DualNumber> run_;
};

double largest(const std::vector<double>& numbers) {
  double most = 0.0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

// Whether each group of Euler parameters has all of its turns in x: only those may be turned.
bool has_whole_turns(const std::vector<StateRow>& rows) {
  int turns = 0;
  for (const StateRow& state : rows) turns += !state.is_rate && state.row.turn >= 0 ? 1 : 0;
  if (turns == 0) return false;
  for (const StateRow& state : rows) {
    const auto same_group = [&](const StateRow& other) {
      return !other.is_rate && other.row.turn >= 0 && other.row.coordinate == state.row.coordinate;
    };
    if (state.row.turn >= 0 && std::count_if(rows.begin(), rows.end(), same_group) != 3)
      return false;
  }
  return true;
}

class Linearizer {
 public:
  Linearizer(const Model& model, const Options& options)
      : inputs_(in_joint_coordinates(model), options_of(options)), states_(inputs_.extended()) {
    if (states_.rows.empty())
      throw InputError(model.name + ": has no small motions (no coordinate is free to move), " +
                       "leave one free");
  }

  Linearization linearization(MatrixChanges changes) {
    describe();
    const int first = inputs_.parameter_count();
    StartRun<double> run(inputs_.extended(), 0, first + inputs_.state_count());
    const auto start = run.run(inputs_.values());
    bool body = false;
    if (changes != MatrixChanges::none)
      body = add_changes(run, start, changes != MatrixChanges::along_motion);
    else
      set_matrices(matrices_of(start, false));
    result_.axes = body ? "body" : "parent";
    const Equations<double> equations(start, states_.rows, first, body);
    for (const StateRow& row : states_.rows)
      for (int p = 0; p < first; ++p) result_.b.push_back(equations.rate_by(row, p));
    add_outputs(start, equations);
    return std::move(result_);
  }

 private:
  void describe() {
    const CompiledMechanism& stated = inputs_.stated();
    result_.model = stated.model().name;
    result_.start =
        std::string(stated.plan().from_equilibrium != 0 ? keys::equilibrium : keys::stated);
    result_.states = states_.names;
    result_.held_states = states_.held;
    for (const Parameter& p : stated.model().parameters)
      result_.parameters.push_back({p.name, p.unit});
    result_.parameter_values = stated.nominal();
    result_.coordinates = stated.plan().coordinate_names;
    result_.start_state = inputs_.start_state();
    result_.outputs = stated.plan().signal_names;
  }

  // A and x', and by how much round-off moves them.
  struct Matrices {
    std::vector<double> a, rates, a_noise, rate_noise;
    std::vector<double> a_samples = {};  // [sample, n_state, n_state] differences from A
  };

  Matrices matrices_of(const StartColumns<double>& start, bool body) const {
    const Equations<double> equations(start, states_.rows, inputs_.parameter_count(), body);
    Matrices found{equations.a(), {}, {}, {}};
    for (const StateRow& row : states_.rows) found.rates.push_back(equations.rate(row));
    return found;
  }

  // Of both axes, `noise` being what inputs that differ in their last digits make of it.
  std::array<Matrices, 2> noisy_matrices(StartRun<double>& run,
                                         const StartColumns<double>& start) const {
    std::array<Matrices, 2> found{matrices_of(start, false), matrices_of(start, true)};
    for (Matrices& own : found) {
      own.a_noise.assign(own.a.size(), 0.0);
      own.rate_noise.assign(own.rates.size(), 0.0);
    }
    const auto widen = [](std::vector<double>& noise, const std::vector<double>& values,
                          const std::vector<double>& beside) {
      for (std::size_t i = 0; i < noise.size(); ++i)
        noise[i] = std::max(noise[i], std::abs(values[i] - beside[i]));
    };
    for (unsigned sample = 1; sample <= kNoiseSamples; ++sample) {
      std::vector<double> values = inputs_.values();
      unsigned random = 2654435761U * sample;
      for (std::size_t i = 0; i < values.size(); ++i) {
        random = 1664525U * random + 1013904223U;
        const double digits = (random >> 16) % 2 == 0 ? kLastDigits : -kLastDigits;
        // Positions also where they are 0; rates that are stay on their side of kinks at rest.
        const std::size_t first = index(inputs_.parameter_count());
        const bool is_position = i >= first && i < first + index(inputs_.state_count()) / 2;
        values[i] += digits * (std::abs(values[i]) + (is_position ? 1.0 : 0.0));
      }
      const auto beside = run.run(values);
      for (const bool body : {false, true}) {
        const Matrices other = matrices_of(beside, body);
        Matrices& own = found[body ? 1 : 0];
        widen(own.a_noise, own.a, other.a);
        widen(own.rate_noise, own.rates, other.rates);
        for (std::size_t i = 0; i < own.a.size(); ++i)
          own.a_samples.push_back(other.a[i] - own.a[i]);
      }
    }
    return found;
  }

  void set_matrices(Matrices matrices) {
    result_.a = std::move(matrices.a);
    result_.rates = std::move(matrices.rates);
    result_.a_noise = std::move(matrices.a_noise);
    result_.rate_noise = std::move(matrices.rate_noise);
    result_.a_samples = std::move(matrices.a_samples);
  }

  // Whether A changes with time by more than round-off.
  static bool varies(const std::vector<double>& a_rate, const Matrices& matrices) {
    const double pace = std::max(1.0, largest(matrices.rates));
    const std::size_t size = matrices.rates.size();
    for (std::size_t i = 0; i < size; ++i) {
      double row = 0.0;
      for (std::size_t j = 0; j < size; ++j)
        row = std::max(row, std::abs(matrices.a[i * size + j]));
      for (std::size_t k = i * size; k < (i + 1) * size; ++k)
        if (!(std::abs(a_rate[k]) <= pace * (kSteady * std::abs(matrices.a[k]) + kOfRow * row +
                                             kManyNoises * matrices.a_noise[k])))
          return true;
    }
    return false;
  }

  // How A changes with parameters and time. Returns whether it is that in the axes of bodies, where
  // it changes with time in those of parents only.
  bool add_changes(StartRun<double>& run, const StartColumns<double>& start, bool by_parameters) {
    const std::size_t width = index(inputs_.parameter_count());
    std::vector<std::vector<double>> directions;
    if (by_parameters) directions = parameter_directions();
    const bool moves = largest(start.values[1]) > 0.0 || largest(start.values[2]) > 0.0;
    if (moves) {
      directions.emplace_back(width, 0.0);
      const double still =
          kStill * std::max({1.0, largest(start.values[1]), largest(start.values[2])});
      for (int level = 1; level < 3; ++level)
        for (const double rate : start.values[level])
          directions.back().push_back(std::abs(rate) > still ? rate : 0.0);
    }
    std::array<Matrices, 2> matrices = noisy_matrices(run, start);
    Changes::OfBothAxes found;
    if (!directions.empty()) found = Changes(inputs_, states_.rows).along(directions);
    bool body = false;
    if (moves) {
      const bool varies_in_parent = varies(found.parent.back(), matrices[0]);
      body = varies_in_parent && has_whole_turns(states_.rows) &&
             !varies(found.body.back(), matrices[1]);
      result_.varies = varies_in_parent && !body;
    }
    set_matrices(std::move(matrices[body ? 1 : 0]));
    auto& chosen = body ? found.body : found.parent;
    if (moves) {
      result_.a_rate = std::move(chosen.back());
      chosen.pop_back();
    }
    for (const std::vector<double>& own : chosen)
      result_.a_gradient.insert(result_.a_gradient.end(), own.begin(), own.end());
    return body;
  }

  // Each parameter of the model, and how the start moves with it.
  std::vector<std::vector<double>> parameter_directions() const {
    const std::size_t width = index(inputs_.parameter_count());
    std::vector<std::vector<double>> directions;
    const auto changes = inputs_.start_by_parameters();
    for (std::size_t p = 0; p < width; ++p) {
      directions.emplace_back(width, 0.0);
      directions.back()[p] = 1.0;
      directions.back().insert(directions.back().end(), changes[p].begin(), changes[p].end());
    }
    return directions;
  }

  void add_outputs(const StartColumns<double>& start, const Equations<double>& equations) {
    const std::size_t count = result_.outputs.size();
    const std::size_t states = states_.rows.size();
    const std::size_t width = index(inputs_.parameter_count());
    result_.output_values = start.signals;
    result_.c.assign(count * states, 0.0);
    result_.d.assign(count * width, 0.0);
    const auto column = [&](std::size_t output, int parameter) {
      return start.signal_columns[output * index(start.count) + index(parameter)];
    };
    for (std::size_t o = 0; o < count; ++o)
      for (std::size_t p = 0; p < width; ++p)
        result_.d[o * width + p] = column(o, static_cast<int>(p));
    for (std::size_t j = 0; j < states; ++j)
      for (const auto& [parameter, share] : equations.direction_of(states_.rows[j]))
        for (std::size_t o = 0; o < count; ++o)
          result_.c[o * states + j] += share * column(o, parameter);
  }

  static constexpr unsigned kNoiseSamples = 3;
  static constexpr double kLastDigits = 1e-15;
  static constexpr double kSteady = 1e-10;    // of an entry, and the pace of the motion
  static constexpr double kOfRow = 1e-13;     // of the largest entry in a row
  static constexpr double kManyNoises = 1e3;  // of an entry

  StartInputs inputs_;
  StateList states_;
  Linearization result_;
};

}  // namespace

Linearization linearization_of(const Model& model, const Options& options, MatrixChanges changes) {
  return Linearizer(model, options).linearization(changes);
}

Linearization linearize(const Model& model, const Options& options) {
  return linearization_of(model, options, MatrixChanges::none);
}

}  // namespace gradus
