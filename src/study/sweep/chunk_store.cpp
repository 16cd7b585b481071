// Chunks as NPZ files named after their designs.
#include "src/study/sweep/chunk_store.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "gradus/error.hpp"
#include "src/results/array_files.hpp"
#include "src/results/npz.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

std::string name_of(const DesignRange& range) {
  return "chunk-" + std::to_string(range.first) + "-" + std::to_string(range.count) + ".npz";
}

std::optional<DesignRange> range_of(const std::string& name) {
  DesignRange range;
  std::sscanf(name.c_str(), "chunk-%zu-%zu", &range.first, &range.count);
  if (range.count == 0 || name != name_of(range)) return std::nullopt;
  return range;
}

void add_numbers(results::NpzWriter& writer, const char* name, const std::vector<double>& values) {
  writer.add(name, results::npy_numbers({values.size()}, values));
}

void write_chunk(const fs::path& file, const Chunk& chunk) {
  results::NpzWriter writer(file);
  add_numbers(writer, "parameter_values", chunk.parameter_values);
  add_numbers(writer, "objective_values", chunk.objective_values);
  add_numbers(writer, "gradient", chunk.gradient);
  add_numbers(writer, "sensors", chunk.sensors);
  add_numbers(writer, "time", chunk.time);
  add_numbers(writer, "constraint_violation", chunk.violation);
  add_numbers(writer, "singular_passage", chunk.passage);
  add_numbers(writer, "splines_extrapolated", chunk.splines_extrapolated);
  add_numbers(writer, "switched", chunk.switched);
  results::add_statuses(writer, chunk.status);
  writer.finish();
}

StoredChunk read_chunk(const fs::path& file, const DesignRange& range) {
  StoredChunk chunk;
  chunk.file.emplace(file);
  const results::NpzReader& arrays = *chunk.file;
  chunk.content.range = range;
  chunk.content.parameter_values = arrays.at("parameter_values").numbers();
  chunk.content.objective_values = arrays.at("objective_values").numbers();
  chunk.content.time = arrays.at("time").numbers();
  chunk.content.violation = arrays.at("constraint_violation").numbers();
  chunk.content.passage = arrays.at("singular_passage").numbers();
  chunk.content.splines_extrapolated = arrays.at("splines_extrapolated").numbers();
  chunk.content.switched = arrays.at("switched").numbers();
  chunk.content.status = results::read_statuses(arrays);
  chunk.gradient = arrays.at("gradient").bytes;
  chunk.sensors = arrays.at("sensors").bytes;
  if (chunk.content.status.size() != range.count)
    throw FileError("cannot use " + file.string() + " (it does not hold the designs of its name)");
  return chunk;
}

StoredChunk view_of(const Chunk& chunk) {
  StoredChunk view;
  view.content = chunk;
  view.gradient = std::as_bytes(std::span(chunk.gradient));
  view.sensors = std::as_bytes(std::span(chunk.sensors));
  return view;
}

}  // namespace

ChunkStore::ChunkStore(fs::path folder) : folder_(std::move(folder)) {
  look_again();
}

void ChunkStore::look_again() {
  if (folder_.empty()) return;
  std::map<std::size_t, DesignRange> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const std::optional<DesignRange> range = range_of(entry.path().filename().string());
    if (range && (found.count(range->first) == 0 || found[range->first].count < range->count))
      found[range->first] = *range;
  }
  if (error) throw FileError("cannot read " + folder_.string() + " (" + error.message() + ")");
  ranges_.clear();
  std::size_t end = 0;
  for (const auto& [first, range] : found) {
    if (first < end) continue;  // part of another one: two runs wrote here
    ranges_[first] = range;
    end = first + range.count;
  }
}

std::vector<DesignRange> ChunkStore::missing(std::size_t designs) const {
  std::vector<DesignRange> gaps;
  std::size_t next = 0;
  for (const auto& [first, range] : ranges_) {
    if (first > next) gaps.push_back({next, std::min(first, designs) - next});
    next = std::max(next, first + range.count);
    if (next >= designs) return gaps;
  }
  gaps.push_back({next, designs - next});
  return gaps;
}

fs::path ChunkStore::file_of(const DesignRange& range) const {
  return folder_ / name_of(range);
}

void ChunkStore::add(Chunk chunk) {
  const DesignRange range = chunk.range;
  if (folder_.empty())
    memory_[range.first] = std::move(chunk);
  else
    write_chunk(file_of(range), chunk);
  ranges_[range.first] = range;
}

void ChunkStore::verify(const std::function<void(const std::string&)>& damaged) {
  if (folder_.empty()) return;
  for (auto entry = ranges_.begin(); entry != ranges_.end();) {
    const fs::path file = file_of(entry->second);
    const results::MappedFile readable(file);  // if this throws, the file is not at fault
    try {
      read_chunk(file, entry->second);
      ++entry;
    } catch (const FileError& error) {
      damaged(error.what());
      results::remove_file(file);
      entry = ranges_.erase(entry);
    }
  }
}

void ChunkStore::compact(std::size_t most) {
  if (folder_.empty() || ranges_.size() <= most) return;
  const std::size_t group = (ranges_.size() + most - 1) / most;
  std::vector<std::vector<DesignRange>> groups;
  for (const auto& [first, range] : ranges_) {
    const bool goes_on = !groups.empty() && groups.back().size() < group &&
                         groups.back().back().first + groups.back().back().count == first;
    if (!goes_on) groups.emplace_back();
    groups.back().push_back(range);
  }
  for (const std::vector<DesignRange>& neighbours : groups)
    if (neighbours.size() > 1) join(neighbours);
}

// The joint chunk is written before its parts are removed; until then it hides them.
void ChunkStore::join(const std::vector<DesignRange>& neighbours) {
  Chunk whole;
  whole.range = {neighbours.front().first, 0};
  for (const DesignRange& range : neighbours) {
    const StoredChunk part = read_chunk(file_of(range), range);
    append(part.content.parameter_values, whole.parameter_values);
    append(part.content.objective_values, whole.objective_values);
    append(part.file->at("gradient").numbers(), whole.gradient);
    append(part.file->at("sensors").numbers(), whole.sensors);
    append(part.content.violation, whole.violation);
    append(part.content.passage, whole.passage);
    append(part.content.splines_extrapolated, whole.splines_extrapolated);
    append(part.content.switched, whole.switched);
    whole.time = part.content.time;
    whole.status.insert(whole.status.end(), part.content.status.begin(), part.content.status.end());
    whole.range.count += range.count;
  }
  add(std::move(whole));
  for (const DesignRange& range : neighbours) {
    results::remove_file(file_of(range));
    if (range.first != neighbours.front().first) ranges_.erase(range.first);
  }
}

std::vector<StoredChunk> ChunkStore::load() const {
  std::vector<StoredChunk> chunks;
  for (const auto& [first, chunk] : memory_) chunks.push_back(view_of(chunk));
  if (!folder_.empty())
    for (const auto& [first, range] : ranges_) chunks.push_back(read_chunk(file_of(range), range));
  return chunks;
}

std::vector<DesignRange> cut(const std::vector<DesignRange>& ranges, std::size_t size) {
  std::vector<DesignRange> pieces;
  for (const DesignRange& range : ranges)
    for (std::size_t at = 0; at < range.count; at += size)
      pieces.push_back({range.first + at, std::min(size, range.count - at)});
  return pieces;
}

}  // namespace gradus
