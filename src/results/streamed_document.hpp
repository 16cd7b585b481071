// JSON documents whose lists may be longer than memory is meant for: their entries are made one by
// one while they are written.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/json_text.hpp"

namespace gradus::results {

// Takes the pieces of a text in order.
using Sink = std::function<void(std::string_view)>;

struct StreamedList {
  std::string name;
  std::size_t count = 0;
  std::function<Json(std::size_t)> entry;
};

// Writes `document`, which has members, with the lists behind them, each entry on a line of its
// own.
void write_document(const Json& document, const std::vector<StreamedList>& lists, const Sink& sink);

}  // namespace gradus::results
