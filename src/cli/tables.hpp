// Plain text tables.
#pragma once

#include <string>
#include <vector>

namespace gradus::cli {

enum class Align { left, right };

// Rows of cells under headings, columns aligned.
class Table {
 public:
  // Adds a column; before the first row.
  void column(const std::string& heading, Align align);
  void row(const std::vector<std::string>& cells);

  // Lines of text, two blanks between columns, each line after `indent` blanks.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the headings first
  std::vector<Align> aligns_;
};

// Ten significant digits; "failed" for NaN.
std::string number_text(double value);

// Four significant digits, for times and deviations.
std::string short_text(double value);

// "name [unit]", or "name" if there is none
std::string with_unit(const std::string& name, const std::string& unit);

}  // namespace gradus::cli
