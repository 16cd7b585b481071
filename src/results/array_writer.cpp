// What all files of arrays share.
#include "src/results/array_writer.hpp"

namespace gradus::results {

Shape ArrayDescription::shape() const {
  Shape shape;
  for (const Axis& axis : axes) shape.push_back(axis.size);
  return shape;
}

void ArrayWriter::add_numbers(const std::string& name, const ArrayDescription& description,
                              const std::vector<std::span<const double>>& pieces) {
  std::vector<std::span<const std::byte>> bytes;
  for (const auto& piece : pieces) bytes.push_back(std::as_bytes(piece));
  add_pieces(name, description, bytes);
}

void ArrayWriter::add_numbers(const std::string& name, const ArrayDescription& description,
                              std::span<const double> values) {
  add_pieces(name, description, {std::as_bytes(values)});
}

}  // namespace gradus::results
