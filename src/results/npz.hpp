// Several named arrays in one file that numpy.load reads: a ZIP archive whose members are NPY
// arrays, not compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "src/results/array_writer.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/npy.hpp"

namespace gradus::results {

// The file appears under its name when `finish` returns, and not before. Equal arrays give equal
// bytes: no time is stored. Throws FileError as AtomicFile does.
class NpzWriter : public ArrayWriter {
 public:
  struct Member {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  // of its local header
  };

  // Sizes and offsets from `zip64_limit` on are stored in 64 bits; smaller limits serve the tests.
  explicit NpzWriter(const std::filesystem::path& file, std::uint64_t zip64_limit = 0xFFFFFFFF);

  void add(const std::string& name, const NpyArray& array);
  void add_pieces(const std::string& name, const ArrayDescription& description,
                  const std::vector<std::span<const std::byte>>& pieces) override;
  void add_integers(const std::string& name, const std::string& axis,
                    const std::vector<std::int64_t>& values) override;
  void add_strings(const std::string& name, const std::string& axis,
                   const std::vector<std::string>& values) override;
  void finish() override;

 private:
  AtomicFile file_;
  std::uint64_t zip64_limit_;
  std::vector<Member> members_;
};

}  // namespace gradus::results
