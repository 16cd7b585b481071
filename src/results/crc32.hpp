// The checksum of ZIP archives: CRC-32 with the reflected polynomial 0xEDB88320, zlib's.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace gradus::results {

// Continues `start` (0 for the first piece) over more bytes.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t start = 0) {
  if (bytes.empty()) return start;  // zlib takes no bytes at all as the wish to begin anew
  return static_cast<std::uint32_t>(
      ::crc32_z(start, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace gradus::results
