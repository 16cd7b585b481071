// What the module of HDF5 is handed, and what it is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "src/modules/module.hpp"
#include "src/results/array_writer.hpp"

namespace gradus::results {

// Where HDF5 writes to. Members throw FileError.
class Hdf5Disk {
 public:
  virtual std::uint64_t size() const = 0;
  virtual void read_at(std::uint64_t offset, std::span<std::byte> bytes) const = 0;
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual void resize(std::uint64_t size) = 0;

 protected:
  ~Hdf5Disk() = default;
};

struct Hdf5Module {
  static constexpr const char* file = "libgradus_hdf5.so";
  // The first number is raised whenever Hdf5Disk, ArrayWriter or what they are handed change.
  static constexpr int interface =
      1 * 100'000 + static_cast<int>(sizeof(ArrayDescription) + sizeof(Axis) + sizeof(NamedUnit));

  // Writes a file that messages call `name`. It is whole on the disk, which must outlive the
  // writer, when `finish` returns. The caller deletes the writer.
  ArrayWriter* (*write)(const std::string& name, Hdf5Disk& disk);
};

}  // namespace gradus::results
