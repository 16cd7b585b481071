// Reads files within limits, and builds the tree from the events of the JSON parser.
#include "src/model/json_document.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

using Json = nlohmann::json;
using Kind = JsonValue::Kind;

[[noreturn]] void reject_size(const std::string& origin) {
  reject(origin, "the file is larger than " + std::to_string(largest_document >> 20) + " MiB",
         "no file of gradus needs as much", "check that this is the right file");
}

// Receives the parser's events and builds the tree. The parser keeps no stack of its own calls, so
// depth costs nothing until the limit stops it.
class Builder {
 public:
  Builder(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  bool null() { return put({}); }
  bool boolean(bool value) { return put({Kind::boolean, value ? 1.0 : 0.0}); }
  bool number_integer(std::int64_t value) { return number_float(static_cast<double>(value), ""); }
  bool number_unsigned(std::uint64_t value) { return number_float(static_cast<double>(value), ""); }
  bool number_float(double value, const std::string&) { return put({Kind::number, value}); }
  bool string(std::string& value) { return put({Kind::text, 0.0, std::move(value)}); }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // not in JSON text

  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    if (!level.seen.insert(name).second)
      reject(where(), "found the key " + in_quotes(name) + " twice", "names are unique",
             "rename or remove one of them");
    level.value.keys.push_back(std::move(name));
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
    // The parser counts the character it stumbled over.
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 if there is none
    std::string problem = exception.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    const std::size_t reason = problem.find(": ");
    if (reason != std::string::npos) problem.erase(0, reason + 2);
    std::string clean = in_quotes(problem);
    clean = clean.substr(1, clean.size() - 2);
    reject(origin_,
           "not valid JSON at line " + std::to_string(line) + ", column " +
               std::to_string(at - line_start + 1),
           clean, "expected a JSON object, comments allowed");
  }

  JsonValue take() { return std::move(root_); }

 private:
  struct Level {
    JsonValue value;
    std::unordered_set<std::string> seen;
  };

  std::string where() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const JsonValue& value = levels_[i].value;
      path += "/" + (value.kind == Kind::object ? value.keys.back()
                                                : std::to_string(value.elements.size()));
    }
    return origin_ + ": " + (path.empty() ? "/" : path);
  }

  bool put(JsonValue value) {
    if (++count_ > most_values)
      reject(origin_, "more than " + std::to_string(most_values) + " values",
             "no file of gradus needs as many", "check that this is the right file");
    if (levels_.empty())
      root_ = std::move(value);
    else
      levels_.back().value.elements.push_back(std::move(value));
    return true;
  }

  bool open(Kind kind) {
    if (levels_.size() == deepest_document)
      reject(origin_, "nesting deeper than " + std::to_string(deepest_document) + " levels",
             "no file of gradus needs as much", "check the brackets");
    levels_.push_back({{kind}, {}});
    return true;
  }

  bool close() {
    JsonValue value = std::move(levels_.back().value);
    levels_.pop_back();
    return put(std::move(value));
  }

  std::string_view text_;
  const std::string& origin_;
  std::vector<Level> levels_;
  JsonValue root_;
  std::size_t count_ = 0;
};

}  // namespace

std::string read_document(const std::filesystem::path& file) {
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem))
    throw FileError(file.string() + ": cannot read it (it is a folder), name the file in it");
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw FileError(file.string() + ": cannot open it (" + std::strerror(errno) +
                    "), check the path");
  // Read in parts rather than trusting the size that the system states: devices and pipes have
  // none.
  std::string text;
  std::vector<char> part(std::size_t{1} << 16);
  while (stream) {
    stream.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest_document) reject_size(file.string());
  }
  if (stream.bad())
    throw FileError(file.string() + ": cannot read it (" + std::strerror(errno) +
                    "), check the file");
  return text;
}

JsonValue parse_document(std::string_view text, const std::string& origin) {
  if (text.size() > largest_document) reject_size(origin);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    reject(origin, "found nothing", "the text is empty",
           "expected a model or a study, which begin with { \"schema\": ...");
  if (text.find('\0') != std::string_view::npos)
    reject(origin, "found binary data", "JSON is text",
           "check that this is the right file, saved as UTF-8");
  Builder builder(text, origin);
  constexpr bool whole_text = true;
  constexpr bool skip_comments = true;
  Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, whole_text,
                  skip_comments);
  return builder.take();
}

}  // namespace gradus
