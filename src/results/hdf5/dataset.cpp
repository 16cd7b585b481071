// Datasets and attributes by HDF5's C interface.
#include "src/results/hdf5/dataset.hpp"

#include <algorithm>
#include <stdexcept>

#include "src/results/utf8.hpp"

namespace gradus::results {
namespace {

std::vector<hsize_t> extents(const Shape& shape) {
  return {shape.begin(), shape.end()};
}

void add_labels(hid_t dataset, const std::string& kind, const Axis& axis) {
  if (axis.labels.empty()) return;
  std::vector<std::string> names, units;
  for (const NamedUnit& label : axis.labels) {
    names.push_back(label.name);
    units.push_back(label.unit);
  }
  add_attribute(dataset, (kind + "s").c_str(), Strings(names), true);
  add_attribute(dataset, (kind + "_units").c_str(), Strings(units), true);
}

void describe(hid_t dataset, const ArrayDescription& description) {
  std::vector<std::string> axes;
  for (const Axis& axis : description.axes) axes.push_back(axis.name);
  add_attribute(dataset, "axes", Strings(axes), true);
  const std::size_t rank = axes.size();
  if (rank >= 1) add_labels(dataset, "column", description.axes[rank - 1]);
  if (rank >= 2) add_labels(dataset, "row", description.axes[rank - 2]);
  if (!description.unit.empty()) add_attribute(dataset, "unit", Strings({description.unit}), false);
}

// Writes elements one after another in C order, each run of them by as few blocks as it takes.
class Stream {
 public:
  Stream(hid_t dataset, hid_t type, const Shape& shape)
      : dataset_(dataset), type_(type), extents_(extents(shape)), strides_(shape.size(), 1) {
    for (std::size_t k = shape.size(); k-- > 1;) strides_[k - 1] = strides_[k] * extents_[k];
    size_ = shape.empty() ? 1 : strides_[0] * extents_[0];
  }

  void write(std::span<const std::byte> bytes) {
    const std::size_t element = H5Tget_size(type_);
    if (bytes.size() % element != 0 || bytes.size() / element > size_ - written_)
      throw std::logic_error("the pieces of an array do not fit its shape");
    while (!bytes.empty()) {
      const std::size_t count = write_block(bytes.data(), bytes.size() / element);
      bytes = bytes.subspan(count * element);
      written_ += count;
    }
  }

  bool is_complete() const { return written_ == size_; }

 private:
  // The largest block that begins here and has no more than `count` elements; returns how many.
  std::size_t write_block(const std::byte* bytes, hsize_t count) {
    const std::size_t rank = extents_.size();
    std::size_t axis = 0;
    while (written_ % strides_[axis] != 0 || count < strides_[axis]) ++axis;
    std::vector<hsize_t> start(rank), block(extents_);
    for (std::size_t k = 0; k < rank; ++k) start[k] = written_ / strides_[k] % extents_[k];
    for (std::size_t k = 0; k < axis; ++k) block[k] = 1;
    block[axis] = std::min(count / strides_[axis], extents_[axis] - start[axis]);
    const hsize_t written = block[axis] * strides_[axis];

    const Handle file(H5Dget_space(dataset_), H5Sclose, "describe an array");
    const Handle memory(H5Screate_simple(1, &written, nullptr), H5Sclose, "describe a piece");
    checked(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr),
            "select a piece");
    checked(H5Dwrite(dataset_, type_, memory, file, H5P_DEFAULT, bytes), "write a piece");
    return written;
  }

  hid_t dataset_, type_;
  std::vector<hsize_t> extents_, strides_;
  hsize_t size_ = 0;
  hsize_t written_ = 0;
};

}  // namespace

Strings::Strings(const std::vector<std::string>& values) : count(values.size()) {
  std::vector<std::string> valid;
  for (const std::string& value : values) {
    valid.push_back(to_utf8(from_utf8(value)));
    width = std::max(width, valid.back().size());
  }
  for (std::string& value : valid) {
    value.resize(width, '\0');
    text += value;
  }
}

hid_t Strings::type() const {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  H5Tset_cset(type, H5T_CSET_UTF8);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

void add_attribute(hid_t object, const char* name, const Strings& strings, bool is_list) {
  const Handle type(strings.type(), H5Tclose, "describe text");
  const hsize_t count = strings.count;
  const Handle space(is_list ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_SCALAR),
                     H5Sclose, "describe an attribute");
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  if (count > 0) checked(H5Awrite(attribute, type, strings.text.data()), "write an attribute");
}

void write_dataset(hid_t file, const std::string& name, const ArrayDescription& description,
                   hid_t type, const std::vector<std::span<const std::byte>>& pieces) {
  const Shape shape = description.shape();
  const Handle space(
      H5Screate_simple(static_cast<int>(shape.size()), extents(shape).data(), nullptr), H5Sclose,
      "describe an array");
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "describe an array");
  checked(H5Pset_obj_track_times(creation, 0), "leave out times");
  checked(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "leave out what is overwritten");
  const Handle dataset(
      H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
      "make an array");
  describe(dataset, description);
  Stream stream(dataset, type, shape);
  for (const auto& piece : pieces) stream.write(piece);
  if (!stream.is_complete()) throw std::logic_error("the array " + name + " lacks numbers");
}

}  // namespace gradus::results
