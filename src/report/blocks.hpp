// The parts of a report page as data: what a table or a plot shows. How it looks is defined by the
// page itself (src/report/page/*.js).
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "src/results/json_text.hpp"

namespace gradus::report {

using results::Json;

constexpr std::size_t most_samples = 2000;  // of a series
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr int usual_digits = 6;
constexpr int all_digits = 17;

// A number as the page has it: with so many significant digits, null if it is not finite.
Json number(double value, int digits = usual_digits);
// What is drawn: to the last bit, since the page also saves it as tables.
Json numbers(std::span<const double> values);
std::vector<double> numbers_of(const Json& list);  // the reverse: null is NaN
// "2.5 %"
std::string percent(double share);

// Indices of at most `most` of `count` things, evenly spread, the first and the last among them.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most);
// The same with others among them that matter more, as far as these are no more than half.
std::vector<std::size_t> thinned_with(std::size_t count, std::size_t most,
                                      std::vector<std::size_t> needed);
Json numbers_at(std::span<const double> values, const std::vector<std::size_t>& indices);

// "The first 20 of 64 designs are shown."; empty if all are.
std::string first_shown(std::size_t shown, std::size_t total, const std::string& what);

// Members of a summary that may be missing or null.
double number_of(const Json& object, const std::string& name);
std::string text_of(const Json& object, const std::string& name, const std::string& otherwise = "");
const Json& member(const Json& object, const std::string& name);  // null if there is none

// Two columns of text without a heading; empty entries are left out.
class Facts {
 public:
  explicit Facts(const std::string& title);
  Facts& add(const std::string& label, const std::string& text);
  Facts& add(const std::string& label, double value, const std::string& unit = "");
  Json block() const { return block_; }

 private:
  Json block_;
};

struct Column {
  std::string title;
  std::string unit;
  bool is_text = false;
  std::function<Json(const Json& entry)> cell = {};  // what an entry of a list has in this column
};
// A column of the members of that name.
Column number_column(const std::string& title, const std::string& name,
                     const std::string& unit = "");
Column text_column(const std::string& title, const std::string& name);
// A cell for an estimate with its interval, {"value", "low", "high"} of a summary, with enough
// digits to show the width of the interval.
Json estimate_cell(const Json& estimate);

Json table(const std::string& title, const std::vector<Column>& columns, Json rows,
           const std::string& note = "");
// The rows of a list of objects, the first `most` of them.
Json rows_of(const Json& list, const std::vector<Column>& columns,
             std::size_t most = static_cast<std::size_t>(-1));

Json notice(const std::string& level,
            const std::string& text);  // "information", "warning", "error"

// A block with `choices`, of which the page shows one at a time.
Json plot(const std::string& kind, const std::string& title, Json choices,
          const std::string& note = "");

// One choice of bars: a group of bars per name, one of each series; intervals may be empty.
struct BarSeries {
  std::string label;
  std::vector<double> values, low, high;
};
Json bars(const std::string& label, const std::string& unit, const std::vector<std::string>& names,
          const std::vector<BarSeries>& series);
// The horizontal axis of what goes over the time of the motion; plots of it follow that time.
Json time_axis();
// "m_A1 [kg]"
std::string with_unit(const std::string& name, const std::string& unit);

}  // namespace gradus::report
