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
  bool is(std::string_view text) const {
    return value_->kind == JsonValue::Kind::text && value_->text == text;
  }
  bool is_object() const { return value_->kind == JsonValue::Kind::object; }
  std::string where() const { return *origin_ + ": " + (path_.empty() ? "/" : path_); }

  // The conversions throw InputError if the value is something else.
  std::string text() const;
  std::string name_among(std::span<const std::string_view> names) const;
  std::size_t place_among(std::span<const std::string_view> names) const;  // of the name
  Number number() const;
  Vector3 vector() const;
  double constant() const;  // a number or an expression without names
  bool boolean() const;
  std::vector<JsonElement> elements(std::size_t count) const;
  std::vector<JsonElement> elements() const;  // of an array of any length

  // An object whose keys are names that the user chose.
  std::vector<std::pair<std::string, JsonElement>> named() const;
  // The same of the object under a key; empty if there is none.
  std::vector<std::pair<std::string, JsonElement>> named(std::string_view key) const;
  // An object whose keys are given; unknown keys and missing ones are errors.
  void require_keys(std::span<const keys::Key> known) const;
  std::optional<JsonElement> find(std::string_view key) const;
  JsonElement at(std::string_view key) const;  // of a required key
  // Converts the value under a key, if it is there; returns whether it is.
  template <class Value>
  bool read(std::string_view key, Value& value) const {
    const std::optional<JsonElement> element = find(key);
    if (element) element->convert(value);
    return element.has_value();
  }
  template <class Name>
  void read(std::string_view key, std::span<const std::string_view> names, Name& name) const {
    if (const auto element = find(key)) name = element->name_among(names);
  }
  // The key of `choices` that is there; none or two of them are an error.
  std::string one_of(std::span<const keys::Key> choices) const;

  // Throws InputError: found this value, expected something else.
  [[noreturn]] void reject_value(const std::string& expected) const;

 private:
  JsonElement child(std::size_t index, const std::string& name) const;
  std::string found() const;
  void require_object() const;
  void convert(std::string& value) const { value = text(); }
  void convert(Number& value) const { value = number(); }
  void convert(Vector3& value) const { value = vector(); }
  void convert(double& value) const { value = constant(); }
  void convert(bool& value) const { value = boolean(); }
  template <class Value>
  void convert(std::optional<Value>& value) const {
    convert(value.emplace());
  }

  const JsonValue* value_;
  const std::string* origin_;
  std::string path_;
};

}  // namespace gradus
