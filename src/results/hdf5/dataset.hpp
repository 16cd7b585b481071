// Datasets and attributes of an HDF5 file.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "src/results/array_writer.hpp"

namespace gradus::results {

// Every HDF5 call that can fail goes through here: its disk is a RandomAccessFile, so what fails is
// HDF5 itself.
template <class Value>
Value checked(Value value, const char* what) {
  if (value < 0) throw FileError(std::string("HDF5 could not ") + what);
  return value;
}

// An identifier of HDF5 that is given back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const char* what)
      : id_(checked(id, what)), close_(close) {}
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Strings of the length of the longest, filled up with zeros. Bytes that are not UTF-8 become
// U+FFFD.
struct Strings {
  explicit Strings(const std::vector<std::string>& values);

  hid_t type() const;  // to be closed

  std::size_t count;
  std::size_t width = 1;  // HDF5 knows no strings of length zero
  std::string text;
};

// A list, or a single string. Throws FileError.
void add_attribute(hid_t object, const char* name, const Strings& strings, bool is_list);

// A dataset and its attributes; the pieces follow one another and together fill the shape. Throws
// FileError.
void write_dataset(hid_t file, const std::string& name, const ArrayDescription& description,
                   hid_t type, const std::vector<std::span<const std::byte>>& pieces);

}  // namespace gradus::results
