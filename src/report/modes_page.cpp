// The page of small motions: each mode as the sensors of what is drawn move in it.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <span>

#include "gradus/modes.hpp"
#include "gradus/study.hpp"
#include "src/model/message.hpp"
#include "src/report/looks.hpp"
#include "src/report/pages.hpp"
#include "src/report/skeleton.hpp"
#include "src/results/atomic_file.hpp"

namespace gradus::report {
namespace {

using Complex = std::complex<double>;

constexpr double pi = 3.14159265358979323846;
constexpr std::size_t frames_of_mode = 96;  // of two periods
constexpr double largest_move = 0.12;       // of the size of what is drawn, or of a turn
constexpr std::size_t most_animated = 40;

std::string label_of(const Mode& mode, std::size_t number) {
  return std::to_string(number) + ": " + to_string(mode);
}

// Period of an oscillation, or time in which what does not oscillate grows or decays by e^pi [s].
double period(const Mode& mode) {
  const double frequency =
      std::max({std::abs(mode.eigenvalue.imag()), std::abs(mode.eigenvalue.real())});
  return frequency > mode.rounding ? 2.0 * pi / frequency : 1.0;
}

// What is drawn of a model, and how it moves with the numbers of x.
class Drawing {
 public:
  Drawing(const Model& model, const Options& options)
      : skeleton_(model), looks_(model, options.set) {
    places_ = 3 * skeleton_.places().size();
    Model watched = with_positions(model, skeleton_.places());
    looks_.watch(watched);
    linear_ = modes(watched, options, false).linearization;
    up_ = upwards(model);
    first_ = linear_.outputs.size() - count();
  }

  bool is_empty() const { return places_ == 0; }

  // The motion of a mode, without growth or decay.
  Json motion(const Mode& mode, const std::string& label) const {
    std::vector<Complex> moves(count());
    for (std::size_t i = 0; i < moves.size(); ++i)
      for (std::size_t j = 0; j < linear_.n_state(); ++j)
        moves[i] += linear_.c[(first_ + i) * linear_.n_state() + j] * mode.shape[j];
    const double scale = scale_of(moves);
    Json drawing = skeleton_.description();
    std::vector<double> times, row(count());
    Json positions = Json::array(), frames = Json::array();
    for (std::size_t k = 0; k <= frames_of_mode; ++k) {
      const double turns = 2.0 * static_cast<double>(k) / static_cast<double>(frames_of_mode);
      times.push_back(turns * period(mode));
      const Complex phase = scale * std::polar(1.0, 2.0 * pi * turns - 0.5 * pi);
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = linear_.output_values[first_ + i] + (phase * moves[i]).real();
      for (std::size_t i = 0; i < places_; ++i) positions.push_back(number(row[i]));
      Looks::add_frames(std::span(row).subspan(places_), frames);
    }
    drawing["label"] = label;
    drawing["up"] = up_;
    drawing["time"] = numbers(times);
    drawing["positions"] = std::move(positions);
    drawing["frames"] = std::move(frames);
    looks_.describe(drawing);
    return drawing;
  }

 private:
  std::size_t count() const { return places_ + looks_.numbers(); }

  // Numbers of frames are places of their origins, and axes of length 1.
  bool is_length(std::size_t i) const { return i < places_ || (i - places_) % 9 < 3; }

  double scale_of(const std::vector<Complex>& moves) const {
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    for (std::size_t i = 0; i < places_; ++i) {
      low[i % 3] = std::min(low[i % 3], linear_.output_values[first_ + i]);
      high[i % 3] = std::max(high[i % 3], linear_.output_values[first_ + i]);
    }
    const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    double most = 0.0;
    for (std::size_t i = 0; i < moves.size(); ++i)
      most = std::max(most, std::abs(moves[i]) / (is_length(i) && size > 0.0 ? size : 1.0));
    return most > 0.0 ? largest_move / most : 0.0;
  }

  Skeleton skeleton_;
  Looks looks_;
  std::size_t places_ = 0, first_ = 0;
  Linearization linear_;
  Json up_;
};

Json mode_facts(const Modes& modes) {
  const Linearization& linear = modes.linearization;
  const auto joined = [](const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
  };
  return Facts("Small motions")
      .add("linearised at",
           linear.start == "equilibrium" ? "the equilibrium" : "the start as stated")
      .add("states", static_cast<double>(linear.n_state()))
      .add("stability", modes.stability)
      .add("turns are about axes of", linear.axes == "body" ? "the body itself" : "")
      .add("held, as a clock or events set them", joined(linear.held_states))
      .add("laws that read the time, here 0", joined(linear.laws_of_time))
      .block();
}

Json steadiness_notice(const Modes& modes) {
  if (modes.stability != "not steady") return nullptr;
  return notice(
      "warning",
      "The start is no equilibrium and no steady motion. The eigenvalues are those of the "
      "equations of that instant, and say nothing about stability.");
}

Json mode_table(const Modes& modes) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    const bool oscillates = std::abs(mode.eigenvalue.imag()) > mode.rounding;
    const bool is_none = std::abs(mode.eigenvalue) <= mode.rounding;
    rows.push_back({std::to_string(k + 1), to_string(mode),
                    oscillates ? number(mode.frequency()) : Json(nullptr),
                    oscillates ? number(mode.damping_ratio()) : Json(nullptr),
                    is_none ? Json(nullptr) : number(period(mode))});
  }
  return table("Modes",
               {{"mode", "", true},
                {"eigenvalue", "1/s", true},
                {"frequency", "Hz"},
                {"damping ratio", ""},
                {"period shown", "s"}},
               std::move(rows));
}

