// What the module of HDF5 is handed, and what it is asked.
#pragma once

#include <memory>
#include <string>

#include "src/modules/module.hpp"
#include "src/results/array_writer.hpp"
#include "src/results/atomic_file.hpp"

namespace gradus::results {

struct Hdf5Module {
  static constexpr const char* file = "libgradus_hdf5.so";
  // The first number is raised whenever RandomAccessFile, ArrayWriter or what they are handed
  // change.
  static constexpr int interface =
      2 * 100'000 + static_cast<int>(sizeof(ArrayDescription) + sizeof(Axis) + sizeof(NamedUnit));
  static constexpr ModuleLibrary library{"HDF5", "libhdf5-dev", "libhdf5-103-1"};

  // Writes a file that messages call `name`; `finish` commits it.
  std::unique_ptr<ArrayWriter> (*write)(const std::string& name,
                                        std::unique_ptr<RandomAccessFile> disk);
};

}  // namespace gradus::results
