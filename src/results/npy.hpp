// Arrays in NumPy's NPY format: a header that tells type and shape, then the elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gradus::results {

using Shape = std::vector<std::size_t>;
std::string shape_text(const Shape& shape);  // "[2, 3]"

// One array ready to be written, version 1.0 and C order: `header`, then `pieces`, then `owned`.
// The pieces refer to numbers of the caller.
struct NpyArray {
  std::string header;
  std::vector<std::span<const std::byte>> pieces;
  std::string owned;

  std::uint64_t size() const;  // bytes in all
};

// Numbers, float64, at any address; the pieces follow one another and together fill the shape.
NpyArray npy_numbers(const Shape& shape, const std::vector<std::span<const std::byte>>& pieces);
inline NpyArray npy_numbers(const Shape& shape, std::span<const double> values) {
  return npy_numbers(shape, std::vector{std::as_bytes(values)});
}

// Whole numbers, int64, one dimension.
NpyArray npy_integers(const std::vector<std::int64_t>& values);

// Unicode strings (UTF-8 here, UTF-32 in the file), one dimension. Bytes that are not UTF-8 become
// U+FFFD.
NpyArray npy_strings(const std::vector<std::string>& values);

// An array that was read. The bytes belong to the file.
struct ArrayView {
  Shape shape;
  std::string type;  // NumPy's: "<f8", "<i8", "<U12", ...
  bool fortran_order = false;
  std::span<const std::byte> bytes;

  std::size_t count() const;  // elements
  // Elements in C order, whatever their order in the file. Throw FileError unless they are floating
  // or whole numbers of up to 8 bytes, or strings.
  std::vector<double> numbers() const;
  std::vector<std::string> strings() const;
};

// The array of NPY bytes; `where` opens messages. Throws FileError.
ArrayView read_npy(std::span<const std::byte> bytes, const std::string& where);

}  // namespace gradus::results
