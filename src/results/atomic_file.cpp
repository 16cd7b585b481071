// AtomicFile on POSIX descriptors: streams would hide the reason of a failed write and cannot be
// flushed to the disk.
#include "src/results/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "gradus/error.hpp"

namespace gradus::results {
namespace {

// Names of the temporaries that exist now, for the signal handler. A file that finds no free place
// is only not cleaned up after a signal.
std::array<std::atomic<const char*>, 8> unfinished_names{};
static_assert(std::atomic<const char*>::is_always_lock_free);

// Puts a name in the place of another; null stands for a free place.
void replace_name(const char* name, const char* replacement) {
  for (auto& place : unfinished_names)
    if (const char* expected = name; place.compare_exchange_strong(expected, replacement)) return;
}

// A single call writes at most 2 GiB on Linux; smaller pieces keep loops honest everywhere.
constexpr std::size_t largest_piece = std::size_t{1} << 30;

// Temporaries are hidden and carry the process and a running number, so no two writers meet.
std::string temporary_name(const std::filesystem::path& file) {
  static std::atomic<unsigned> counter{0};
  const std::string number = std::to_string(getpid()) + "-" + std::to_string(counter++);
  return file.parent_path() / ("." + file.filename().string() + "." + number + ".part");
}

// Makes the new name itself durable. Not every file system allows it, so failure is no error.
void flush_folder(const std::filesystem::path& file) {
  const std::filesystem::path parent = file.parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path file)
    : file_(std::move(file)), temporary_(temporary_name(file_)) {
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  replace_name(nullptr, temporary_.c_str());
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
  replace_name(temporary_.c_str(), nullptr);
}

// Moves bytes part by part; returns those that the file does not have.
template <class Bytes, class Transfer>
Bytes AtomicFile::transfer(std::uint64_t offset, Bytes bytes, const Transfer& part) const {
  while (!bytes.empty()) {
    const ssize_t moved = part(descriptor_, bytes.data(), std::min(bytes.size(), largest_piece),
                               static_cast<off_t>(offset));
    if (moved < 0 && errno != EINTR) fail();
    if (moved == 0) break;
    if (moved < 0) continue;
    bytes = bytes.subspan(static_cast<std::size_t>(moved));
    offset += static_cast<std::uint64_t>(moved);
  }
  return bytes;
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!transfer(offset, bytes, pwrite).empty()) {
    errno = ENOSPC;  // a write of nothing says no reason
    fail();
  }
  size_ = std::max(size_, offset + bytes.size());
}

void AtomicFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  std::ranges::fill(transfer(offset, bytes, pread), std::byte{0});
}

void AtomicFile::resize(std::uint64_t size) {
  while (ftruncate(descriptor_, static_cast<off_t>(size)) != 0)
    if (errno != EINTR) fail();
  size_ = size;
}

void AtomicFile::commit() {
  // Without the flush a full or failing disk may show only after the rename, on a file that looks
  // complete.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail();
  if (rename(temporary_.c_str(), file_.c_str()) != 0) fail();
  replace_name(temporary_.c_str(), nullptr);
  close(std::exchange(descriptor_, -1));  // after the flush nothing is left that could fail
  flush_folder(file_);
}

void AtomicFile::fail() const {
  throw FileError("cannot write " + file_.string() + " (" + std::strerror(errno) + ")");
}

void write_file(const std::filesystem::path& file, std::string_view text) {
  AtomicFile out(file);
  out.write(text);
  out.commit();
}

void write_file(const std::filesystem::path& file,
                const std::function<void(const Sink& sink)>& pieces) {
  AtomicFile out(file);
  pieces([&out](std::string_view piece) { out.write(piece); });
  out.commit();
}

void remove_unfinished_files() noexcept {
  for (auto& place : unfinished_names) {
    if (const char* name = place.exchange(nullptr)) unlink(name);
  }
}

void prepare_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  // Asked separately: libstdc++ reports no error where the name is taken by a file.
  std::error_code unused;
  if (!error && !std::filesystem::is_directory(folder, unused))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw FileError("cannot create the folder " + folder.string() + " (" + error.message() + ")");
  const AtomicFile probe(folder / "probe");  // removed again by its destructor
}

void remove_file(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error) throw FileError("cannot replace " + file.string() + " (" + error.message() + ")");
}

}  // namespace gradus::results
