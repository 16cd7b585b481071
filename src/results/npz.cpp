// The parts of the ZIP format (APPNOTE 6.3.3) that stored members need, and Zip64 for what exceeds
// 32 bits.
#include "src/results/npz.hpp"

#include <string_view>

#include "src/results/crc32.hpp"

namespace gradus::results {
namespace {

constexpr std::uint32_t local_header_mark = 0x04034B50;
constexpr std::uint32_t directory_mark = 0x02014B50;
constexpr std::uint32_t end_mark = 0x06054B50;
constexpr std::uint32_t zip64_end_mark = 0x06064B50;
constexpr std::uint32_t zip64_locator_mark = 0x07064B50;
constexpr std::uint16_t zip64_extra_mark = 0x0001;
constexpr std::uint16_t plain_version = 20;
constexpr std::uint16_t zip64_version = 45;
constexpr std::uint16_t made_on_unix = 3 << 8;
constexpr std::uint16_t names_are_utf8 = 1 << 11;
constexpr std::uint16_t first_date = (1 << 5) | 1;  // 1 January 1980
constexpr std::uint32_t file_mode = 0100644u << 16;
constexpr std::uint32_t see_zip64 = 0xFFFFFFFF;
constexpr std::uint16_t see_zip64_count = 0xFFFF;

// Little-endian numbers one after the other.
class Record {
 public:
  Record& u16(std::uint64_t value) { return number(value, 2); }
  Record& u32(std::uint64_t value) { return number(value, 4); }
  Record& u64(std::uint64_t value) { return number(value, 8); }
  Record& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Record& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xFF);
    return *this;
  }

  std::string bytes_;
};

}  // namespace

NpzWriter::NpzWriter(const std::filesystem::path& file, std::uint64_t zip64_limit)
    : file_(file), zip64_limit_(zip64_limit) {}

void NpzWriter::add(const std::string& name, const NpyArray& array) {
  const auto as_bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  Member member{name + ".npy", 0, array.size(), file_.size()};
  member.checksum = crc32(as_bytes(array.header));
  for (const auto& piece : array.pieces) member.checksum = crc32(piece, member.checksum);
  member.checksum = crc32(as_bytes(array.owned), member.checksum);

  file_.write(local_header(member));
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
  const std::uint64_t directory_offset = file_.size();
  for (const Member& member : members_) file_.write(directory_entry(member));
  file_.write(end_records(directory_offset, file_.size() - directory_offset));
  file_.commit();
}

std::string NpzWriter::local_header(const Member& member) const {
  const bool large = member.size >= zip64_limit_;
  Record extra;
  if (large) extra.u16(zip64_extra_mark).u16(16).u64(member.size).u64(member.size);
  Record record;
  record.u32(local_header_mark).u16(large ? zip64_version : plain_version).u16(names_are_utf8);
  record.u16(0).u16(0).u16(first_date);  // stored; time and date
  record.u32(member.checksum);
  record.u32(large ? see_zip64 : member.size).u32(large ? see_zip64 : member.size);
  record.u16(member.name.size()).u16(extra.bytes().size());
  return record.text(member.name).text(extra.bytes()).bytes();
}

std::string NpzWriter::directory_entry(const Member& member) const {
  const bool large = member.size >= zip64_limit_;
  const bool far = member.offset >= zip64_limit_;
  Record numbers;
  if (large) numbers.u64(member.size).u64(member.size);
  if (far) numbers.u64(member.offset);
  Record extra;
  if (large || far) extra.u16(zip64_extra_mark).u16(numbers.bytes().size()).text(numbers.bytes());

  const std::uint16_t version = large || far ? zip64_version : plain_version;
  Record record;
  record.u32(directory_mark).u16(made_on_unix | version).u16(version).u16(names_are_utf8);
  record.u16(0).u16(0).u16(first_date);
  record.u32(member.checksum);
  record.u32(large ? see_zip64 : member.size).u32(large ? see_zip64 : member.size);
  record.u16(member.name.size()).u16(extra.bytes().size()).u16(0);  // no comment
  record.u16(0).u16(0).u32(file_mode);                              // first disk, binary data
  record.u32(far ? see_zip64 : member.offset);
  return record.text(member.name).text(extra.bytes()).bytes();
}

std::string NpzWriter::end_records(std::uint64_t directory_offset,
                                   std::uint64_t directory_size) const {
  const std::uint64_t count = members_.size();
  const bool large = directory_offset >= zip64_limit_ || directory_size >= zip64_limit_ ||
                     count >= see_zip64_count;
  Record record;
  if (large) {
    record.u32(zip64_end_mark).u64(44);  // bytes that follow in this record
    record.u16(made_on_unix | zip64_version).u16(zip64_version).u32(0).u32(0);
    record.u64(count).u64(count).u64(directory_size).u64(directory_offset);
    record.u32(zip64_locator_mark).u32(0).u64(directory_offset + directory_size).u32(1);
  }
  record.u32(end_mark).u16(0).u16(0);
  record.u16(large ? see_zip64_count : count).u16(large ? see_zip64_count : count);
  record.u32(large ? see_zip64 : directory_size).u32(large ? see_zip64 : directory_offset);
  return record.u16(0).bytes();  // no comment
}

}  // namespace gradus::results
