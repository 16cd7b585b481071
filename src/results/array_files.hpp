// One set of arrays in the formats that are asked for.
#pragma once

#include <filesystem>
#include <functional>

#include "src/results/array_writer.hpp"

namespace gradus::results {

// Writes STEM.npz and, with `hdf5`, STEM.h5. Throws FileError, and InputError as require_hdf5 does.
void write_arrays(const std::filesystem::path& stem, bool hdf5,
                  const std::function<void(ArrayWriter&)>& add_all);

}  // namespace gradus::results
