// Where text goes that is made piece by piece.
#pragma once

#include <functional>
#include <string_view>

namespace gradus::results {

// Takes the pieces of a text in order.
using Sink = std::function<void(std::string_view)>;

}  // namespace gradus::results
