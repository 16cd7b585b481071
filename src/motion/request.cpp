// What a request says to kernels, and the instants at which its objectives take values.
#include "src/motion/request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/motion/tableau.hpp"

namespace gradus {
namespace {

using kernels::ProjectionKind;

// The step of ali3p: the trapezoidal rule, or generalised-alpha with its true acceleration at the
// end of the step as the unknown.
void set_newmark(const Analysis& analysis, kernels::StepSettings& s) {
  s.beta = 0.25;
  s.gamma = 0.5;
  s.true_share = 1.0;
  s.algorithmic[2] = 1.0;
  if (analysis.integrator != keys::generalised_alpha) return;
  const GeneralisedAlpha g = make_generalised_alpha(analysis.spectral_radius);
  const double end = (1.0 - g.alpha_f) / (1.0 - g.alpha_m);
  s.beta = g.beta * end;
  s.gamma = g.gamma * end;
  s.true_share = 1.0 / (1.0 - g.alpha_f);
  s.algorithmic[0] = -g.alpha_m / (1.0 - g.alpha_m);
  s.algorithmic[1] = g.alpha_f / (1.0 - g.alpha_m);
  s.algorithmic[2] = end;
}

// Place of a valid name among the names of its kind.
std::size_t place_of(const std::string& name, std::span<const std::string_view> names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// In the order of keys::projections; iterative ones converge to the exact ones.
ProjectionKind projections_of(const Analysis& analysis) {
  constexpr std::array<ProjectionKind, keys::projections.size()> kinds{
      ProjectionKind::exact, ProjectionKind::exact, ProjectionKind::penalty, ProjectionKind::none};
  return kinds.at(place_of(analysis.projections, keys::projections));
}

// In the order of keys::stabilisations.
enum class Stabilisation { projection, baumgarte, none };

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

kernels::StepSettings MotionRequest::settings() const {
  kernels::StepSettings s{};
  const auto stabilisation =
      static_cast<Stabilisation>(place_of(analysis.stabilisation, keys::stabilisations));
  s.step = step;
  set_newmark(analysis, s);
  s.tolerance = tolerance;
  s.iteration_limit = 50;
  s.with_columns = with_columns() ? 1 : 0;
  s.with_adjoint =
      sensitivity == Sensitivity::adjoint || sensitivity == Sensitivity::continuous ? 1 : 0;
  s.records_columns = records_columns() ? 1 : 0;
  s.duration = step * static_cast<double>(steps);
  s.has_projections = tableau.stages > 0 ? 0 : 1;
  s.rtol = analysis.rtol;
  s.atol = analysis.atol;
  s.columns_in_error = analysis.columns_in_error ? 1 : 0;
  s.fixed_point = analysis.iteration == keys::fixed_point ? 1 : 0;
  s.penalty = analysis.penalty;
  s.projection_kind = static_cast<int>(projections_of(analysis));
  s.projection_tolerance = analysis.projection_tolerance;
  s.projects = stabilisation == Stabilisation::projection ? 1 : 0;
  const bool stabilised = formulation->by_penalty ||
                          (formulation->can_stabilise && stabilisation == Stabilisation::baumgarte);
  s.frequency = stabilised ? analysis.frequency : 0.0;
  s.damping_ratio = analysis.damping_ratio;
  s.multiplier_source = static_cast<int>(formulation->multipliers);
  return s;
}

std::size_t MotionRequest::column_count() const {
  return plan->nominal.size() - static_cast<std::size_t>(first_column);
}

bool MotionRequest::uses_penalty() const {
  return formulation->by_penalty ||
         (formulation->has_stages && projections_of(analysis) == ProjectionKind::penalty);
}

void settle_value_times(const MotionRequest& request, Plan& plan, const std::string& origin) {
  for (std::size_t o = 0; o < plan.objectives.size(); ++o) {
    kernels::ObjectiveEntry& objective = plan.objectives[o];
    if (objective.kind != kernels::ObjectiveKind::value) continue;
    const std::string& row = plan.objective_names[o].name;
    const std::string where = o < plan.stated_objectives ? origin + ": /objectives/" +
                                                               row.substr(0, row.rfind('@')) + "/at"
                                                         : "sensor times";
    objective.time = instant_at(objective.time, request, where);
    // The last instant is that of end values.
    if (objective.time == request.settings().duration)
      objective.kind = kernels::ObjectiveKind::terminal;
  }
}

}  // namespace gradus
