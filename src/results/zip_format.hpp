// The parts of the ZIP format (APPNOTE 6.3.3) that stored members need, and Zip64 for what exceeds
// 32 bits: the records as they lie in the file, little endian and without gaps.
#pragma once

#include <bit>
#include <cstdint>

namespace gradus::results::zip {

static_assert(std::endian::native == std::endian::little, "the files are little endian");

inline constexpr std::uint16_t plain_version = 20;
inline constexpr std::uint16_t zip64_version = 45;
inline constexpr std::uint16_t made_on_unix = 3 << 8;
inline constexpr std::uint16_t names_are_utf8 = 1 << 11;   // a flag
inline constexpr std::uint16_t encrypted = 1;              // a flag
inline constexpr std::uint16_t stored = 0;                 // a method
inline constexpr std::uint16_t first_date = (1 << 5) | 1;  // 1 January 1980
inline constexpr std::uint32_t file_mode = 0100644u << 16;
inline constexpr std::uint16_t zip64_extra_mark = 0x0001;
// Numbers that do not fit; they stand in 64 bits in another place.
inline constexpr std::uint32_t see_zip64 = 0xFFFFFFFF;
inline constexpr std::uint16_t see_zip64_count = 0xFFFF;

#pragma pack(push, 1)

// Before each member, followed by its name and extra fields.
struct LocalHeader {
  static constexpr std::uint32_t signature = 0x04034B50;
  std::uint32_t mark = signature;
  std::uint16_t version = plain_version, flags = names_are_utf8, method = stored;
  std::uint16_t time = 0, date = first_date;
  std::uint32_t checksum = 0, stored_size = 0, size = 0;
  std::uint16_t name_size = 0, extra_size = 0;
};

// One for each member behind all of them, followed by its name, extra fields and comment.
struct DirectoryEntry {
  static constexpr std::uint32_t signature = 0x02014B50;
  std::uint32_t mark = signature;
  std::uint16_t made_by = made_on_unix | plain_version;
  std::uint16_t version = plain_version, flags = names_are_utf8, method = stored;
  std::uint16_t time = 0, date = first_date;
  std::uint32_t checksum = 0, stored_size = 0, size = 0;
  std::uint16_t name_size = 0, extra_size = 0, comment_size = 0;
  std::uint16_t disk = 0, internal_attributes = 0;
  std::uint32_t mode = file_mode, offset = 0;  // of its local header
};

struct ExtraField {
  std::uint16_t mark = zip64_extra_mark, size = 0;  // of what follows
};

struct Zip64End {
  static constexpr std::uint32_t signature = 0x06064B50;
  std::uint32_t mark = signature;
  std::uint64_t size = 44;  // of what follows
  std::uint16_t made_by = made_on_unix | zip64_version, version = zip64_version;
  std::uint32_t disk = 0, directory_disk = 0;
  std::uint64_t count_on_disk = 0, count = 0, directory_size = 0, directory_offset = 0;
};

struct Zip64Locator {
  static constexpr std::uint32_t signature = 0x07064B50;
  std::uint32_t mark = signature, disk = 0;
  std::uint64_t end_offset = 0;  // of Zip64End
  std::uint32_t disks = 1;
};

// The last record, followed by a comment.
struct End {
  static constexpr std::uint32_t signature = 0x06054B50;
  std::uint32_t mark = signature;
  std::uint16_t disk = 0, directory_disk = 0, count_on_disk = 0, count = 0;
  std::uint32_t directory_size = 0, directory_offset = 0;
  std::uint16_t comment_size = 0;
};

#pragma pack(pop)

static_assert(sizeof(LocalHeader) == 30 && sizeof(DirectoryEntry) == 46 && sizeof(End) == 22);
static_assert(sizeof(Zip64End) == 56 && sizeof(Zip64Locator) == 20);

}  // namespace gradus::results::zip
