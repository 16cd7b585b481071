// HDF5 writing to a RandomAccessFile: a file driver, as HDF5 calls what stands between it and the
// disk.
#pragma once

#include <hdf5.h>

#include <exception>
#include <memory>

#include "src/results/hdf5/module.hpp"

namespace gradus::results {

// What the driver writes to, and the first error of it. HDF5 itself never sees an error of the
// disk, from which it cannot always recover: after one nothing is written any more, and who closes
// the file throws the error away with it, or on.
struct Hdf5Sink {
  RandomAccessFile* disk = nullptr;  // none: what comes still is dropped
  std::exception_ptr failure = nullptr;
};

// Makes a list of file access properties use the driver; `sink` itself must stay where it is until
// the file is open. False if HDF5 refuses it.
bool use_sink(hid_t access, const std::shared_ptr<Hdf5Sink>& sink);

}  // namespace gradus::results
