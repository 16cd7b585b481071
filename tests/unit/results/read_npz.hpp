// Reads what NpzWriter wrote, by the ZIP format's own rules and with a checksum of its own.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace gradus::test {

inline std::uint64_t little(const std::string& bytes, std::uint64_t offset, int size) {
  std::uint64_t value = 0;
  for (int i = size - 1; i >= 0; --i)
    value = (value << 8) | static_cast<unsigned char>(bytes.at(offset + static_cast<unsigned>(i)));
  return value;
}

// Bit by bit, as the definition says.
inline std::uint32_t slow_crc32(const std::string& bytes) {
  std::uint32_t value = 0xFFFFFFFF;
  for (const char c : bytes) {
    value ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xEDB88320u : 0u);
  }
  return ~value;
}

inline void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

struct NpzFile {
  std::map<std::string, std::string> members;  // name -> NPY bytes
  bool zip64_end = false;
  int zip64_members = 0;
};

inline NpzFile read_npz(const std::string& bytes) {
  NpzFile file;
  const std::uint64_t end = bytes.size() - 22;  // no comment
  expect(little(bytes, end, 4) == 0x06054B50, "end record");
  std::uint64_t count = little(bytes, end + 10, 2);
  std::uint64_t offset = little(bytes, end + 16, 4);
  if (offset == 0xFFFFFFFF) {
    file.zip64_end = true;
    expect(little(bytes, end - 20, 4) == 0x07064B50, "zip64 locator");
    const std::uint64_t zip64_end = little(bytes, end - 20 + 8, 8);
    expect(little(bytes, zip64_end, 4) == 0x06064B50, "zip64 end record");
    count = little(bytes, zip64_end + 32, 8);
    offset = little(bytes, zip64_end + 48, 8);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    expect(little(bytes, offset, 4) == 0x02014B50, "directory entry");
    expect(little(bytes, offset + 10, 2) == 0, "stored");
    const std::uint64_t checksum = little(bytes, offset + 16, 4);
    std::uint64_t size = little(bytes, offset + 24, 4);
    std::uint64_t local = little(bytes, offset + 42, 4);
    const std::uint64_t name_size = little(bytes, offset + 28, 2);
    const std::uint64_t extra_size = little(bytes, offset + 30, 2);
    std::uint64_t extra = offset + 46 + name_size + 4;
    if (size == 0xFFFFFFFF) {
      size = little(bytes, extra, 8);
      expect(little(bytes, extra + 8, 8) == size, "both sizes");
      extra += 16;
      ++file.zip64_members;
    }
    if (local == 0xFFFFFFFF) local = little(bytes, extra, 8);
    const std::string name = bytes.substr(offset + 46, name_size);
    offset += 46 + name_size + extra_size;

    expect(little(bytes, local, 4) == 0x04034B50, "local header");
    expect(little(bytes, local + 14, 4) == checksum, "local checksum");
    expect(bytes.substr(local + 30, name_size) == name, "local name");
    std::uint64_t local_size = little(bytes, local + 22, 4);
    if (local_size == 0xFFFFFFFF) local_size = little(bytes, local + 30 + name_size + 4, 8);
    expect(local_size == size, "local size");
    const std::uint64_t data = local + 30 + name_size + little(bytes, local + 28, 2);
    const std::string member = bytes.substr(data, size);
    expect(slow_crc32(member) == checksum, "checksum");
    file.members[name] = member;
  }
  expect(file.zip64_end || offset == end, "size of the directory");
  return file;
}

}  // namespace gradus::test
