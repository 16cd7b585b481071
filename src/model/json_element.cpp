// Conversions of JSON values, and what is said where they fail.
#include "src/model/json_element.hpp"

#include <algorithm>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/scope.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

using Kind = JsonValue::Kind;

std::vector<std::string> names_of(std::span<const keys::Key> known) {
  std::vector<std::string> names;
  for (const keys::Key& key : known) names.emplace_back(key.name);
  return names;
}

}  // namespace

std::string JsonElement::found() const {
  switch (value_->kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value_->number == 0.0 ? "false" : "true";
    case Kind::number:
      return to_text(value_->number) + " (number)";
    case Kind::text:
      return in_quotes(value_->text) + " (string)";
    case Kind::array:
      return "an array of " + std::to_string(value_->elements.size());
    case Kind::object:
      return "an object";
  }
  return "";
}

void JsonElement::reject_value(const std::string& expected) const {
  throw InputError(where() + ": found " + found() + ", expected " + expected);
}

JsonElement JsonElement::child(std::size_t index, const std::string& name) const {
  JsonElement element(value_->elements[index], *origin_);
  element.path_ = path_ + "/" + name;
  return element;
}

std::string JsonElement::text() const {
  if (value_->kind != Kind::text) reject_value("a string");
  return value_->text;
}

std::string JsonElement::name_among(std::span<const std::string_view> names) const {
  return std::string(names[place_among(names)]);
}

std::size_t JsonElement::place_among(std::span<const std::string_view> names) const {
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string expected =
      known.size() == 1 ? in_quotes(known[0]) : "one of " + quoted_list(known);
  if (value_->kind != Kind::text) reject_value(expected);
  const auto found = std::find(known.begin(), known.end(), value_->text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  const std::string near = nearest(value_->text, known);
  reject_value(expected + (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
}

Number JsonElement::number() const {
  if (value_->kind == Kind::number) return value_->number;
  if (value_->kind == Kind::text && !value_->text.empty()) return value_->text;
  reject_value("a number or an expression such as \"2*pi\"");
}

double JsonElement::constant() const {
  return constant_value(number(), expression::EmptyScope(), where());
}

bool JsonElement::boolean() const {
  if (value_->kind != Kind::boolean) reject_value("true or false");
  return value_->number != 0.0;
}

std::vector<JsonElement> JsonElement::elements(std::size_t count) const {
  if (!is_array() || value_->elements.size() != count)
    reject_value("an array of " + std::to_string(count));
  return elements();
}

std::vector<JsonElement> JsonElement::elements() const {
  if (!is_array()) reject_value("an array");
  std::vector<JsonElement> all;
  for (std::size_t i = 0; i < value_->elements.size(); ++i)
    all.push_back(child(i, std::to_string(i)));
  return all;
}

namespace {

// Whether each bracket that closes has one that opens before it, and the other way round.
bool is_balanced(std::string_view text) {
  int open = 0;
  for (const char c : text) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (open < 0) return false;
  }
  return open == 0;
}

}  // namespace

Vector3 JsonElement::vector() const {
  if (value_->kind == JsonValue::Kind::text && !value_->text.empty()) {
    if (!is_balanced(value_->text)) reject_value("an expression whose brackets match");
    const std::string whole = "(" + value_->text + ").";
    return {whole + "x", whole + "y", whole + "z"};
  }
  if (!is_array() || value_->elements.size() != 3)
    reject_value("a vector [x, y, z], or an expression of one");
  const std::vector<JsonElement> components = elements(3);
  return {components[0].number(), components[1].number(), components[2].number()};
}

void JsonElement::require_object() const {
  if (!is_object()) reject_value("an object { ... }");
}

std::vector<std::pair<std::string, JsonElement>> JsonElement::named() const {
  require_object();
  std::vector<std::pair<std::string, JsonElement>> all;
  for (std::size_t i = 0; i < value_->elements.size(); ++i)
    all.emplace_back(value_->keys[i], child(i, value_->keys[i]));
  return all;
}

std::vector<std::pair<std::string, JsonElement>> JsonElement::named(std::string_view key) const {
  const std::optional<JsonElement> object = find(key);
  return object ? object->named() : std::vector<std::pair<std::string, JsonElement>>();
}

void JsonElement::require_keys(std::span<const keys::Key> known) const {
  require_object();
  for (const std::string& key : value_->keys) {
    const auto is_known = [&key](const keys::Key& candidate) { return candidate.name == key; };
    if (std::none_of(known.begin(), known.end(), is_known)) {
      const std::vector<std::string> names = names_of(known);
      const std::string near = nearest(key, names);
      throw InputError(where() + ": found the key " + in_quotes(key) + ", expected one of " +
                       quoted_list(names, names.size()) +
                       (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
    }
  }
  for (const keys::Key& key : known) {
    if (key.required && !find(key.name))
      reject(where(), "the key " + in_quotes(key.name) + " is missing", "it is required", "add it");
  }
}

std::optional<JsonElement> JsonElement::find(std::string_view key) const {
  require_object();
  const auto found = std::find(value_->keys.begin(), value_->keys.end(), key);
  if (found == value_->keys.end()) return std::nullopt;
  return child(static_cast<std::size_t>(found - value_->keys.begin()), *found);
}

JsonElement JsonElement::at(std::string_view key) const {
  const std::optional<JsonElement> element = find(key);
  if (!element)
    reject(where(), "the key " + in_quotes(key) + " is missing", "it is required", "add it");
  return *element;
}

std::string JsonElement::one_of(std::span<const keys::Key> choices) const {
  std::string chosen;
  const std::string expected = "expected exactly one of " + quoted_list(names_of(choices));
  for (const keys::Key& choice : choices) {
    if (!find(choice.name)) continue;
    if (!chosen.empty())
      throw InputError(where() + ": found the keys " + in_quotes(chosen) + " and " +
                       in_quotes(choice.name) + ", " + expected);
    chosen = choice.name;
  }
  if (chosen.empty()) throw InputError(where() + ": found none of its keys, " + expected);
  return chosen;
}

}  // namespace gradus
