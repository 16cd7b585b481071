// What runs of tied models come to, judged by their sensors.
#include "tests/verification/tied_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "gradus/error.hpp"

namespace gradus::test {
namespace {

constexpr double kViolation = 1e-6;  // of lengths, relative to the size of the mechanism
constexpr double kPenaltyViolation = 1e-3;
constexpr double kEnergy = 0.01;  // of the energy that is exchanged

struct Way {
  const char* formulation;
  const char* integrator;
  const char* projections = "exact";
  const char* stabilisation = "projection";
};

constexpr std::array kWays{Way{"ali3p", "newmark"},
                           Way{"ali3p", "generalised-alpha"},
                           Way{"ali3p", "newmark", "none"},
                           Way{"ali3p", "newmark", "penalty"},
                           Way{"ali3p", "newmark", "iterative"},
                           Way{"index1", "dop853"},
                           Way{"index1", "dopri5"},
                           Way{"index1", "rk4"},
                           Way{"index1", "newmark"},
                           Way{"index1", "generalised-alpha"},
                           Way{"index1", "implicit-euler"},
                           Way{"index1", "trapezoidal"},
                           Way{"index1", "radau5"},
                           Way{"index1", "dop853", "exact", "none"},
                           Way{"index1", "rk4", "exact", "baumgarte"},
                           Way{"matrix-r", "dop853"},
                           Way{"matrix-r", "dopri5"},
                           Way{"matrix-r", "rk4"},
                           Way{"matrix-r", "trapezoidal"},
                           Way{"matrix-r", "radau5"},
                           Way{"fully-recursive", "dop853"},
                           Way{"fully-recursive", "rk4"},
                           Way{"fully-recursive", "radau5"},
                           Way{"penalty", "dop853"},
                           Way{"penalty", "radau5"},
                           Way{"kinematic", ""}};

// "warn": simulated with singular configurations allowed.
constexpr std::array kVerbs{"simulate", "direct", "adjoint", "continuous-adjoint", "lanes", "warn"};

std::string name_of(const Way& way, const std::string& verb) {
  std::string name = way.formulation;
  for (const char* part : {way.integrator, way.projections, way.stabilisation})
    name += std::string(", ") + part;
  return name + ", " + verb;
}

Options options_of(const Way& way, const std::string& verb) {
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  options.formulation = way.formulation;
  if (*way.integrator != 0) options.integrator = way.integrator;
  options.projections = way.projections;
  options.stabilisation = way.stabilisation;
  if (verb == "warn") options.singular = "warn";
  if (verb == "lanes") {
    options.designs.count = 8;
    options.designs.spread = 0.1;
  }
  return options;
}

Result run(const TiedModel& tied, const Way& way, const std::string& verb) {
  Options options = options_of(way, verb);
  if (verb == "simulate" || verb == "lanes" || verb == "warn") return simulate(tied.model, options);
  options.method = verb;
  return gradient(tied.model, options);
}

// What is wrong with a motion, or nothing.
std::string fault(const TiedModel& tied, const Way& way, const Result& result,
                  const Trajectory& trajectory) {
  const bool by_penalty = std::string(way.formulation) == "penalty";
  const bool drifts = std::string(way.stabilisation) != "projection";
  const double limit = by_penalty || drifts ? kPenaltyViolation : kViolation;
  double violation = 0.0, at = 0.0, most = -HUGE_VAL, least = HUGE_VAL, fastest = 0.0,
         high = -HUGE_VAL, low = HUGE_VAL;
  for (std::size_t row = 0; row < trajectory.time.size(); ++row) {
    const Instant instant(result, trajectory, row);
    for (const auto& of : tied.violations) {
      const double now = std::abs(of(instant));
      if (now <= violation) continue;  // NaN is kept
      violation = now;
      at = instant.time();
    }
    double kinetic = 0.0, potential = 0.0;
    for (const auto& of : tied.kinetic) kinetic += of(instant);
    for (const auto& of : tied.potential) potential += of(instant);
    most = std::max(most, kinetic + potential);
    least = std::min(least, kinetic + potential);
    fastest = std::max(fastest, kinetic);
    high = std::max(high, potential);
    low = std::min(low, potential);
  }
  std::ostringstream text;
  if (!(violation <= limit)) text << "violation " << violation << " at " << at;
  // Implicit Euler dissipates; and behind a singular configuration that a remark tells of, anything
  // may happen that satisfies the constraints.
  const bool dissipates = std::string(way.integrator) == "implicit-euler" ||
                          result.singular_passage[trajectory.design] > 0.0;
  const double exchanged = std::max(fastest, high - low);
  if (tied.keeps_energy && !dissipates && !by_penalty && !(most - least <= kEnergy * exchanged))
    text << (text.str().empty() ? "" : ", ") << "energy off by " << (most - least) / exchanged;
  return text.str();
}

void judge(const TiedModel& tied, const Way& way, const std::string& verb, const std::string& where,
           TiedCount& count) {
  ++count.runs;
  Result result;
  try {
    result = run(tied, way, verb);
  } catch (const InputError& error) {
    ++count.refused;
    const std::string message = error.what();
    const bool is_way = message.find("formulation") == 0 || message.find("method") == 0 ||
                        message.find("integrator") == 0;
    if (is_way) return;
    ++count.failures[tied.model.name + ": refused, " + message.substr(0, 70)];
    if (tied.demand == Demand::runs) {
      ++count.false_alarms;
      ++count.failures["FALSE ALARM " + where + " " + name_of(way, verb) + ": " + message];
    }
    return;
  }
  for (std::size_t design = 0; design < result.n_design; ++design) {
    const DesignStatus& status = result.status[design];
    if (!status.ok) {
      if (status.message.empty()) count.wrong.push_back(where + ": fails without a message");
      if (design > 0) continue;
      ++count.failed;
      ++count.failures[tied.model.name + (status.time > 0.0 ? ": later, " : ": begin, ") +
                       status.message.substr(0, 45)];
      if (tied.demand == Demand::runs) {
        ++count.false_alarms;
        ++count.failures["FALSE ALARM " + where + " " + name_of(way, verb) + " at " +
                         std::to_string(status.time) + ": " + status.message];
      }
      continue;
    }
    const std::string what = fault(tied, way, result, result.trajectories[design]);
    if (what.empty()) {
      if (design == 0) ++count.right;
    } else {
      count.wrong.push_back(where + ", " + name_of(way, verb) + ", design " +
                            std::to_string(design) + ": " + what);
    }
  }
}

}  // namespace

TiedCount run_tied_models(std::size_t first, std::size_t last, int ways) {
  TiedCount count;
  for (std::size_t number = first; number < last; ++number) {
    const TiedModel tied = draw_tied_model(number);
    const std::string where = "model " + std::to_string(number) + " (" + tied.model.name + ")";
    std::mt19937_64 generator(number);
    for (int k = 0; k < ways; ++k) {
      const Way& way = kWays[generator() % kWays.size()];
      judge(tied, way, kVerbs[generator() % kVerbs.size()], where, count);
    }
  }
  return count;
}

std::string to_string(const TiedCount& count) {
  std::ostringstream text;
  text << count.runs << " runs: " << count.failed << " failed, " << count.refused << " refused, "
       << count.right << " right, " << count.false_alarms << " false alarms, " << count.wrong.size()
       << " wrong\n";
  for (const auto& [what, times] : count.failures) text << "  " << times << " " << what << "\n";
  for (const std::string& what : count.wrong) text << "  WRONG " << what << "\n";
  return text.str();
}

}  // namespace gradus::test
