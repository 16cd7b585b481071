// Widths are counted in characters, not bytes: names may be in any language.
#include "src/cli/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "gradus/error.hpp"
#include "src/results/utf8.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t longest_list = 12;  // names that first_of shows without shortening
constexpr std::size_t first_names = 10;
constexpr std::size_t longest_array = 12;  // elements that a table shows without shortening
constexpr std::size_t first_elements = 5;

std::string format(const char* pattern, double value) {
  if (std::isnan(value)) return "failed";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// "k[" of "k[3]", the name itself of other parameters.
std::string array_of(const std::string& name) {
  return name.substr(0, std::min(name.find('['), name.size() - 1) + 1);
}

std::vector<std::string> names_of(const std::vector<NamedUnit>& parameters) {
  std::vector<std::string> names;
  for (const NamedUnit& parameter : parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr char32_t replacement = 0xFFFD;
  std::string line;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t character = results::take_character(text);
    const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
    if (character == U'\n' || character == U'\t' || character == U'\r')
      line += ' ';
    else if (control || character == replacement)
      line += "\uFFFD";
    else
      line += before.substr(0, before.size() - text.size());
  }
  return line;
}

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string first_of(const std::vector<std::string>& names) {
  if (names.size() <= longest_list) return join(names);
  return join({names.begin(), names.begin() + first_names}) + " and " +
         std::to_string(names.size() - first_names) + " more";
}

std::string with_unit(const NamedUnit& thing) {
  return thing.unit.empty() ? thing.name : thing.name + " [" + thing.unit + "]";
}

std::string number_text(double value) {
  return format("%.10g", value);
}

std::string short_text(double value) {
  return format("%.4g", value);
}

std::string and_more(std::size_t total, std::size_t shown, const std::string& what) {
  if (total <= shown) return "";
  return "  ... and " + std::to_string(total - shown) + " more" + (what.empty() ? "" : " ") + what +
         "\n";
}

std::string failed_designs(const std::vector<DesignStatus>& status, std::size_t most) {
  std::string text;
  std::size_t failed = 0;
  for (std::size_t design = 0; design < status.size(); ++design)
    if (!status[design].ok && ++failed <= most)
      text += "  design " + std::to_string(design) + " at " + short_text(status[design].time) +
              " s: " + printable(status[design].message) + "\n";
  return text + and_more(failed, most);
}

Table::Table(std::initializer_list<std::string> headings) : rows_(1) {
  for (const std::string& heading : headings) column(heading);
}

void Table::column(const std::string& heading) {
  rows_.front().push_back(printable(std::string_view(heading).substr(1)));
  aligns_ += heading.front();
}

void Table::row(const std::vector<std::string>& cells) {
  rows_.emplace_back();
  for (const std::string& cell : cells) rows_.back().push_back(printable(cell));
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths(aligns_.size(), 0);
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width(cells[i]));

  std::string lines;
  for (const auto& cells : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string fill(widths[i] - width(cells[i]), ' ');
      if (i > 0) line += "  ";
      line += aligns_[i] == '<' ? cells[i] + fill : fill + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

ShownParameters::ShownParameters(const std::vector<std::string>& names) {
  for (std::size_t begin = 0, end = 0; begin < names.size(); begin = end) {
    const std::string array = array_of(names[begin]);
    for (end = begin + 1; end < names.size() && array_of(names[end]) == array;) ++end;
    if (end - begin <= longest_array) continue;
    for (std::size_t k = begin + first_elements; k + 1 < end; ++k) hidden_.insert(names[k]);
    remark_ += "  " + names[begin + first_elements] + " to " + names[end - 2] +
               " are left out here; --json shows all\n";
  }
}

ShownParameters::ShownParameters(const std::vector<NamedUnit>& parameters)
    : ShownParameters(names_of(parameters)) {}

void write_standard_output(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  // A full disk often shows only when the buffer is flushed.
  if (written && std::fflush(stdout) == 0) return;
  const std::error_code reason(errno, std::generic_category());
  throw FileError("cannot write to standard output (" + reason.message() + ")");
}

void write_remark(const std::string& text) {
  const std::string line = "gradus: " + printable(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void write_error(const std::string& message) {
  write_remark("error: " + message);
}

std::string motion_checks_text(const std::vector<double>& violation,
                               const std::vector<double>& passage,
                               const std::vector<double>& splines_extrapolated) {
  if (violation.empty()) return "";
  double largest[3] = {0.0, 0.0, 0.0};
  bool any_known = false;  // those of failed motions are not
  for (std::size_t k = 0; k < violation.size(); ++k) {
    largest[k % 3] = std::max(largest[k % 3], violation[k]);
    any_known = any_known || !std::isnan(violation[k]);
  }
  if (!any_known) return "";
  std::size_t passages = 0;
  for (std::size_t d = 0; d < passage.size(); ++d)
    if (passage[d] > 0.0 && !std::isnan(violation[3 * d])) ++passages;
  std::string text = "\nconstraint violation: position " + short_text(largest[0]) + ", velocity " +
                     short_text(largest[1]) + ", acceleration " + short_text(largest[2]) + "\n";
  if (passages > 0)
    text += "motions through a singular configuration: " + std::to_string(passages) + "\n";
  const auto extrapolating = std::count_if(splines_extrapolated.begin(), splines_extrapolated.end(),
                                           [](double splines) { return splines > 0.0; });
  if (extrapolating > 0)
    text += "motions with extrapolated splines: " + std::to_string(extrapolating) + "\n";
  return text;
}

}  // namespace gradus::cli
