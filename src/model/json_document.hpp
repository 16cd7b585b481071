// JSON text as a tree of values in the order of the file, with limits that keep hostile files
// harmless.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

struct JsonValue {
  enum class Kind { null, boolean, number, text, array, object };

  Kind kind = Kind::null;
  double number = 0.0;                   // of a number; 0 or 1 of a boolean
  std::string text = {};                 // of a text
  std::vector<JsonValue> elements = {};  // of an array or object
  std::vector<std::string> keys = {};    // of an object, one per element
};

inline constexpr std::size_t largest_document = std::size_t{16} << 20;  // bytes
inline constexpr std::size_t deepest_document = 64;                     // levels of brackets
inline constexpr std::size_t most_values = 1'000'000;

// The content of a file. Throws FileError if it cannot be read, InputError if it is too large.
std::string read_document(const std::filesystem::path& file);

// Comments (// and /* */) are allowed, a key twice in one object is not. `origin` opens error
// messages. Throws InputError.
JsonValue parse_document(std::string_view text, const std::string& origin);

}  // namespace gradus
