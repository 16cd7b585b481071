// Times at which objectives take values.
#include "src/motion/request.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "src/model/message.hpp"

namespace gradus {
namespace {

constexpr double kWithinStep = 1e-9;  // of a step: round-off

// Without the round-off of a product.
std::string rounded(double time) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.12g", time);
  return text.data();
}

// The instant of the motion that a time stands for.
double instant_at(double time, const MotionRequest& request, const std::string& where) {
  const double h = request.step;
  const double duration = request.settings().duration;
  const double tolerance =
      kWithinStep * h + 4.0 * std::numeric_limits<double>::epsilon() * duration;
  if (time > duration + tolerance)
    reject(where, "found " + to_text(time), "the motion ends at " + rounded(duration) + " s",
           "choose times from 0 to that, or a longer duration");
  if (time > duration - tolerance) return duration;
  const double step = std::round(time / h);
  const bool adaptive = request.tableau.error_order > 0;
  if (std::abs(time - step * h) <= tolerance && (!adaptive || step == 0.0)) return step * h;
  if (adaptive) return time;
  const double below = std::floor(time / h);
  reject(where, "found " + to_text(time), "no step ends there, they are " + rounded(h) + " s long",
         "the nearest possible times are " + rounded(below * h) + " and " +
             rounded((below + 1.0) * h));
}

}  // namespace

void settle_value_times(const MotionRequest& request, Plan& plan, const std::string& origin) {
  for (std::size_t o = 0; o < plan.objectives.size(); ++o) {
    kernels::ObjectiveEntry& objective = plan.objectives[o];
    if (objective.kind != kernels::ObjectiveKind::value) continue;
    const std::string& row = plan.objective_names[o].name;
    const std::string where = origin + ": /objectives/" + row.substr(0, row.rfind('@')) + "/at";
    objective.time = instant_at(objective.time, request, where);
    // The last instant is that of end values.
    if (objective.time == request.settings().duration)
      objective.kind = kernels::ObjectiveKind::terminal;
  }
}

}  // namespace gradus
