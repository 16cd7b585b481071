// Files in memory: mmap, so that arrays larger than the memory can be looked at.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "gradus/error.hpp"
#include "src/results/npz_reader.hpp"

namespace gradus::results {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int error_number) {
  throw FileError(file.string() + ": cannot be read (" + std::strerror(error_number) + ")");
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  // A pipe would wait for its other end.
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(file, errno);
  struct stat status {};
  int error_number = fstat(descriptor, &status) != 0 ? errno : 0;
  if (error_number == 0 && !S_ISREG(status.st_mode))
    error_number = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  if (error_number == 0 && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) {
      error_number = errno;
    } else {
      data_ = static_cast<const std::byte*>(data);
      size_ = size;
    }
  }
  close(descriptor);
  if (error_number != 0) fail(file, error_number);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

}  // namespace gradus::results
