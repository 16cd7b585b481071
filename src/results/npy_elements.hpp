// The elements of NPY arrays: their types, and numbers of any of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "src/results/npy.hpp"

namespace gradus::results {

// Kind and size of elements, as in "<f8".
struct ElementType {
  bool big_endian = false;
  char kind = 'f';
  std::size_t size = 0;  // bytes
};

// Nothing for what has no elements of a fixed size: structures, Python objects, dates.
std::optional<ElementType> element_type(std::string_view text);

// Elements of a shape; nothing if no number is large enough.
std::optional<std::size_t> element_count(const Shape& shape);

// Nothing if no number is large enough.
std::optional<std::size_t> product(std::size_t a, std::size_t b);

// The number that digits and nothing else say.
std::optional<std::size_t> decimal(std::string_view text);

// Up to 8 bytes as a number without sign.
std::uint64_t unsigned_at(std::span<const std::byte> bytes, bool big_endian);

}  // namespace gradus::results
