// Chunks of a sweep that have been run: files that are whole or not there, or memory where there is
// no folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "gradus/result.hpp"
#include "src/results/npz_reader.hpp"

namespace gradus {

// Designs first to first + count - 1.
struct DesignRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct Chunk {
  DesignRange range;
  std::vector<double> parameter_values;      // [count, n_parameter]
  std::vector<double> objective_values;      // [count, n_objective]
  std::vector<double> gradient;              // [count, n_objective, n_parameter], may be empty
  std::vector<double> sensors;               // [count, n_time, n_component], may be empty
  std::vector<double> time;                  // [n_time], may be empty
  std::vector<DesignStatus> status;          // [count]
  std::vector<double> violation;             // [count, 3] of constraints
  std::vector<double> passage;               // [count] s, through singular configurations
  std::vector<double> splines_extrapolated;  // [count] as of SweepResult
  std::vector<double> switched;              // [count] as of Result
};

inline void append(const std::vector<double>& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

// A chunk that is kept. Its largest arrays stay where they are, on disk perhaps.
struct StoredChunk {
  Chunk content;                        // gradient and sensors only if kept in memory
  std::span<const std::byte> gradient;  // of numbers, at any address
  std::span<const std::byte> sensors;
  std::optional<results::NpzReader> file;  // what the above point into
};

class ChunkStore {
 public:
  // Finds the chunks that the folder holds. Throws FileError.
  explicit ChunkStore(std::filesystem::path folder);

  // Designs below `designs` that no chunk holds, in order.
  std::vector<DesignRange> missing(std::size_t designs) const;

  // Keeps a chunk; it is on disk when this returns. Throws FileError, and what was there is left.
  void add(Chunk chunk);

  // Looks again for what other processes have written.
  void look_again();

  // Removes the files that are damaged, and tells of each: their designs are missing then. Throws
  // FileError for files that cannot be read at all, which may be whole.
  void verify(const std::function<void(const std::string&)>& damaged);

  // Joins neighbouring chunks until there are `most` files at most. Every file takes a mapping of
  // memory when all are loaded, of which systems give a limited number.
  void compact(std::size_t most);

  // The chunks in the order of their designs.
  std::vector<StoredChunk> load() const;

 private:
  std::filesystem::path file_of(const DesignRange& range) const;
  void join(const std::vector<DesignRange>& neighbours);

  std::filesystem::path folder_;
  std::map<std::size_t, DesignRange> ranges_;  // by first design; they do not overlap
  std::map<std::size_t, Chunk> memory_;
};

// Ranges of at most `size` designs each.
std::vector<DesignRange> cut(const std::vector<DesignRange>& ranges, std::size_t size);

}  // namespace gradus
