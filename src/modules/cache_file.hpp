// What gradus keeps for a user from one start to the next.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gradus {

// In the user's cache folder; empty if there is none. By the rules of the XDG base directories
// relative paths are to be ignored.
inline std::filesystem::path cache_file(const std::string& name) {
  const auto absolute = [](const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();
  };
  std::filesystem::path cache = absolute("XDG_CACHE_HOME");
  if (const std::filesystem::path home = absolute("HOME"); cache.empty() && !home.empty())
    cache = home / ".cache";
  return cache.empty() ? cache : cache / "gradus" / name;
}

}  // namespace gradus
