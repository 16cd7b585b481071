// Statuses and names <-> arrays, and the files of arrays.
#include "src/results/array_files.hpp"

#include <cstdint>
#include <map>

#include "gradus/error.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/npz.hpp"

namespace gradus::results {

void add_names(ArrayWriter& writer, const std::string& name, const std::vector<NamedUnit>& things) {
  std::vector<std::string> names, units;
  for (const NamedUnit& thing : things) {
    names.push_back(thing.name);
    units.push_back(thing.unit);
  }
  writer.add_strings(name + "_names", name, names);
  writer.add_strings(name + "_units", name, units);
}

// All strings of an array take the room of the longest, so each message stands there once.
void add_statuses(ArrayWriter& writer, const std::vector<DesignStatus>& statuses) {
  std::vector<std::int64_t> codes;
  std::vector<std::int64_t> indices;
  std::vector<std::string> messages{""};
  std::map<std::string, std::int64_t> known{{"", 0}};
  std::vector<double> times;
  for (const DesignStatus& status : statuses) {
    const auto [entry, is_new] =
        known.emplace(status.message, static_cast<std::int64_t>(messages.size()));
    if (is_new) messages.push_back(status.message);
    codes.push_back(status.ok ? 0 : 1);
    indices.push_back(entry->second);
    times.push_back(status.time);
  }
  writer.add_integers("status_codes", "design", codes);
  writer.add_integers("status_message_indices", "design", indices);
  writer.add_strings("status_messages", "message", messages);
  writer.add_numbers("status_times", {{{"design", times.size()}}, "s"}, times);
}

std::vector<DesignStatus> read_statuses(const NpzReader& reader) {
  const std::vector<double> codes = reader.at("status_codes").numbers();
  const std::vector<double> indices = reader.at("status_message_indices").numbers();
  const std::vector<double> times = reader.at("status_times").numbers();
  const std::vector<std::string> messages = reader.at("status_messages").strings();
  if (indices.size() != codes.size() || times.size() != codes.size())
    throw FileError("the statuses of designs do not fit together");
  std::vector<DesignStatus> statuses;
  for (std::size_t d = 0; d < codes.size(); ++d) {
    if (!(indices[d] >= 0.0 && indices[d] < static_cast<double>(messages.size())))
      throw FileError("the status of a design names a message that is not there");
    statuses.push_back({codes[d] == 0.0, times[d], messages[static_cast<std::size_t>(indices[d])]});
  }
  return statuses;
}

void write_arrays(const std::filesystem::path& stem, bool hdf5,
                  const std::function<void(ArrayWriter&)>& add_all) {
  NpzWriter npz(stem.string() + ".npz");
  add_all(npz);
  npz.finish();
  if (!hdf5) return;
  const std::unique_ptr<ArrayWriter> writer = hdf5_writer(stem.string() + ".h5");
  add_all(*writer);
  writer->finish();
}

}  // namespace gradus::results
