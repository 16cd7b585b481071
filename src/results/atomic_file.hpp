// A file that is either complete or not there: written under a temporary name in the same folder,
// then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace gradus::results {

// Every member throws FileError, naming the final file and the reason. Dropped before `commit`, it
// leaves no trace and the file that was there before stays untouched.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  std::uint64_t size() const { return size_; }  // bytes written so far

  // For formats that come back to what they have written; not to be mixed with `write`. What was
  // never written reads as zero.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  void resize(std::uint64_t size);

  // Puts the file in its place once all of it is on the disk.
  void commit();

 private:
  [[noreturn]] void fail(int error_number) const;

  std::filesystem::path file_;
  std::string temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// A whole file of this text. Throws FileError as AtomicFile does.
void write_file(const std::filesystem::path& file, std::string_view text);

// Removes the temporaries of all files being written. For signal handlers: calls only what is
// allowed there.
void remove_unfinished_files() noexcept;

// Throws FileError unless `folder` is, or can be made, a folder that files can be written to.
void prepare_folder(const std::filesystem::path& folder);

// Removes a file if it is there. Throws FileError if it stays.
void remove_file(const std::filesystem::path& file);

}  // namespace gradus::results
