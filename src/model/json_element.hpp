// A value of a JSON document together with the way to it, so that every error says where, what was
// found and what was expected.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/json_document.hpp"
#include "src/model/keys.hpp"

namespace gradus {

class JsonElement {
 public:
  // The root of a document. Document and origin must outlive the element.
  JsonElement(const JsonValue& value, const std::string& origin)
      : value_(&value), origin_(&origin) {}

  const JsonValue& json() const { return *value_; }
  bool is_array() const { return value_->kind == JsonValue::Kind::array; }
  bool is_object() const { return value_->kind == JsonValue::Kind::object; }
  std::string where() const { return *origin_ + ": " + (path_.empty() ? "/" : path_); }

  // The conversions throw InputError if the value is something else.
  std::string text() const;
  std::string name_among(std::span<const std::string_view> names) const;
  Number number() const;
  Vector3 vector() const;
  double constant() const;  // a number or an expression without names
  bool boolean() const;
  std::vector<JsonElement> elements(std::size_t count) const;
  std::vector<JsonElement> elements() const;  // of an array of any length

  // An object whose keys are names that the user chose.
  std::vector<std::pair<std::string, JsonElement>> named() const;
  // An object whose keys are given; unknown keys and missing ones are errors.
  void require_keys(std::span<const keys::Key> known) const;
  std::optional<JsonElement> find(std::string_view key) const;
  JsonElement at(std::string_view key) const;  // of a required key
  // The key of `choices` that is there; none or two of them are an error.
  std::string one_of(std::span<const keys::Key> choices) const;

  // Throws InputError: found this value, expected something else.
  [[noreturn]] void reject_value(const std::string& expected) const;

 private:
  JsonElement child(std::size_t index, const std::string& name) const;
  std::string found() const;
  void require_object() const;

  const JsonValue* value_;
  const std::string* origin_;
  std::string path_;
};

}  // namespace gradus
