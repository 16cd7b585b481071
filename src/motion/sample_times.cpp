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

constexpr double kWithinRoundOff = 1e-9;  // of a step: round-off
constexpr double kMostInstants = 1e7;

bool is_multiple(double time, double step) {
  const double count = time / step;
  return std::abs(count - std::round(count)) <=
         kWithinRoundOff + 4.0 * std::numeric_limits<double>::epsilon() * count;
}

// The longest step up to `longest` that divides the period, all times of sampling and the duration.
std::optional<double> common_step(const Plan& plan, double every, double duration, double longest) {
  constexpr int kTrials = 10000;
  const double first = std::max(1.0, std::ceil(every / longest - kWithinRoundOff));
  for (int trial = 0; trial < kTrials; ++trial) {
    const double step = every / (first + trial);
    const bool divides_all =
        is_multiple(duration, step) &&
        std::all_of(plan.samples.begin(), plan.samples.end(), [&](const kernels::SampleEntry& s) {
          return is_multiple(s.every, step) && is_multiple(s.offset, step);
        });
    if (divides_all) return step;
  }
  return std::nullopt;
}

// Steps of fixed length have to end at the instants; makes whole numbers of them.
void fit_to_steps(const MotionRequest& request, const Plan& plan, kernels::SampleEntry& sample,
                  const std::string& where) {
  const double h = request.step;
  const bool fits = is_multiple(sample.every, h) && sample.every > 0.5 * h;
  if (fits && is_multiple(sample.offset, h)) {
    sample.every = std::round(sample.every / h) * h;
    sample.offset = std::round(sample.offset / h) * h;
    return;
  }
  const std::optional<double> step =
      common_step(plan, sample.every, request.settings().duration, h);
  reject(where + (fits ? "/offset" : "/every"),
         "found " + to_text(fits ? sample.offset : sample.every),
         "steps of fixed length end at every sample, they are " + rounded_text(h, 12) + " s long",
         step ? "a step of " + rounded_text(*step, 12) +
                    " s fits, and so does every integrator that chooses its steps"
              : "choose times of sampling and a duration that are whole numbers of one step, or an "
                "integrator that chooses its steps");
}

// What lies within round-off of each other, or of the end, is one instant.
void unite(std::vector<double>& times, double duration, double shortest) {
  std::sort(times.begin(), times.end());
  std::vector<double> united;
  for (const double time : times)
    if (united.empty() || time - united.back() > 0.5 * kernels::kSameInstant * shortest)
      united.push_back(time);
  if (!united.empty() && duration - united.back() < 0.5 * kernels::kSameInstant * shortest)
    united.back() = duration;
  times = std::move(united);
}

}  // namespace

void settle_sample_times(const MotionRequest& request, Plan& plan, const Model& model,
                         const std::string& origin) {
  const double duration = request.settings().duration;
  const double h = request.step;
  const bool adaptive = request.tableau.error_order > 0;
  double shortest = duration;
  std::size_t k = 0;
  for (const State& state : model.states) {
    if (!is_sampled(state)) continue;
    kernels::SampleEntry& sample = plan.samples[k++];
    const std::string where = origin + ": /states/" + state.name;
    const double count = (duration - sample.offset) / sample.every;
    if (static_cast<double>(plan.sample_times.size()) + count > kMostInstants)
      reject(where + "/every", "found " + to_text(sample.every),
             "a motion of " + rounded_text(duration, 6) + " s has more than " +
                 rounded_text(kMostInstants, 3) + " samples",
             "choose a longer period, or a shorter duration");
    if (!adaptive) fit_to_steps(request, plan, sample, where);
    const double last =
        std::floor((duration - sample.offset) / sample.every + kernels::kSameInstant);
    for (double j = 0.0; j <= last; ++j) {
      const double time = sample.offset + j * sample.every;
      plan.sample_times.push_back(adaptive ? std::min(time, duration) : std::round(time / h) * h);
    }
    shortest = std::min(shortest, sample.every);
  }
  unite(plan.sample_times, duration, shortest);
}

}  // namespace gradus
