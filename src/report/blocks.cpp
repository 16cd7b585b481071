// Blocks of a report page, made of plain numbers.
#include "src/report/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gradus::report {

Json number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  const double rounded = std::strtod(text, nullptr);
  // Whole numbers are shorter without a decimal point.
  if (rounded == std::floor(rounded) && std::abs(rounded) < 1e9)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value, all_digits));
  return list;
}

std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> indices(std::min(count, most));
  const std::size_t gaps = indices.size() < 2 ? 1 : indices.size() - 1;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    // Split in two so that the product does not overflow.
    const std::size_t last = count - 1;
    indices[i] = i * (last / gaps) + i * (last % gaps) / gaps;
  }
  return indices;
}

std::vector<std::size_t> thinned_with(std::size_t count, std::size_t most,
                                      std::vector<std::size_t> needed) {
  if (count <= most) return thinned(count, most);
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  if (needed.size() > most / 2) {
    std::vector<std::size_t> some;
    for (const std::size_t i : thinned(needed.size(), most / 2)) some.push_back(needed[i]);
    needed = std::move(some);
  }
  const std::vector<std::size_t> even = thinned(count, most - needed.size());
  needed.insert(needed.end(), even.begin(), even.end());
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  return needed;
}

Json numbers_at(std::span<const double> values, const std::vector<std::size_t>& indices) {
  Json list = Json::array();
  for (const std::size_t i : indices)
    list.push_back(number(results::number_at(values, i), all_digits));
  return list;
}

std::string percent(double share) {
  return number(100.0 * share).dump() + " %";
}

std::string first_shown(std::size_t shown, std::size_t total, const std::string& what) {
  if (shown >= total) return "";
  return "The first " + std::to_string(shown) + " of " + std::to_string(total) + " " + what +
         " are shown.";
}

double number_of(const Json& object, const std::string& name) {
  const Json& value = member(object, name);
  return value.is_number() ? value.get<double>() : missing;
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list)
    values.push_back(value.is_number() ? value.get<double>() : missing);
  return values;
}

std::string text_of(const Json& object, const std::string& name, const std::string& otherwise) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : otherwise;
}

const Json& member(const Json& object, const std::string& name) {
  static const Json none = nullptr;
  if (!object.is_object()) return none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

Facts::Facts(const std::string& title)
    : block_({{"kind", "facts"}, {"title", title}, {"items", Json::array()}}) {}

Facts& Facts::add(const std::string& label, const std::string& text) {
  if (!text.empty()) block_["items"].push_back(Json::array({label, text}));
  return *this;
}

Facts& Facts::add(const std::string& label, double value, const std::string& unit) {
  if (std::isfinite(value)) block_["items"].push_back(Json::array({label, number(value), unit}));
  return *this;
}

namespace {

// Two digits of the width at least, so that rounded ends lie on both sides of the rounded value.
int digits_of_interval(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high)), width = high - low;
  if (!std::isfinite(size) || !(width > 0.0)) return usual_digits;
  const double needed = std::floor(std::log10(size)) - std::floor(std::log10(width)) + 2.0;
  return static_cast<int>(std::clamp(needed, double{usual_digits}, 15.0));
}

}  // namespace

Json table(const std::string& title, const std::vector<Column>& columns, Json rows,
           const std::string& note) {
  Json heads = Json::array();
  for (const Column& column : columns)
    heads.push_back({{"title", column.title}, {"unit", column.unit}, {"text", column.is_text}});
  return {{"kind", "table"},
          {"title", title},
          {"columns", std::move(heads)},
          {"rows", std::move(rows)},
          {"note", note}};
}

Json estimate_cell(const Json& estimate) {
  const double low = number_of(estimate, "low"), high = number_of(estimate, "high");
  const int digits = digits_of_interval(low, high);
  return {{"value", number(number_of(estimate, "value"), digits)},
          {"low", number(low, digits)},
          {"high", number(high, digits)}};
}

Column number_column(const std::string& title, const std::string& name, const std::string& unit) {
  return {title, unit, false, [name](const Json& entry) { return number(number_of(entry, name)); }};
}

Column text_column(const std::string& title, const std::string& name) {
  return {title, "", true, [name](const Json& entry) { return Json(text_of(entry, name)); }};
}

Json rows_of(const Json& list, const std::vector<Column>& columns, std::size_t most) {
  Json rows = Json::array();
  for (const Json& entry : list) {
    if (rows.size() == most) break;
    Json row = Json::array();
    for (const Column& column : columns) row.push_back(column.cell(entry));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json notice(const std::string& level, const std::string& text) {
  return {{"kind", "notice"}, {"level", level}, {"text", text}};
}

Json plot(const std::string& kind, const std::string& title, Json choices,
          const std::string& note) {
  return {{"kind", kind}, {"title", title}, {"choices", std::move(choices)}, {"note", note}};
}

Json bars(const std::string& label, const std::string& unit, const std::vector<std::string>& names,
          const std::vector<BarSeries>& series) {
  Json list = Json::array();
  for (const BarSeries& one : series)
    list.push_back({{"label", one.label},
                    {"values", numbers(one.values)},
                    {"low", numbers(one.low)},
                    {"high", numbers(one.high)}});
  return {{"label", label}, {"unit", unit}, {"names", names}, {"series", std::move(list)}};
}

Json time_axis() {
  return {{"label", "time"}, {"unit", "s"}, {"is_time", true}};
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

}  // namespace gradus::report
