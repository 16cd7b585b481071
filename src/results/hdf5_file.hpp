// Several named arrays in one HDF5 file, for MATLAB, Julia, h5py and others. HDF5 itself is in a
// module.
//
// Each array is a dataset in the root group, contiguous and little endian, with attributes:
//   axes                 what each axis counts
//   columns, rows        names of what the last axis and the one before it count, where it has some
//   column_units, row_units
//   unit                 of all numbers, where they have the same
// The file itself has the attribute gradus_version. Any HDF5 from 1.8 on reads it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "src/results/array_writer.hpp"

namespace gradus::results {

// Whether the module can be had.
bool has_hdf5();

// Throws InputError unless it can; `asked_by` is what asked for it, as the user knows it.
void require_hdf5(const std::string& asked_by);

// The file appears under its name when `finish` returns, and not before. Throws FileError as
// AtomicFile does, and InputError as require_hdf5 does. HDF5 is not made for threads: nothing else
// in the program may use it at the same time.
class Hdf5Writer : public ArrayWriter {
 public:
  explicit Hdf5Writer(const std::filesystem::path& file);
  ~Hdf5Writer() override;

  void add_pieces(const std::string& name, const ArrayDescription& description,
                  const std::vector<std::span<const std::byte>>& pieces) override;
  void add_integers(const std::string& name, const std::string& axis,
                    const std::vector<std::int64_t>& values) override;
  void add_strings(const std::string& name, const std::string& axis,
                   const std::vector<std::string>& values) override;
  void finish() override;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace gradus::results
