// The checksum is zlib's. zlib takes no bytes at all as the wish to begin anew.
#include "src/results/crc32.hpp"

#include <zlib.h>

namespace gradus::results {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t start) {
  if (bytes.empty()) return start;
  return static_cast<std::uint32_t>(
      ::crc32_z(start, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace gradus::results
