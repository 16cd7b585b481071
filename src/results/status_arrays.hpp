// How designs ended, and names with units, as arrays of a file.
#pragma once

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

}  // namespace gradus::results
