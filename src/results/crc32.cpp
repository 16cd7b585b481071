// CRC-32 eight bytes at a time: recorded trajectories reach gigabytes, where byte by byte would
// cost more than writing.
#include "src/results/crc32.hpp"

#include <array>

namespace gradus::results {
namespace {

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b] is the checksum of byte b followed by k zero bytes.
constexpr Table make_tables() {
  Table tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1u) != 0 ? 0xEDB88320u : 0u);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t previous = tables[k - 1][byte];
      tables[k][byte] = (previous >> 8) ^ tables[0][previous & 0xFFu];
    }
  return tables;
}

constexpr Table tables = make_tables();

std::uint32_t little_endian(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
  return value;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t start) {
  std::uint32_t value = ~start;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low = value ^ little_endian(bytes, i);
    const std::uint32_t high = little_endian(bytes, i + 4);
    value = tables[7][low & 0xFFu] ^ tables[6][(low >> 8) & 0xFFu] ^
            tables[5][(low >> 16) & 0xFFu] ^ tables[4][low >> 24] ^ tables[3][high & 0xFFu] ^
            tables[2][(high >> 8) & 0xFFu] ^ tables[1][(high >> 16) & 0xFFu] ^
            tables[0][high >> 24];
  }
  for (; i < bytes.size(); ++i)
    value = (value >> 8) ^ tables[0][(value ^ std::to_integer<std::uint32_t>(bytes[i])) & 0xFFu];
  return ~value;
}

}  // namespace gradus::results
