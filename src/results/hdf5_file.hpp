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

// A writer of this file, which appears under its name when `finish` returns, and not before. Throws
// FileError as AtomicFile does, and InputError as require_hdf5 does. HDF5 is not made for threads:
// nothing else in the program may use it at the same time.
std::unique_ptr<ArrayWriter> hdf5_writer(const std::filesystem::path& file);

}  // namespace gradus::results
