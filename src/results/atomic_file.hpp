// A file that is either complete or not there: written under a temporary name in the same folder,
// then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "src/results/sink.hpp"

namespace gradus::results {

// A file that formats may come back to: what was never written reads as zero. Members throw
// FileError.
class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  virtual std::uint64_t size() const = 0;  // bytes
  virtual void read_at(std::uint64_t offset, std::span<std::byte> bytes) const = 0;
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual void resize(std::uint64_t size) = 0;
  virtual void commit() = 0;  // puts the file in its place once all of it is on the disk
};

// Every member throws FileError, naming the final file and the reason. Dropped before `commit`, it
// leaves no trace and the file that was there before stays untouched.
class AtomicFile final : public RandomAccessFile {
 public:
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // At the end.
  void write(std::span<const std::byte> bytes) { write_at(size_, bytes); }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  std::uint64_t size() const override { return size_; }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override;
  void resize(std::uint64_t size) override;
  void commit() override;

 private:
  [[noreturn]] void fail() const;  // for the reason in errno
  template <class Bytes, class Transfer>
  Bytes transfer(std::uint64_t offset, Bytes bytes, const Transfer& part) const;

  std::filesystem::path file_;
  std::string temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// A whole file of this text. Throws FileError as AtomicFile does.
void write_file(const std::filesystem::path& file, std::string_view text);

// The same of a text that `pieces` hands over piece by piece.
void write_file(const std::filesystem::path& file,
                const std::function<void(const Sink& sink)>& pieces);

// Removes the temporaries of all files being written. For signal handlers: calls only what is
// allowed there.
void remove_unfinished_files() noexcept;

// Throws FileError unless `folder` is, or can be made, a folder that files can be written to.
void prepare_folder(const std::filesystem::path& folder);

// Removes a file if it is there. Throws FileError if it stays.
void remove_file(const std::filesystem::path& file);

}  // namespace gradus::results
