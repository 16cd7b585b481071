// The module of HDF5: the file as a whole, and what becomes of its errors.
#include "src/results/hdf5/module.hpp"

#include <exception>
#include <utility>

#include "gradus/error.hpp"
#include "src/results/hdf5/dataset.hpp"
#include "src/results/hdf5/driver.hpp"

namespace gradus::results {
namespace {

// HDF5 prints errors unless told not to. What the program around wants is put back.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// No times, and a format that does not depend on what HDF5 could do: equal arrays give equal bytes.
hid_t make_file(const std::string& name, const std::shared_ptr<Hdf5Sink>& sink) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "describe a file");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "describe a file");
  checked(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "fix its format");
  checked(H5Pset_obj_track_times(creation, 0), "leave out times");
  if (!use_sink(access, sink)) throw FileError("HDF5 could not use a driver of its own");
  return checked(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), "begin a file");
}

// A file that is closed whatever happens. What is not written by then is dropped.
struct OpenFile {
  OpenFile() = default;
  ~OpenFile() {
    const Silence silence;
    if (id >= 0) H5Fclose(id);
    sink->disk = nullptr;
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::shared_ptr<Hdf5Sink> sink = std::make_shared<Hdf5Sink>();
  hid_t id = -1;
};

class Writer : public ArrayWriter {
 public:
  Writer(const std::string& name, std::unique_ptr<RandomAccessFile> disk)
      : name_(name), disk_(std::move(disk)) {
    file_.sink->disk = disk_.get();
    run([&] {
      file_.id = make_file(name_, file_.sink);
      add_attribute(file_.id, "gradus_version", Strings({GRADUS_VERSION}), false);
    });
  }

  void add_pieces(const std::string& name, const ArrayDescription& description,
                  const std::vector<std::span<const std::byte>>& pieces) override {
    run([&] { write_dataset(file_.id, name, description, H5T_IEEE_F64LE, pieces); });
  }

  void add_integers(const std::string& name, const std::string& axis,
                    const std::vector<std::int64_t>& values) override {
    run([&] {
      write_dataset(file_.id, name, {{{axis, values.size()}}}, H5T_STD_I64LE,
                    {std::as_bytes(std::span(values))});
    });
  }

  void add_strings(const std::string& name, const std::string& axis,
                   const std::vector<std::string>& values) override {
    run([&] {
      const Strings strings(values);
      const Handle type(strings.type(), H5Tclose, "describe text");
      write_dataset(file_.id, name, {{{axis, values.size()}}}, type,
                    {std::as_bytes(std::span(strings.text))});
    });
  }

  void finish() override {
    run([&] { checked(H5Fclose(std::exchange(file_.id, -1)), "end the file"); });
    disk_->commit();
  }

 private:
  // Runs what calls HDF5. The disk's own error says more than what it leads to.
  template <class Action>
  void run(const Action& action) {
    const Silence silence;
    try {
      action();
    } catch (const FileError& error) {
      if (!file_.sink->failure)
        throw FileError("cannot write " + name_ + " (" + error.what() + ")");
    }
    if (file_.sink->failure) std::rethrow_exception(file_.sink->failure);
  }

  std::string name_;
  std::unique_ptr<RandomAccessFile> disk_;
  OpenFile file_;
};

constexpr Hdf5Module functions{
    [](const std::string& name,
       std::unique_ptr<RandomAccessFile> disk) -> std::unique_ptr<ArrayWriter> {
      return std::make_unique<Writer>(name, std::move(disk));
    }};

}  // namespace
}  // namespace gradus::results

extern "C" gradus::ModuleEntry gradus_module() {
  using gradus::results::Hdf5Module;
  return {GRADUS_VERSION, Hdf5Module::interface, &gradus::results::functions};
}
