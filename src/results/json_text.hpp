// The JSON of gradus' documents: members in the order they were written in.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/results/sink.hpp"

namespace gradus::results {

using Json = nlohmann::ordered_json;

// Writes a structure as an object of these members, in this order. To be used once for each type,
// in its namespace; vectors of it are then lists of such objects.
#define GRADUS_JSON(Type, ...)                                                                \
  inline void to_json(nlohmann::ordered_json& nlohmann_json_j, const Type& nlohmann_json_t) { \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                  \
  }

// Text of a document. Numbers read back as the same double; what is not finite is null.
std::string to_text(const Json& document);

// Adds a member to an object that has none of that name. Looking for one first would take time that
// grows with the square of their number.
inline void append(Json& object, const std::string& name, Json value) {
  object.get_ref<Json::object_t&>().push_back({name, std::move(value)});
}

// values[index], NaN where a run handed back less: a document is written for failed runs too.
inline double number_at(std::span<const double> values, std::size_t index) {
  return index < values.size() ? values[index] : std::numeric_limits<double>::quiet_NaN();
}

// A list that may be longer than memory is meant for: its entries are made one by one while they
// are written.
struct StreamedList {
  std::string name;
  std::size_t count = 0;
  std::function<Json(std::size_t)> entry;
};

// Writes `document`, which has members, with the lists behind them, each entry on a line of its
// own.
void write_document(const Json& document, const std::vector<StreamedList>& lists, const Sink& sink);

}  // namespace gradus::results
