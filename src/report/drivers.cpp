// What causes the spread of objectives: shares of the variance, and the mean gradient.
#include <algorithm>
#include <cmath>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_drivers = 60;

BarSeries series_of(const Json& drivers, const std::string& label, const std::string& what) {
  BarSeries series;
  series.label = label;
  for (const Json& driver : drivers) {
    const Json& estimate = member(driver, what);
    series.values.push_back(number_of(estimate, "value"));
    series.low.push_back(number_of(estimate, "low"));
    series.high.push_back(number_of(estimate, "high"));
  }
  return series;
}

bool any_finite(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

// What is known of a driver, as the tables of the program order them: a share of the variance, or
// the size of its derivatives.
double weight(const Json& driver) {
  for (const char* share : {"first_order", "linear_share"})
    if (const double value = number_of(member(driver, share), "value"); std::isfinite(value))
      return value;
  const double square = number_of(member(driver, "mean_square_derivative"), "value");
  return std::isfinite(square) ? square : 0.0;
}

// The largest first.
Json sorted(const Json& drivers) {
  std::vector<Json> list(drivers.begin(), drivers.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Json& a, const Json& b) { return weight(a) > weight(b); });
  if (list.size() > most_drivers) list.resize(most_drivers);
  return list;
}

// What there is to see on the plots of the shares.
struct Shown {
  bool first_order = false, bound = false, linear = false, whiskers = false;

  std::string note() const {
    std::string text = "Shares of the variance";
    text += linear && !first_order && !bound ? " that a linear model explains" : "";
    text += bound ? "; the total, with all interactions, is at most its bound." : ".";
    return text + (whiskers ? " Whiskers are confidence intervals." : "");
  }
};

std::vector<std::string> driver_names(const Json& drivers, const Json& parameters) {
  std::vector<std::string> names;
  for (const Json& driver : drivers) {
    names.push_back(text_of(driver, "parameter"));
    for (const Json& parameter : parameters)
      if (text_of(parameter, "name") == names.back() && !text_of(parameter, "unit").empty()) {
        names.back() += " [" + text_of(parameter, "unit") + "]";
        break;
      }
  }
  return names;
}

// The shares of the variance of an objective; null if none is known.
Json share_bars(const Json& drivers, const std::string& objective, Shown& shown) {
  std::vector<BarSeries> series;
  const auto add = [&](const char* label, const char* what, bool& is_shown) {
    BarSeries one = series_of(drivers, label, what);
    if (!any_finite(one.values)) return;
    is_shown = true;
    shown.whiskers = shown.whiskers || any_finite(one.low);
    series.push_back(std::move(one));
  };
  add("first order", "first_order", shown.first_order);
  add("bound of the total", "total_bound", shown.bound);
  add("linear", "linear_share", shown.linear);
  if (series.empty()) return nullptr;
  Json block = bars(objective, "", driver_names(drivers, nullptr), series);
  block["axis"] = "share of the variance of " + objective;
  return block;
}

}  // namespace

std::vector<Json> driver_blocks(const Json& parameters, const Json& statistics) {
  Json shares = Json::array(), means = Json::array();
  Shown shown;
  std::string left_out;
  for (const Json& one : statistics) {
    if (!member(one, "drivers").is_array() || member(one, "drivers").empty()) continue;
    const Json drivers = sorted(member(one, "drivers"));
    if (drivers.size() < member(one, "drivers").size())
      left_out = " The first " + std::to_string(drivers.size()) + " of " +
                 std::to_string(member(one, "drivers").size()) + " parameters are shown.";
    const std::string objective = text_of(one, "objective"), unit = text_of(one, "unit");
    if (Json block = share_bars(drivers, objective, shown); !block.is_null())
      shares.push_back(std::move(block));
    const BarSeries mean = series_of(drivers, "", "mean_derivative");
    if (!any_finite(mean.values)) continue;
    means.push_back(bars(objective, unit.empty() ? "" : unit + " per unit of the parameter",
                         driver_names(drivers, parameters), {mean}));
    means.back()["axis"] = "mean derivative of " + objective;
  }
  std::vector<Json> blocks;
  if (!shares.empty())
    blocks.push_back(
        plot("bars", "What causes the spread", std::move(shares), shown.note() + left_out));
  if (!means.empty())
    blocks.push_back(plot("bars", "Mean gradient", std::move(means),
                          "Mean of the derivatives over all designs." + left_out));
  return blocks;
}

}  // namespace gradus::report
