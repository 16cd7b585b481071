// Reads HDF5 files with HDF5's own driver and calls, and none of gradus.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace gradus::test {

inline hid_t found(hid_t id, const std::string& what) {
  if (id < 0) throw std::runtime_error("HDF5 does not find " + what);
  return id;
}

// The strings of a dataset or attribute, without the zeros behind them.
inline std::vector<std::string> split(const std::string& text, std::size_t width) {
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < text.size(); i += width) {
    strings.push_back(text.substr(i, width));
    while (strings.back().ends_with('\0')) strings.back().pop_back();
  }
  return strings;
}

class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& file)
      : id_(found(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), file.string())) {}
  ~Hdf5File() { H5Fclose(id_); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  bool has(const std::string& name) const { return H5Lexists(id_, name.c_str(), H5P_DEFAULT) > 0; }

  std::vector<hsize_t> shape(const std::string& name) const {
    const hid_t dataset = open(name);
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    H5Sclose(space);
    H5Dclose(dataset);
    return extents;
  }

  std::vector<double> numbers(const std::string& name) const {
    return read<double>(name, H5T_NATIVE_DOUBLE);
  }
  std::vector<std::int64_t> integers(const std::string& name) const {
    return read<std::int64_t>(name, H5T_NATIVE_INT64);
  }

  std::vector<std::string> strings(const std::string& name) const {
    const hid_t dataset = open(name);
    const hid_t type = H5Dget_type(dataset);
    require_utf8(type);
    std::string text(size(name) * H5Tget_size(type), '?');
    const herr_t read = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
    const std::size_t width = H5Tget_size(type);
    H5Tclose(type);
    H5Dclose(dataset);
    found(read, name);
    return split(text, width);
  }

  // Of a dataset; of the file itself where `name` is "/".
  std::vector<std::string> attribute(const std::string& name, const std::string& attribute) const {
    const hid_t id = found(
        H5Aopen_by_name(id_, name.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT), attribute);
    const hid_t type = H5Aget_type(id);
    require_utf8(type);
    const hid_t space = H5Aget_space(id);
    const std::size_t width = H5Tget_size(type);
    std::string text(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * width, '?');
    const herr_t read = H5Aread(id, type, text.data());
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(id);
    found(read, attribute);
    return split(text, width);
  }

  bool has_attribute(const std::string& name, const std::string& attribute) const {
    return H5Aexists_by_name(id_, name.c_str(), attribute.c_str(), H5P_DEFAULT) > 0;
  }

 private:
  hid_t open(const std::string& name) const {
    return found(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), name);
  }

  std::size_t size(const std::string& name) const {
    std::size_t count = 1;
    for (const hsize_t extent : shape(name)) count *= extent;
    return count;
  }

  static void require_utf8(hid_t type) {
    if (H5Tget_class(type) != H5T_STRING || H5Tget_cset(type) != H5T_CSET_UTF8)
      throw std::runtime_error("this is no text in UTF-8");
  }

  template <class Number>
  std::vector<Number> read(const std::string& name, hid_t type) const {
    std::vector<Number> values(size(name));
    const hid_t dataset = open(name);
    const herr_t read = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    found(read, name);
    return values;
  }

  hid_t id_;
};

}  // namespace gradus::test
