// HDF5 files are written by a module, through an AtomicFile.
#include "src/results/hdf5_file.hpp"

#include "gradus/error.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/hdf5/module.hpp"

namespace gradus::results {

struct Hdf5Writer::Content final : Hdf5Disk {
  explicit Content(const std::filesystem::path& name) : file(name) {}

  std::uint64_t size() const override { return file.size(); }
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override {
    file.read_at(offset, bytes);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    file.write_at(offset, bytes);
  }
  void resize(std::uint64_t size) override { file.resize(size); }

  AtomicFile file;
  std::unique_ptr<ArrayWriter> writer;
};

bool has_hdf5() {
  return Module<Hdf5Module>::obstacle().empty();
}

void require_hdf5(const std::string& asked_by) {
  if (has_hdf5()) return;
  throw InputError(asked_by + ": HDF5 is not there (" + Module<Hdf5Module>::obstacle() +
                   "), leave it out, or install HDF5 (Debian: libhdf5-dev) and build gradus again");
}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file) {
  require_hdf5(file.string());
  content_ = std::make_unique<Content>(file);
  content_->writer.reset(Module<Hdf5Module>::functions().write(file.string(), *content_));
}

Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::add_pieces(const std::string& name, const ArrayDescription& description,
                            const std::vector<std::span<const std::byte>>& pieces) {
  content_->writer->add_pieces(name, description, pieces);
}

void Hdf5Writer::add_integers(const std::string& name, const std::string& axis,
                              const std::vector<std::int64_t>& values) {
  content_->writer->add_integers(name, axis, values);
}

void Hdf5Writer::add_strings(const std::string& name, const std::string& axis,
                             const std::vector<std::string>& values) {
  content_->writer->add_strings(name, axis, values);
}

void Hdf5Writer::finish() {
  content_->writer->finish();
  content_->file.commit();
}

}  // namespace gradus::results
