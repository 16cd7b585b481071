// Reads NPZ and NPY files: those that NpzWriter writes and what numpy.save and numpy.savez write,
// as long as it is not compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/npy.hpp"

namespace gradus::results {

// A file in memory, read page by page when it is looked at. Throws FileError.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// One array. The bytes belong to the file.
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

class NpzReader {
 public:
  // Throws FileError: not there, not an archive, cut short, compressed, checksum wrong.
  explicit NpzReader(const std::filesystem::path& file);

  bool has(const std::string& name) const { return arrays_.count(name) != 0; }
  const ArrayView& at(const std::string& name) const;  // throws FileError if there is none
  const std::map<std::string, ArrayView>& arrays() const { return arrays_; }

 private:
  std::string file_name_;
  MappedFile file_;
  std::map<std::string, ArrayView> arrays_;
};

}  // namespace gradus::results
