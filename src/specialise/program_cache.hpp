// Programs in the cache folder of the user, from one start to the next:
// $XDG_CACHE_HOME/gradus/kernels, or ~/.cache/gradus/kernels. An entry is a file that is put in its
// place as a whole: processes that write the same one at a time leave that of the last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "src/motion/specialised_steps.hpp"

namespace gradus::specialise {

// Where entries are; empty if nothing is kept: no such folder can be had, it belongs to somebody
// else or others may write to it, or GRADUS_KERNEL_CACHE is "off". It is made if that is asked for.
std::filesystem::path folder_of_programs(bool makes);

class ProgramCache {
 public:
  struct Entry {
    std::string programs;   // as StepPrograms write them
    std::string library;    // what was compiled
    bool has_news = false;  // whether they know ways that the library does not
  };

  // Of what is made for one setup by one compiler, on processors like this one.
  // All entries together have at most so many bytes: those that were used longest ago go.
  ProgramCache(const StepSetup& setup, const std::string& compiler,
               std::uintmax_t most_bytes = std::uintmax_t{256} << 20);

  // None if there is no such file, or one that is not as it was written.
  std::optional<Entry> load(int part) const;
  // Whatever keeps it from being written (a disk that is full, a folder that cannot be written to),
  // the programs have to be made again next time.
  void store(int part, const Entry& entry) const noexcept;
  void remove(int part) const noexcept;

  // Empty if nothing is kept.
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path file_of(int part) const;
  std::string sum_of(int part, std::string_view bytes) const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
  std::string key_;
};

}  // namespace gradus::specialise