// Of the modes and numbers of x that matter: a row for each number, its size and phase in each.
Json shape_table(const Modes& modes) {
  constexpr std::size_t most_columns = 8;
  const Linearization& linear = modes.linearization;
  const std::size_t count = std::min(modes.modes.size(), most_columns);
  std::vector<Column> columns{{"", "", true}, {"", "", true}};
  for (std::size_t k = 0; k < count; ++k)
    columns.push_back({"mode " + std::to_string(k + 1), "", true});
  Json rows = Json::array();
  for (std::size_t i = 0; i < linear.n_state(); ++i) {
    Json row{linear.states[i].name, linear.states[i].unit};
    for (std::size_t k = 0; k < count; ++k) {
      const Mode& mode = modes.modes[k];
      const auto most = std::max_element(
          mode.shape.begin(), mode.shape.end(),
          [](const Complex& a, const Complex& b) { return std::abs(a) < std::abs(b); });
      const Complex share = mode.shape[i] / *most;
      const bool real = mode.eigenvalue.imag() == 0.0;
      row.push_back(std::abs(share) < 1e-6 ? "0"
                    : real
                        ? rounded_text(share.real(), 3)
                        : rounded_text(std::abs(share), 3) + " at " +
                              std::to_string(std::lround(std::arg(share) * 180.0 / pi)) + "\u00b0");
    }
    rows.push_back(std::move(row));
  }
  return table("Shapes", columns, std::move(rows),
               count < modes.modes.size() ? first_shown(count, modes.modes.size(), "modes") : "");
}

Json eigenvalue_gradients(const Model& model, const Modes& modes) {
  const Linearization& linear = modes.linearization;
  std::vector<ScaledParameter> parameters;
  for (std::size_t p = 0; p < linear.parameters.size(); ++p) {
    const auto& bounds = model.parameters[p].bounds;
    parameters.push_back(scaled_parameter(linear.parameters[p], missing,
                                          bounds ? (*bounds)[1] - (*bounds)[0] : missing,
                                          linear.parameter_values[p]));
  }
  std::vector<Slopes> slopes;
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    if (mode.gradient.empty() || mode.repeated) continue;
    const auto part = [&](const std::string& of, const auto& take) {
      std::vector<double> values;
      for (const Complex& slope : mode.gradient) values.push_back(take(slope));
      const std::string name = of + " part of mode " + std::to_string(k + 1);
      slopes.push_back({{name, "1/s"}, name, values, {}, {}});
    };
    part("real", [](const Complex& z) { return z.real(); });
    if (mode.eigenvalue.imag() != 0.0) part("imaginary", [](const Complex& z) { return z.imag(); });
  }
  return slopes.empty() ? Json() : gradient_plot("Derivatives of eigenvalues", parameters, slopes);
}

Json mode_animation(const Model& model, const Options& options, const Modes& modes) {
  const Drawing drawing(model, options);
  if (drawing.is_empty())
    return notice("information", "The model has nothing that could be drawn.");
  // What neither grows nor oscillates comes last.
  std::vector<std::size_t> order(modes.modes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](std::size_t k) {
    return std::abs(modes.modes[k].eigenvalue) > modes.modes[k].rounding;
  });
  order.resize(std::min(order.size(), most_animated));
  std::vector<Json> motions;
  for (const std::size_t k : order)
    motions.push_back(drawing.motion(modes.modes[k], label_of(modes.modes[k], k + 1)));
  Json block = animation(std::move(motions));
  block["choice"] = "mode";
  block["title"] = "Modes in motion, without growth and decay";
  return block;
}

}  // namespace
}  // namespace gradus::report

namespace gradus {

void write_modes_page(const Model& model, const Options& options, const Modes& modes,
                      const std::filesystem::path& file) {
  using namespace report;  // NOLINT: all of the page comes from there
  Options quiet = options;
  quiet.log = {};
  std::vector<Json> parts{steadiness_notice(modes), mode_animation(model, quiet, modes),
                          mode_facts(modes),        mode_table(modes),
                          shape_table(modes),       eigenvalue_gradients(model, modes)};
  Json blocks = Json::array();
  for (Json& block : parts)
    if (!block.is_null()) blocks.push_back(std::move(block));
  results::write_file(file, html_page({{"title", model.name},
                                       {"subtitle", "gradus " + version() + ", small motions"},
                                       {"description", model.description},
                                       {"blocks", std::move(blocks)}}));
}

}  // namespace gradus
