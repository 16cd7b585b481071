// Files of named arrays, whatever their format: what writes results needs to know no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gradus/result.hpp"
#include "src/results/npy.hpp"

namespace gradus::results {

// What an axis of an array counts, and the names and units of what it counts, where it has some.
struct Axis {
  Axis(std::string what, std::size_t extent) : name(std::move(what)), size(extent) {}
  Axis(std::string what, const std::vector<NamedUnit>& things)
      : name(std::move(what)), size(things.size()), labels(things) {}

  std::string name;
  std::size_t size = 0;
  std::span<const NamedUnit> labels;
};

struct ArrayDescription {
  std::vector<Axis> axes;
  std::string unit = {};  // if all numbers have the same

  Shape shape() const {
    Shape extents;
    for (const Axis& axis : axes) extents.push_back(axis.size);
    return extents;
  }
};

// The file is there once `finish` returns, and not before; equal arrays give equal bytes. Every
// member throws FileError.
class ArrayWriter {
 public:
  virtual ~ArrayWriter() = default;

  // Numbers, float64, at any address; the pieces follow one another and together fill the shape.
  virtual void add_pieces(const std::string& name, const ArrayDescription& description,
                          const std::vector<std::span<const std::byte>>& pieces) = 0;
  // Whole numbers, int64, one dimension.
  virtual void add_integers(const std::string& name, const std::string& axis,
                            const std::vector<std::int64_t>& values) = 0;
  // Text in UTF-8, one dimension. Bytes that are not UTF-8 become U+FFFD.
  virtual void add_strings(const std::string& name, const std::string& axis,
                           const std::vector<std::string>& values) = 0;
  virtual void finish() = 0;

  void add_numbers(const std::string& name, const ArrayDescription& description,
                   const std::vector<std::span<const double>>& pieces) {
    std::vector<std::span<const std::byte>> bytes;
    for (const auto& piece : pieces) bytes.push_back(std::as_bytes(piece));
    add_pieces(name, description, bytes);
  }
  void add_numbers(const std::string& name, const ArrayDescription& description,
                   std::span<const double> values) {
    add_pieces(name, description, {std::as_bytes(values)});
  }
};

}  // namespace gradus::results
