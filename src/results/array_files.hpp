// What files of arrays share: how designs ended, names with units, and the formats of files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gradus/result.hpp"
#include "src/results/array_writer.hpp"
#include "src/results/npz_reader.hpp"

namespace gradus::results {

// NAME_names and NAME_units
void add_names(ArrayWriter& writer, const std::string& name, const std::vector<NamedUnit>& things);

// status_codes, status_message_indices, status_messages, status_times
void add_statuses(ArrayWriter& writer, const std::vector<DesignStatus>& statuses);

// What add_statuses wrote. Throws FileError.
std::vector<DesignStatus> read_statuses(const NpzReader& reader);

// Writes STEM.npz and, with `hdf5`, STEM.h5. Throws FileError, and InputError as require_hdf5 does.
void write_arrays(const std::filesystem::path& stem, bool hdf5,
                  const std::function<void(ArrayWriter&)>& add_all);

}  // namespace gradus::results
