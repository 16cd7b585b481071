// Reads NPZ files: those that NpzWriter writes and what numpy.savez writes, as long as it is not
// compressed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

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
