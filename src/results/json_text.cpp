// Documents as text, whole or piece by piece.
#include "src/results/json_text.hpp"

namespace gradus::results {
namespace {

constexpr std::size_t piece_size = 1 << 20;  // bytes: writes cost little, and so does the memory

std::string dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const Json& document) {
  return dump(document, 2) + "\n";
}

void write_document(const Json& document, const std::vector<StreamedList>& lists,
                    const Sink& sink) {
  std::string text = to_text(document);
  text.resize(text.rfind("\n}"));
  for (const StreamedList& list : lists) {
    text += ",\n  " + dump(list.name, -1) + ": [";
    for (std::size_t k = 0; k < list.count; ++k) {
      text += (k == 0 ? "\n    " : ",\n    ") + dump(list.entry(k), -1);
      if (text.size() < piece_size) continue;
      sink(text);
      text.clear();
    }
    text += list.count == 0 ? "]" : "\n  ]";
  }
  sink(text + "\n}\n");
}

}  // namespace gradus::results
