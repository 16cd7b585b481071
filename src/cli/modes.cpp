// gradus modes MODEL
#include "gradus/modes.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "gradus/study.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/models.hpp"
#include "src/cli/parameter_values.hpp"
#include "src/cli/text.hpp"
#include "src/results/reports.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t most_moving = 3;
constexpr double least_share = 0.05;  // of the largest deviation

bool is_none(const Mode& mode) {
  return std::abs(mode.eigenvalue) <= mode.rounding;
}

std::string frequency_text(const Mode& mode) {
  return mode.eigenvalue.imag() == 0.0 || is_none(mode) ? "" : short_text(mode.frequency());
}

std::string damping_text(const Mode& mode) {
  if (mode.eigenvalue.imag() == 0.0 || is_none(mode)) return "";
  const bool undamped = std::abs(mode.eigenvalue.real()) <= mode.rounding;
  return short_text(undamped ? 0.0 : mode.damping_ratio());
}

// "lean 1, steer 0.4 at 170 deg": coordinates and states that move most, with their phases.
std::string shape_text(const Linearization& linear, const Mode& mode) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < linear.n_state(); ++i)
    if (linear.states[i].name.rfind("rate of ", 0) != 0) order.push_back(i);
  if (order.empty()) return "";
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(mode.shape[a]) > std::abs(mode.shape[b]);
  });
  const std::complex<double> most = mode.shape[order.front()];
  if (std::abs(most) == 0.0) return "";
  std::string text;
  for (std::size_t k = 0; k < std::min(most_moving, order.size()); ++k) {
    const std::complex<double> share = mode.shape[order[k]] / most;
    if (std::abs(share) < least_share) break;
    text += (k > 0 ? ", " : "") + linear.states[order[k]].name;
    if (k == 0) continue;
    const bool real = mode.eigenvalue.imag() == 0.0;
    text += " " + short_text(real ? share.real() : std::abs(share));
    if (real) continue;
    const double degrees = std::arg(share) * 180.0 / 3.14159265358979323846;
    text += " at " + std::to_string(std::lround(degrees)) + "°";
  }
  return text;
}

std::string stability_text(const Modes& modes) {
  if (modes.stability == "not steady")
    return "none: the start is no equilibrium and no steady motion, the eigenvalues are those of "
           "an instant";
  return modes.stability +
         (modes.linearization.held_states.empty() ? "" : ", with what is sampled held");
}

bool has_turns(const Linearization& linear) {
  return std::any_of(linear.states.begin(), linear.states.end(), [](const NamedUnit& state) {
    return state.name.find(" about ") != std::string::npos;
  });
}

std::string modes_text(const Modes& modes) {
  const Linearization& linear = modes.linearization;
  Table table{">mode", ">eigenvalue [1/s]", ">frequency [Hz]", ">damping ratio", "<moves most"};
  std::size_t number = 0;
  for (const Mode& mode : modes.modes)
    table.row({std::to_string(++number), to_string(mode, 10), frequency_text(mode),
               damping_text(mode), shape_text(linear, mode)});
  std::string text = "model " + printable(linear.model) + "\n\nlinearised at  " +
                     (linear.start == "equilibrium" ? "the equilibrium" : "the start as stated") +
                     ", " + std::to_string(linear.n_state()) + " states\nstability      " +
                     stability_text(modes) + "\n";
  if (has_turns(linear))
    text += "turns          about axes of " +
            std::string(linear.axes == "body" ? "the bodies themselves" : "parents") + "\n";
  if (!linear.held_states.empty())
    text += "held           " + printable(join(linear.held_states)) +
            " (set by a clock or by events)\n";
  if (!linear.laws_of_time.empty())
    text += "time           0, for the laws of " + printable(join(linear.laws_of_time)) + "\n";
  return text + "\n" + table.text(2);
}

// Without what is round-off beside the other part.
std::string part_text(double part, const std::complex<double>& all) {
  constexpr double round_off = 1e-14;
  return number_text(std::abs(part) < round_off * std::abs(all) ? 0.0 : part);
}

// Derivatives of each eigenvalue by all parameters.
std::string gradients_text(const Modes& modes) {
  const Linearization& linear = modes.linearization;
  if (linear.parameters.empty()) return "";
  const ShownParameters shown(linear.parameters);
  std::string text;
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    text += "\nmode " + std::to_string(k + 1) + ", " + to_string(mode, 10);
    if (mode.repeated) {
      text +=
          ": no derivative, since round-off cannot tell it from another one, or the start lies on "
          "a kink\n";
      continue;
    }
    const bool real = mode.eigenvalue.imag() == 0.0;
    Table table{"<parameter", ">value", "<unit", ">by real part"};
    if (!real) table.column(">by imaginary part");
    for (std::size_t p = 0; p < linear.parameters.size(); ++p) {
      if (!shown.contains(linear.parameters[p].name)) continue;
      std::vector<std::string> cells{
          linear.parameters[p].name, number_text(linear.parameter_values[p]),
          linear.parameters[p].unit, part_text(mode.gradient[p].real(), mode.gradient[p])};
      if (!real) cells.push_back(part_text(mode.gradient[p].imag(), mode.gradient[p]));
      table.row(cells);
    }
    text += "\n" + table.text(2) + shown.remark();
  }
  return text;
}

class ModesCommand : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("MODEL", "model file", model_);
    list.add_assignments("--set", "override the value of a parameter; repeatable", set_);
    list.add("--start", "WHERE", "stated or equilibrium (default: the model's)",
             [this](const std::string& text) {
               start_ = parse_choice("--start", text, {"stated", "equilibrium"});
             });
    list.flag("--gradient", "derivatives of all eigenvalues by all parameters", gradient_);
    list.add_value("--out", "FILE", "HTML page to write, with the modes in motion", page_,
                   parse_path, "a file");
  }

  int run() const override {
    Model model = with_values(read_model_or_robot(model_, quiet), set_);
    if (!start_.empty()) model.start = start_;
    Options options;
    if (!quiet) options.log = write_remark;
    const Modes found = gradus::modes(model, options, gradient_);
    if (!page_.empty()) write_modes_page(model, options, found, page_);
    write_standard_output(json ? results::modes_document(found)
                               : modes_text(found) + (gradient_ ? gradients_text(found) : ""));
    return done;
  }

 private:
  std::string model_;  // file
  std::map<std::string, double> set_;
  std::string start_;  // empty: as the model has it
  bool gradient_ = false;
  std::filesystem::path page_;  // empty: none
};

}  // namespace

void add_modes_command(Commands& commands) {
  commands.push_back({"modes", "Eigenvalues and modes of small motions about the start of a model",
                      std::make_unique<ModesCommand>()});
}

}  // namespace gradus::cli
