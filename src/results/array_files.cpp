// The same calls for every format.
#include "src/results/array_files.hpp"

#include "src/results/hdf5_file.hpp"
#include "src/results/npz.hpp"

namespace gradus::results {

void write_arrays(const std::filesystem::path& stem, bool hdf5,
                  const std::function<void(ArrayWriter&)>& add_all) {
  NpzWriter npz(stem.string() + ".npz");
  add_all(npz);
  npz.finish();
  if (!hdf5) return;
  Hdf5Writer writer(stem.string() + ".h5");
  add_all(writer);
  writer.finish();
}

}  // namespace gradus::results
