// Documents that are written piece by piece.
#include "src/results/streamed_document.hpp"

namespace gradus::results {
namespace {

constexpr std::size_t kPiece = 1 << 20;  // bytes: writes cost little, and so does the memory

class Writer {
 public:
  explicit Writer(const Sink& sink) : sink_(sink) {}
  void add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) flush();
  }
  void flush() {
    sink_(buffer_);
    buffer_.clear();
  }

 private:
  const Sink& sink_;
  std::string buffer_;
};

std::string line_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void write_document(const Json& document, const std::vector<StreamedList>& lists,
                    const Sink& sink) {
  Writer writer(sink);
  const std::string head = to_text(document);
  writer.add(std::string_view(head).substr(0, head.rfind("\n}")));
  for (const StreamedList& list : lists) {
    writer.add(",\n  " + line_of(list.name) + ": [");
    for (std::size_t k = 0; k < list.count; ++k)
      writer.add((k == 0 ? "\n    " : ",\n    ") + line_of(list.entry(k)));
    writer.add(list.count == 0 ? "]" : "\n  ]");
  }
  writer.add("\n}\n");
  writer.flush();
}

}  // namespace gradus::results
