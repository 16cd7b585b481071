// Instants of sampling: whole numbers of steps where these have a fixed length, else times that
// adaptive steps are cut at.
#include "src/motion/sample_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "src/model/message.hpp"
#include "src/model/states.hpp"

namespace gradus {
namespace {

constexpr double kWithinRoundOff = 1e-9;  // of a step, or of a period
constexpr double kSameInstant = 1e-6;     // of the shortest period
constexpr double kMostSamples = 2e6;

struct Sample {
  double time;
  std::size_t state;  // among the sampled ones
};

std::vector<State> sampled_states(const Model& model) {
  std::vector<State> states;
  std::copy_if(model.states.begin(), model.states.end(), std::back_inserter(states), is_sampled);
  return states;
}

bool is_multiple(double time, double step) {
  const double count = time / step;
  return std::abs(count - std::round(count)) <=
         kWithinRoundOff + 4.0 * std::numeric_limits<double>::epsilon() * count;
}

// The longest step up to `longest` that divides the period, all times of sampling and the duration.
std::optional<double> common_step(const std::vector<State>& states, double every, double duration,
                                  double longest) {
  constexpr int kTrials = 10000;
  const double first = std::max(1.0, std::ceil(every / longest - kWithinRoundOff));
  for (int trial = 0; trial < kTrials; ++trial) {
    const double step = every / (first + trial);
    const auto fits = [step](const State& state) {
      return is_multiple(state.every, step) && is_multiple(state.offset, step);
    };
    if (is_multiple(duration, step) && std::all_of(states.begin(), states.end(), fits)) return step;
  }
  return std::nullopt;
}

// Steps of fixed length have to end at the instants; makes these whole numbers of them.
void fit_to_steps(double h, double duration, const std::vector<State>& states, State& state,
                  const std::string& where) {
  const bool fits = is_multiple(state.every, h) && state.every > 0.5 * h;
  if (!fits || !is_multiple(state.offset, h)) {
    const std::optional<double> step = common_step(states, state.every, duration, h);
    reject(where + (fits ? "/offset" : "/every"),
           "found " + to_text(fits ? state.offset : state.every),
           "steps of fixed length end at every sample, they are " + rounded_text(h, 12) + " s long",
           step ? "a step of " + rounded_text(*step, 12) +
                      " s fits, and so does every integrator that chooses its steps"
                : "choose times of sampling and a duration that are whole numbers of one step, or "
                  "an integrator that chooses its steps");
  }
  state.every = std::round(state.every / h) * h;
  state.offset = std::round(state.offset / h) * h;
}

// Appends the samples of a state; those of fixed steps lie at the ends of these to the last bit.
void add_samples_of(const State& state, std::size_t number, const MotionRequest& request,
                    const std::string& where, std::vector<Sample>& samples) {
  const double duration = request.settings().duration;
  const double h = request.step;
  const double last = std::floor((duration - state.offset) / state.every + kWithinRoundOff);
  if (static_cast<double>(samples.size()) + last > kMostSamples)
    reject(where + "/every", "found " + to_text(state.every),
           "a motion of " + rounded_text(duration, 6) + " s has more than " +
               rounded_text(kMostSamples, 3) + " samples",
           "choose a longer period, or a shorter duration");
  for (double k = 0.0; k <= last; ++k) {
    const double time = state.offset + k * state.every;
    samples.push_back({request.is_adaptive() ? time : std::round(time / h) * h, number});
  }
}

// What lies within round-off of each other, or of the end, is one instant.
void list_instants(std::vector<Sample> samples, double duration, double shortest, Plan& plan) {
  const double near = kSameInstant * shortest;
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample& a, const Sample& b) { return a.time < b.time; });
  for (const Sample& sample : samples) {
    const double time = duration - sample.time < near ? duration : sample.time;
    if (plan.sample_times.empty() || time - plan.sample_times.back() > near) {
      plan.sample_times.push_back(time);
      plan.samples_due.resize(plan.samples_due.size() + plan.samples.size(), 0);
    }
    plan.samples_due[plan.samples_due.size() - plan.samples.size() + sample.state] = 1;
  }
}

}  // namespace

void settle_sample_times(const MotionRequest& request, Plan& plan, const Model& model,
                         const std::string& origin) {
  std::vector<State> states = sampled_states(model);
  const double duration = request.settings().duration;
  double shortest = duration;
  std::vector<Sample> samples;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::string where = origin + ": /states/" + states[k].name;
    if (!request.is_adaptive()) fit_to_steps(request.step, duration, states, states[k], where);
    add_samples_of(states[k], k, request, where, samples);
    shortest = std::min(shortest, states[k].every);
  }
  list_instants(std::move(samples), duration, shortest, plan);
}

}  // namespace gradus
