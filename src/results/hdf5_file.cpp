// The file as a whole, and what becomes of its errors.
#include "src/results/hdf5_file.hpp"

#include "gradus/error.hpp"

#if GRADUS_WITH_HDF5

#include <exception>
#include <utility>

#include "gradus/run.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/hdf5_dataset.hpp"
#include "src/results/hdf5_driver.hpp"

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

}  // namespace

struct Hdf5Writer::Content {
  explicit Content(const std::filesystem::path& name)
      : path(name), file(name), sink(std::make_shared<Hdf5Sink>()) {
    sink->file = &file;
  }
  ~Content() {
    const Silence silence;
    if (id >= 0) H5Fclose(id);
    sink->file = nullptr;
  }

  // Runs what calls HDF5. The disk's own error says more than what it leads to.
  template <class Action>
  void run(const Action& action) {
    const Silence silence;
    try {
      action();
    } catch (const FileError& error) {
      if (!sink->failure)
        throw FileError("cannot write " + path.string() + " (" + error.what() + ")");
    }
    if (sink->failure) std::rethrow_exception(sink->failure);
  }

  std::filesystem::path path;
  AtomicFile file;
  std::shared_ptr<Hdf5Sink> sink;
  hid_t id = -1;
};

bool has_hdf5() {
  return true;
}

void require_hdf5(const std::string&) {}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file)
    : content_(std::make_unique<Content>(file)) {
  content_->run([&] {
    content_->id = make_file(file.string(), content_->sink);
    add_attribute(content_->id, "gradus_version", Strings({version()}), false);
  });
}

Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::add_pieces(const std::string& name, const ArrayDescription& description,
                            const std::vector<std::span<const std::byte>>& pieces) {
  content_->run([&] { write_dataset(content_->id, name, description, H5T_IEEE_F64LE, pieces); });
}

void Hdf5Writer::add_integers(const std::string& name, const std::string& axis,
                              const std::vector<std::int64_t>& values) {
  content_->run([&] {
    write_dataset(content_->id, name, {{{axis, values.size()}}}, H5T_STD_I64LE,
                  {std::as_bytes(std::span(values))});
  });
}

void Hdf5Writer::add_strings(const std::string& name, const std::string& axis,
                             const std::vector<std::string>& values) {
  content_->run([&] {
    const Strings strings(values);
    const Handle type(strings.type(), H5Tclose, "describe text");
    write_dataset(content_->id, name, {{{axis, values.size()}}}, type,
                  {std::as_bytes(std::span(strings.text))});
  });
}

void Hdf5Writer::finish() {
  content_->run([&] { checked(H5Fclose(std::exchange(content_->id, -1)), "end the file"); });
  content_->file.commit();
}

}  // namespace gradus::results

#else

namespace gradus::results {

struct Hdf5Writer::Content {};

bool has_hdf5() {
  return false;
}

void require_hdf5(const std::string& asked_by) {
  throw InputError(asked_by +
                   ": this gradus was built without HDF5 (GRADUS_HDF5), leave it out, or install "
                   "HDF5 (Debian: libhdf5-dev) and build gradus again");
}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file) {
  require_hdf5(file.string());
}
Hdf5Writer::~Hdf5Writer() = default;
void Hdf5Writer::add_pieces(const std::string&, const ArrayDescription&,
                            const std::vector<std::span<const std::byte>>&) {}
void Hdf5Writer::add_integers(const std::string&, const std::string&,
                              const std::vector<std::int64_t>&) {}
void Hdf5Writer::add_strings(const std::string&, const std::string&,
                             const std::vector<std::string>&) {}
void Hdf5Writer::finish() {}

}  // namespace gradus::results

#endif
