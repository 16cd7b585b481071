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
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/motion/host_run.hpp"
#include "src/sensitivity/start_equations.hpp"

namespace gradus {
namespace {

using kernels::DualNumber;
using small_motions::as_index;
using small_motions::Equations;
using small_motions::StateRow;
using Compiled = std::shared_ptr<const CompiledMechanism>;

// The mechanism as stated, and with its start as an input.
class StartInputs {
 public:
  StartInputs(const Model& model, const Options& options)
      : options_(options), stated_(std::make_shared<const CompiledMechanism>(model, options)) {
    Extension extension;
    extension.start_state = start_state_on_host(stated_->request(), stated_->nominal());
    extension.held = stated_->plan().held_rows;
    extension.released = stated_->plan().released_rows;
    Options quiet = options_;
    quiet.log = {};
    extended_ = std::make_shared<const CompiledMechanism>(stated_->model(), quiet, extension);
    state_ = std::move(extension.start_state);
  }

  const Options& options() const { return options_; }
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
    std::vector<std::vector<double>> changes(as_index(count));
    if (count == 0) return changes;
    const auto start = StartRun<double>(*stated_, 0, count, options_).run(stated_->nominal());
    for (int p = 0; p < count; ++p)
      for (int level = 0; level < 2; ++level)
        for (int c = 0; c < start.n; ++c) changes[as_index(p)].push_back(start.column(level, c, p));
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
        run_(inputs.extended(), inputs.parameter_count(), inputs.state_count(), inputs.options()) {}

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

// Whether a law is asked at events only.
bool is_of_event(const Plan& plan, int law) {
  return std::any_of(plan.events.begin(), plan.events.end(),
                     [law](const kernels::EventEntry& e) {
                       return law == e.when || law == e.condition || law == e.closing ||
                              law == e.amount;
                     }) ||
         std::any_of(plan.resets.begin(), plan.resets.end(),
                     [law](const kernels::ResetEntry& reset) { return law == reset.law; });
}

// What laws that read the time belong to, each once.
std::vector<std::string> laws_of_time(const Plan& plan) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < plan.laws.size(); ++k) {
    if (is_of_event(plan, static_cast<int>(k))) continue;
    const auto begin = plan.law_inputs.begin() + plan.laws[k].input_begin;
    const auto end = plan.law_inputs.begin() + plan.laws[k].input_end;
    const bool reads = std::any_of(begin, end, [](const kernels::LawInputEntry& input) {
      return input.kind == kernels::LawInputKind::time;
    });
    if (reads && std::find(names.begin(), names.end(), plan.law_names[k]) == names.end())
      names.push_back(plan.law_names[k]);
  }
  return names;
}

class Linearizer {
 public:
  Linearizer(const Model& model, const Options& options)
      : inputs_(in_joint_coordinates(model), options_of(options)),
        states_(small_motions::states_of(inputs_.extended())) {
    if (states_.rows.empty())
      throw InputError(model.name + ": has no small motions (no coordinate is free to move), " +
                       "leave one free");
  }

  Linearization linearization(MatrixChanges changes) {
    describe();
    const int first = inputs_.parameter_count();
    StartRun<double> run(inputs_.extended(), 0, first + inputs_.state_count(), inputs_.options());
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
    result_.laws_of_time = laws_of_time(stated.plan());
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
        const std::size_t first = as_index(inputs_.parameter_count());
        const bool is_position = i >= first && i < first + as_index(inputs_.state_count()) / 2;
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
      double row = 1.0;  // rows of zeros have round-off of other sizes
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
    const std::size_t width = as_index(inputs_.parameter_count());
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
    const std::size_t width = as_index(inputs_.parameter_count());
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
    const std::size_t width = as_index(inputs_.parameter_count());
    result_.output_values = start.signals;
    result_.c.assign(count * states, 0.0);
    result_.d.assign(count * width, 0.0);
    const auto column = [&](std::size_t output, int parameter) {
      return start.signal_columns[output * as_index(start.count) + as_index(parameter)];
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
  static constexpr double kOfRow = 1e-13;     // of the largest entry in a row, or of 1
  static constexpr double kManyNoises = 1e3;  // of an entry

  StartInputs inputs_;
  small_motions::States states_;
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
