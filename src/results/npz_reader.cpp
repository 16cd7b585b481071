// ZIP archives of stored members, from their central directory. Every number in the file may be a
// lie: nothing is used before it was found to lie within the file.
#include "src/results/npz_reader.hpp"

#include <algorithm>
#include <optional>

#include "gradus/error.hpp"
#include "src/results/crc32.hpp"

namespace gradus::results {
namespace {

constexpr std::uint64_t local_header_mark = 0x04034B50;
constexpr std::uint64_t directory_mark = 0x02014B50;
constexpr std::uint64_t end_mark = 0x06054B50;
constexpr std::uint64_t zip64_end_mark = 0x06064B50;
constexpr std::uint64_t zip64_locator_mark = 0x07064B50;
constexpr std::uint64_t zip64_extra_mark = 0x0001;
constexpr std::uint64_t see_zip64 = 0xFFFFFFFF;
constexpr std::uint64_t see_zip64_count = 0xFFFF;
constexpr std::size_t end_size = 22;
constexpr std::size_t locator_size = 20;

struct Member {
  std::string name;
  std::uint64_t flags = 0, method = 0, checksum = 0, stored_size = 0, size = 0, offset = 0;
};

// The archive as numbers and pieces at offsets, all of them checked.
class Archive {
 public:
  Archive(std::span<const std::byte> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError(file_ + ": " + problem);
  }
  std::span<const std::byte> piece(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      fail("is damaged (it refers to bytes beyond its end)");
    return bytes_.subspan(offset, size);
  }
  std::uint64_t number(std::uint64_t offset, std::size_t size) const {
    const std::span<const std::byte> bytes = piece(offset, size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
      value = (value << 8) | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
  }
  std::uint64_t u16(std::uint64_t offset) const { return number(offset, 2); }
  std::uint64_t u32(std::uint64_t offset) const { return number(offset, 4); }
  std::uint64_t u64(std::uint64_t offset) const { return number(offset, 8); }
  std::string text(std::uint64_t offset, std::uint64_t size) const {
    const std::span<const std::byte> bytes = piece(offset, size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::vector<Member> members() const;
  std::span<const std::byte> content(const Member& member) const;

 private:
  std::uint64_t find_end() const;
  void read_zip64(Member& member, std::uint64_t offset, std::uint64_t size) const;

  std::span<const std::byte> bytes_;
  const std::string& file_;
};

// The end record is the last thing in the file, but for its comment.
std::uint64_t Archive::find_end() const {
  constexpr std::size_t longest_comment = 0xFFFF;
  if (bytes_.size() >= end_size) {
    const std::uint64_t last = bytes_.size() - end_size;
    const std::uint64_t first = last - std::min<std::uint64_t>(last, longest_comment);
    for (std::uint64_t offset = last + 1; offset-- > first;)
      if (u32(offset) == end_mark && u16(offset + 20) == last - offset) return offset;
  }
  fail("is no NPZ archive, or is cut short (its directory is missing)");
}

// Numbers that did not fit stand in a field of 64 bits each, in this order.
void Archive::read_zip64(Member& member, std::uint64_t offset, std::uint64_t size) const {
  const std::uint64_t end = offset + size;
  while (offset + 4 <= end) {
    const std::uint64_t mark = u16(offset);
    std::uint64_t field = offset + 4;
    const std::uint64_t field_end = field + u16(offset + 2);
    if (field_end > end) fail("is damaged (a field of its directory is too long)");
    if (mark == zip64_extra_mark)
      for (std::uint64_t* value : {&member.size, &member.stored_size, &member.offset}) {
        if (*value != see_zip64) continue;
        if (field + 8 > field_end) fail("is damaged (a size is missing in its directory)");
        *value = u64(field);
        field += 8;
      }
    offset = field_end;
  }
}

std::vector<Member> Archive::members() const {
  const std::uint64_t end = find_end();
  std::uint64_t count = u16(end + 10), size = u32(end + 12), offset = u32(end + 16);
  std::uint64_t directory_end = end;
  if (count == see_zip64_count || size == see_zip64 || offset == see_zip64)
    if (end >= locator_size && u32(end - locator_size) == zip64_locator_mark) {
      const std::uint64_t record = u64(end - locator_size + 8);
      if (u32(record) != zip64_end_mark) fail("is damaged (its directory cannot be found)");
      count = u64(record + 32);
      size = u64(record + 40);
      offset = u64(record + 48);
      directory_end = record;
    }
  if (offset > directory_end || size != directory_end - offset)
    fail("is damaged (its directory is not where its end says)");

  std::vector<Member> members;
  for (std::uint64_t i = 0; i < count; ++i) {
    constexpr std::uint64_t fixed = 46;
    if (directory_end - offset < fixed || u32(offset) != directory_mark)
      fail("is damaged (its directory has fewer members than it should)");
    Member member{"",
                  u16(offset + 8),
                  u16(offset + 10),
                  u32(offset + 16),
                  u32(offset + 20),
                  u32(offset + 24),
                  u32(offset + 42)};
    const std::uint64_t name_size = u16(offset + 28), extra_size = u16(offset + 30);
    const std::uint64_t entry_size = fixed + name_size + extra_size + u16(offset + 32);
    if (entry_size > directory_end - offset) fail("is damaged (its directory is cut short)");
    member.name = text(offset + fixed, name_size);
    read_zip64(member, offset + fixed + name_size, extra_size);
    members.push_back(member);
    offset += entry_size;
  }
  if (offset != directory_end) fail("is damaged (its directory has more members than it should)");
  return members;
}

std::span<const std::byte> Archive::content(const Member& member) const {
  constexpr std::uint64_t encrypted = 1;
  const std::string where = "member '" + member.name + "'";
  if (member.method != 0)
    fail(where + " is compressed; allowed: what numpy.savez writes, not savez_compressed");
  if ((member.flags & encrypted) != 0) fail(where + " is encrypted");
  if (member.stored_size != member.size) fail(where + " is damaged (it has two sizes)");
  if (piece(member.offset, 30).empty() || u32(member.offset) != local_header_mark)
    fail(where + " is damaged (it is not where the directory says)");
  const std::uint64_t name_size = u16(member.offset + 26), extra_size = u16(member.offset + 28);
  if (text(member.offset + 30, name_size) != member.name)
    fail(where + " is damaged (it has two names)");
  return piece(member.offset + 30 + name_size + extra_size, member.size);
}

}  // namespace

NpzReader::NpzReader(const std::filesystem::path& file) : file_name_(file.string()), file_(file) {
  const Archive archive(file_.bytes(), file_name_);
  std::uint64_t total = 0;
  for (const Member& member : archive.members()) {
    const std::span<const std::byte> content = archive.content(member);
    // Members that share bytes would have a small file read again and again.
    if (content.size() > file_.bytes().size() - total)
      archive.fail("is damaged (its members overlap)");
    total += content.size();
    if (crc32(content) != member.checksum)
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
