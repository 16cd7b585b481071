// Arrays between NumPy and gradus: inputs are read where they are, outputs are handed over.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace gradus::python {

namespace nb = nanobind;

// Rows of numbers of any program that speaks DLPack or the buffer protocol; what is of another type
// or not contiguous is converted, which NumPy does.
using InputArray = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
// Rows that are written where they are: NumPy makes arrays in a fifth of the time that it takes to
// hand one over.
using WrittenArray = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using OutputArray = nb::ndarray<nb::numpy, double>;

inline std::span<const double> span_of(const InputArray& array) {
  return {array.data(), array.size()};
}

inline std::span<double> span_of(WrittenArray& array) {
  return {array.data(), array.size()};
}

// Numbers that nobody wrote yet, of which the array becomes the owner.
struct NewArray {
  explicit NewArray(std::size_t count)
      : numbers(std::make_unique_for_overwrite<double[]>(count)), size(count) {}

  std::span<double> span() { return {numbers.get(), size}; }
  OutputArray hand_over(std::initializer_list<std::size_t> shape) {
    double* const data = numbers.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return OutputArray(data, shape.size(), shape.begin(), owner);
  }

  std::unique_ptr<double[]> numbers;
  std::size_t size;
};

// Numbers of a result, without copying them.
inline OutputArray hand_over(std::vector<double>&& numbers,
                             std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<double>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return OutputArray(kept->data(), shape.size(), shape.begin(), owner);
}

}  // namespace gradus::python
