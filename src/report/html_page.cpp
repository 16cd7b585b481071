// Data -> page: every marker of the template is replaced once, and nothing is looked for in what
// was put in.
#include "src/report/html_page.hpp"

#include <map>
#include <stdexcept>

namespace gradus::report {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  return result;
}

// JSON that a script element can hold: its end, or a comment, would have to begin with "<".
std::string embedded(const results::Json& data) {
  std::string result;
  for (const char c : data.dump(-1, ' ', false, results::Json::error_handler_t::replace))
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

}  // namespace

std::string html_page(const results::Json& data) {
  const std::map<std::string_view, std::string> parts = {
      {"TITLE", escaped(data.at("title").get<std::string>())},
      {"STYLE", std::string(page_files::css)},
      {"SCRIPT", std::string(page_files::script)},
      {"DATA", embedded(data)}};
  std::string page;
  std::string_view rest = page_files::html;
  for (std::size_t start = rest.find('@'); start != std::string_view::npos;
       start = rest.find('@')) {
    const std::size_t end = rest.find('@', start + 1);
    const auto part = parts.find(rest.substr(start + 1, end - start - 1));
    if (part == parts.end())
      throw std::logic_error("the template of reports has an unknown marker");
    page += rest.substr(0, start);
    page += part->second;
    rest.remove_prefix(end + 1);
  }
  page += rest;
  return page;
}

}  // namespace gradus::report
