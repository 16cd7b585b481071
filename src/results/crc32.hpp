// The checksum of ZIP archives: CRC-32 with the reflected polynomial 0xEDB88320.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gradus::results {

// Continues `start` (0 for the first piece) over more bytes.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t start = 0);

}  // namespace gradus::results
