// The JSON of gradus' documents: members in the order they were written in.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

namespace gradus::results {

using Json = nlohmann::ordered_json;

// Text of a document. Numbers read back as the same double; what is not finite is null.
inline std::string to_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Adds a member to an object that has none of that name. Looking for one first would take time that
// grows with the square of their number.
inline void append(Json& object, const std::string& name, Json value) {
  object.get_ref<Json::object_t&>().push_back({name, std::move(value)});
}

// values[index], NaN where a run handed back less: a document is written for failed runs too.
inline double number_at(std::span<const double> values, std::size_t index) {
  return index < values.size() ? values[index] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace gradus::results
