// HDF5 files are written by a module, through an AtomicFile.
#include "src/results/hdf5_file.hpp"

#include "gradus/error.hpp"
#include "src/results/hdf5/module.hpp"

namespace gradus::results {

bool has_hdf5() {
  return Module<Hdf5Module>::obstacle().empty();
}

void require_hdf5(const std::string& asked_by) {
  if (has_hdf5()) return;
  throw InputError(asked_by + ": HDF5 is not there (" + Module<Hdf5Module>::obstacle() +
                   "), leave it out, or " + Module<Hdf5Module>::hint());
}

std::unique_ptr<ArrayWriter> hdf5_writer(const std::filesystem::path& file) {
  require_hdf5(file.string());
  return Module<Hdf5Module>::functions().write(file.string(), std::make_unique<AtomicFile>(file));
}

}  // namespace gradus::results
