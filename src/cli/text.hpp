// Text for terminals: names, numbers, lists and tables; and where it goes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "gradus/result.hpp"

namespace gradus::cli {

// One line of UTF-8 that cannot steer the terminal or break a table: control characters and bytes
// that are not UTF-8 become U+FFFD, line ends and tabs blanks.
std::string printable(std::string_view text);

// "a, b, c"
std::string join(const std::vector<std::string>& names);

// The names between commas; of a long list the first ones and how many more there are.
std::string first_of(const std::vector<std::string>& names);

// "name [unit]", or "name" if there is none
std::string with_unit(const NamedUnit& thing);

// Ten significant digits; "failed" for NaN.
std::string number_text(double value);

// Four significant digits, for times and deviations; "failed" for NaN.
std::string short_text(double value);

// "  ... and 3 more designs", or nothing if all `total` are shown. `what` may be empty.
std::string and_more(std::size_t total, std::size_t shown, const std::string& what = "");

// A line for each of the first `most` designs that failed, and how many more did; "" if none did.
std::string failed_designs(const std::vector<DesignStatus>& status, std::size_t most);

// Rows of cells under headings, columns aligned. What cells hold is made printable.
class Table {
 public:
  // A heading begins with '<' if its column is aligned to the left, with '>' if to the right.
  Table(std::initializer_list<std::string> headings);

  void column(const std::string& heading);  // another one, before the first row
  void row(const std::vector<std::string>& cells);

  // Lines of text, two blanks between columns, each line after `indent` blanks.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the headings first
  std::string aligns_;
};

// Which parameters a table shows: all, but of a long array ("k[0]", "k[1]", ...) only the first
// elements and the last.
class ShownParameters {
 public:
  explicit ShownParameters(const std::vector<std::string>& names);
  explicit ShownParameters(const std::vector<NamedUnit>& parameters);

  bool contains(const std::string& name) const { return hidden_.count(name) == 0; }
  // Lines that say what is left out; "" if nothing is.
  const std::string& remark() const { return remark_; }

 private:
  std::unordered_set<std::string> hidden_;
  std::string remark_;
};

// To standard output, where a failed write is an error: throws FileError unless all of `text` has
// left the program.
void write_standard_output(std::string_view text);

// "gradus: remark", to standard error, where a failed write cannot be reported.
void write_remark(const std::string& text);

// "gradus: error: message"
void write_error(const std::string& message);

// The largest constraint violations, and how many motions pass through singular configurations and
// leave the knots of splines: [n_design, 3], NaN for designs that failed, and [n_design] each.
std::string motion_checks_text(const std::vector<double>& violation,
                               const std::vector<double>& passage,
                               const std::vector<double>& splines_extrapolated);

}  // namespace gradus::cli
