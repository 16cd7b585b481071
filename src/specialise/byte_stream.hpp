// Numbers as bytes, one after another, for files of the machine that wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gradus/error.hpp"

namespace gradus::specialise {

// Of a file, at once: those of programs have megabytes. Empty if it cannot be read.
inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class ByteWriter {
 public:
  template <class T>
  void put(const T& number) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  template <class T, class Put>
  void put_all(const std::vector<T>& list, const Put& put_one) {
    put(static_cast<std::uint64_t>(list.size()));
    for (const T& one : list) put_one(one);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Throws FileError where the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    T number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::string_view get_text() { return take(get<std::uint64_t>()); }
  template <class T, class Get>
  std::vector<T> get_all(const Get& get_one) {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size()) throw FileError("it is cut short");
    std::vector<T> list;
    list.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) list.push_back(get_one());
    return list;
  }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw FileError("it is cut short");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace gradus::specialise
