// Where the repository lies, for tests that read its models and schemas.
#pragma once

#include <string>

namespace gradus {

// `path` below the root of the repository.
std::string source_path(const std::string& path);

}  // namespace gradus
