// ZIP archives of stored members, from their central directory. Every number in the file may be a
// lie: nothing is used before it was found to lie within the file.
#include "src/results/npz_reader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "gradus/error.hpp"
#include "src/results/crc32.hpp"
#include "src/results/zip_format.hpp"

namespace gradus::results {
namespace {

struct Member {
  std::string name;
  zip::DirectoryEntry entry;
  std::uint64_t stored_size = 0, size = 0, offset = 0;
};

// The archive as records and pieces at offsets, all of them checked.
class Archive {
 public:
  Archive(std::span<const std::byte> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError(file_ + ": " + problem);
  }
  std::vector<Member> members() const;
  std::span<const std::byte> content(const Member& member) const;

 private:
  std::span<const std::byte> piece(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      fail("is damaged (it refers to bytes beyond its end)");
    return bytes_.subspan(offset, size);
  }
  std::string text(std::uint64_t offset, std::uint64_t size) const {
    const std::span<const std::byte> bytes = piece(offset, size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  template <typename Record>
  Record at(std::uint64_t offset) const {
    Record record;
    std::memcpy(&record, piece(offset, sizeof record).data(), sizeof record);
    return record;
  }
  std::uint64_t find_end() const;
  void read_zip64(Member& member, std::uint64_t offset, std::uint64_t size) const;

  std::span<const std::byte> bytes_;
  const std::string& file_;
};

// The end record is the last thing in the file, but for its comment.
std::uint64_t Archive::find_end() const {
  constexpr std::size_t longest_comment = 0xFFFF;
  if (bytes_.size() >= sizeof(zip::End)) {
    const std::uint64_t last = bytes_.size() - sizeof(zip::End);
    const std::uint64_t first = last - std::min<std::uint64_t>(last, longest_comment);
    for (std::uint64_t offset = last + 1; offset-- > first;) {
      const auto end = at<zip::End>(offset);
      if (end.mark == zip::End::signature && end.comment_size == last - offset) return offset;
    }
  }
  fail("is no NPZ archive, or is cut short (its directory is missing)");
}

// Numbers that did not fit stand in a field of 64 bits each, in this order.
void Archive::read_zip64(Member& member, std::uint64_t offset, std::uint64_t size) const {
  const std::uint64_t end = offset + size;
  while (offset + sizeof(zip::ExtraField) <= end) {
    const auto head = at<zip::ExtraField>(offset);
    std::uint64_t field = offset + sizeof head;
    offset = field + head.size;
    if (offset > end) fail("is damaged (a field of its directory is too long)");
    if (head.mark != zip::zip64_extra_mark) continue;
    for (std::uint64_t* value : {&member.size, &member.stored_size, &member.offset}) {
      if (*value != zip::see_zip64) continue;
      if (field + sizeof *value > offset) fail("is damaged (a size is missing in its directory)");
      *value = at<std::uint64_t>(field);
      field += sizeof *value;
    }
  }
}

std::vector<Member> Archive::members() const {
  std::uint64_t directory_end = find_end();
  const auto end = at<zip::End>(directory_end);
  std::uint64_t count = end.count, size = end.directory_size, offset = end.directory_offset;
  if ((count == zip::see_zip64_count || size == zip::see_zip64 || offset == zip::see_zip64) &&
      directory_end >= sizeof(zip::Zip64Locator)) {
    const auto locator = at<zip::Zip64Locator>(directory_end - sizeof(zip::Zip64Locator));
    if (locator.mark == zip::Zip64Locator::signature) {
      const auto wide = at<zip::Zip64End>(locator.end_offset);
      if (wide.mark != zip::Zip64End::signature) fail("is damaged (its directory cannot be found)");
      count = wide.count;
      size = wide.directory_size;
      offset = wide.directory_offset;
      directory_end = locator.end_offset;
    }
  }
  if (offset > directory_end || size != directory_end - offset)
    fail("is damaged (its directory is not where its end says)");

  std::vector<Member> members;
  for (std::uint64_t i = 0; i < count; ++i) {
    constexpr std::uint64_t fixed = sizeof(zip::DirectoryEntry);
    zip::DirectoryEntry entry;
    if (directory_end - offset >= fixed) entry = at<zip::DirectoryEntry>(offset);
    if (directory_end - offset < fixed || entry.mark != zip::DirectoryEntry::signature)
      fail("is damaged (its directory has fewer members than it should)");
    const std::uint64_t entry_size =
        fixed + entry.name_size + entry.extra_size + entry.comment_size;
    if (entry_size > directory_end - offset) fail("is damaged (its directory is cut short)");
    Member member{text(offset + fixed, entry.name_size), entry, entry.stored_size, entry.size,
                  entry.offset};
    read_zip64(member, offset + fixed + entry.name_size, entry.extra_size);
    members.push_back(member);
    offset += entry_size;
  }
  if (offset != directory_end) fail("is damaged (its directory has more members than it should)");
  return members;
}

std::span<const std::byte> Archive::content(const Member& member) const {
  const std::string where = "member '" + member.name + "'";
  if (member.entry.method != zip::stored)
    fail(where + " is compressed; allowed: what numpy.savez writes, not savez_compressed");
  if ((member.entry.flags & zip::encrypted) != 0) fail(where + " is encrypted");
  if (member.stored_size != member.size) fail(where + " is damaged (it has two sizes)");
  const auto header = at<zip::LocalHeader>(member.offset);
  if (header.mark != zip::LocalHeader::signature)
    fail(where + " is damaged (it is not where the directory says)");
  const std::uint64_t name = member.offset + sizeof header;
  if (text(name, header.name_size) != member.name) fail(where + " is damaged (it has two names)");
  return piece(name + header.name_size + header.extra_size, member.size);
}

[[noreturn]] void fail_to_read(const std::filesystem::path& file, int error_number) {
  throw FileError(file.string() + ": cannot be read (" + std::strerror(error_number) + ")");
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  // A pipe would wait for its other end.
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail_to_read(file, errno);
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
  if (error_number != 0) fail_to_read(file, error_number);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

NpzReader::NpzReader(const std::filesystem::path& file) : file_name_(file.string()), file_(file) {
  const Archive archive(file_.bytes(), file_name_);
  std::uint64_t total = 0;
  for (const Member& member : archive.members()) {
    const std::span<const std::byte> content = archive.content(member);
    // Members that share bytes would have a small file read again and again.
    if (content.size() > file_.bytes().size() - total)
      archive.fail("is damaged (its members overlap)");
    total += content.size();
    if (crc32(content) != member.entry.checksum)
      archive.fail("member '" + member.name + "' is damaged (its checksum is wrong)");
    std::string name = member.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    const std::string where = file_name_ + ": array '" + name + "'";
    if (!arrays_.emplace(name, read_npy(content, where)).second)
      archive.fail("has two arrays called '" + name + "'");
  }
}

const ArrayView& NpzReader::at(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found != arrays_.end()) return found->second;
  std::string names;
  for (const auto& [other, array] : arrays_) names += (names.empty() ? "" : ", ") + other;
  throw FileError(file_name_ + ": has no array '" + name + "' (there are: " + names + ")");
}

}  // namespace gradus::results
