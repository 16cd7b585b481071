// A PID controller on a coordinate: proportional, integral and derivative parts, a limit that is
// hard or smooth, and back-calculation that keeps the integral from winding up.
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array<std::string_view, 2> saturations{"hard", "smooth"};
constexpr std::array pid_keys{
    ForceKey{"target", "", ForceContent::law, 1, true},
    ForceKey{"target_rate", "", ForceContent::law},
    ForceKey{"proportional", ""},
    ForceKey{"integral", ""},
    ForceKey{"derivative", ""},
    ForceKey{"initial", ""},
    ForceKey{.name = "limit", .unit = "", .is_positive = true},
    ForceKey{
        .name = "saturation", .unit = "", .content = ForceContent::choice, .choices = saturations},
    ForceKey{.name = "tracking", .unit = "s", .is_positive = true},
};
constexpr std::array pid_states{ForceState{"integral", "integral", "initial"}};

void check_pid(const Force& force, const std::string& where) {
  const auto says = [&force](const char* key) { return force.find(key) != nullptr; };
  if (!says("proportional") && !says("integral") && !says("derivative"))
    reject(where, "neither \"proportional\" nor \"integral\" nor \"derivative\"",
           "there is no force without", "add one of them");
  const auto require = [&](const char* key, const char* needed) {
    if (says(key) && !says(needed))
      reject(where + "/" + key, "found " + in_quotes(key) + " without " + in_quotes(needed),
             "it means nothing alone", "add " + in_quotes(needed) + ", or remove it");
  };
  require("initial", "integral");
  require("saturation", "limit");
  require("tracking", "integral");
  require("tracking", "limit");
}

Recorded error_of(const ForceFormula& f) {
  return f["target"] - f.coordinate();
}

Recorded unlimited(const ForceFormula& f) {
  const Recorded u =
      f["proportional"] * error_of(f) + f["derivative"] * (f["target_rate"] - f.rate());
  return f.says("integral") ? u + f.state("integral") : u;
}

void write_pid(ForceDraft& force) {
  const bool is_smooth = force.text("saturation") == "smooth";
  const auto limited = [is_smooth](const ForceFormula& f) -> Recorded {
    const Recorded u = unlimited(f);
    if (!f.says("limit")) return u;
    const Recorded limit = f.positive("limit");
    return is_smooth ? limit * tanh(u / limit) : max(-limit, min(limit, u));
  };
  force.push(limited);
  if (!force.says("integral")) return;
  force.drive("integral", [&](const ForceFormula& f) {
    const Recorded growth = f["integral"] * error_of(f);
    return f.says("tracking") ? growth + (limited(f) - unlimited(f)) / f.positive("tracking")
                              : growth;
  });
}

}  // namespace

extern const ForceKind pid_controller{"pid-controller", ActsOn::coordinate, pid_keys,
                                      write_pid,        check_pid,          pid_states};

}  // namespace gradus::forces
