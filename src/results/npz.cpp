// Writes ZIP archives front to back: the checksum of a member is known before its header is
// written, so nothing is changed afterwards.
#include "src/results/npz.hpp"

#include <type_traits>

#include "src/results/crc32.hpp"
#include "src/results/zip_format.hpp"

namespace gradus::results {
namespace {

template <typename Value>
std::string bytes_of(const Value& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Numbers from the limit on, which a record holds in a field behind its name, in the order of the
// calls.
class LargeNumbers {
 public:
  explicit LargeNumbers(std::uint64_t limit) : limit_(limit) {}

  std::uint32_t narrow(std::uint64_t value) {
    if (value < limit_) return static_cast<std::uint32_t>(value);
    numbers_ += bytes_of(value);
    return zip::see_zip64;
  }
  bool empty() const { return numbers_.empty(); }
  std::string field() const {
    if (empty()) return "";
    zip::ExtraField head;
    head.size = static_cast<std::uint16_t>(numbers_.size());
    return bytes_of(head) + numbers_;
  }

 private:
  std::uint64_t limit_;
  std::string numbers_;
};

// The local header or the directory entry of a member.
template <typename Record>
std::string record_of(const NpzWriter::Member& member, std::uint64_t zip64_limit) {
  Record record;
  LargeNumbers large(zip64_limit);
  record.checksum = member.checksum;
  record.size = large.narrow(member.size);
  record.stored_size = large.narrow(member.size);
  if constexpr (std::is_same_v<Record, zip::DirectoryEntry>) {
    record.offset = large.narrow(member.offset);
    if (!large.empty()) record.made_by = zip::made_on_unix | zip::zip64_version;
  }
  if (!large.empty()) record.version = zip::zip64_version;
  record.name_size = static_cast<std::uint16_t>(member.name.size());
  record.extra_size = static_cast<std::uint16_t>(large.field().size());
  return bytes_of(record) + member.name + large.field();
}

// What stands behind the directory.
std::string end_of(std::uint64_t count, std::uint64_t offset, std::uint64_t size,
                   std::uint64_t zip64_limit) {
  const bool large = offset >= zip64_limit || size >= zip64_limit || count >= zip::see_zip64_count;
  zip::End end;
  end.count_on_disk = end.count = large ? zip::see_zip64_count : static_cast<std::uint16_t>(count);
  end.directory_size = large ? zip::see_zip64 : static_cast<std::uint32_t>(size);
  end.directory_offset = large ? zip::see_zip64 : static_cast<std::uint32_t>(offset);
  if (!large) return bytes_of(end);
  zip::Zip64End wide;
  wide.count_on_disk = wide.count = count;
  wide.directory_size = size;
  wide.directory_offset = offset;
  zip::Zip64Locator locator;
  locator.end_offset = offset + size;
  return bytes_of(wide) + bytes_of(locator) + bytes_of(end);
}

}  // namespace

NpzWriter::NpzWriter(const std::filesystem::path& file, std::uint64_t zip64_limit)
    : file_(file), zip64_limit_(zip64_limit) {}

void NpzWriter::add(const std::string& name, const NpyArray& array) {
  const auto as_bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  Member member{name + ".npy", 0, array.size(), file_.size()};
  member.checksum = crc32(as_bytes(array.header));
  for (const auto& piece : array.pieces) member.checksum = crc32(piece, member.checksum);
  member.checksum = crc32(as_bytes(array.owned), member.checksum);

  file_.write(record_of<zip::LocalHeader>(member, zip64_limit_));
  file_.write(array.header);
  for (const auto& piece : array.pieces) file_.write(piece);
  file_.write(array.owned);
  members_.push_back(member);
}

void NpzWriter::add_pieces(const std::string& name, const ArrayDescription& description,
                           const std::vector<std::span<const std::byte>>& pieces) {
  add(name, npy_numbers(description.shape(), pieces));
}

void NpzWriter::add_integers(const std::string& name, const std::string&,
                             const std::vector<std::int64_t>& values) {
  add(name, npy_integers(values));
}

void NpzWriter::add_strings(const std::string& name, const std::string&,
                            const std::vector<std::string>& values) {
  add(name, npy_strings(values));
}

void NpzWriter::finish() {
  const std::uint64_t directory = file_.size();
  for (const Member& member : members_)
    file_.write(record_of<zip::DirectoryEntry>(member, zip64_limit_));
  file_.write(end_of(members_.size(), directory, file_.size() - directory, zip64_limit_));
  file_.commit();
}

}  // namespace gradus::results
