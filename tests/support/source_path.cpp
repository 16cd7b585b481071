// The only source of the tests that knows the folder: a compiler cache serves all others anywhere.
#include "tests/support/source_path.hpp"

namespace gradus {

std::string source_path(const std::string& path) {
  return std::string(GRADUS_SOURCE_DIR) + "/" + path;
}

}  // namespace gradus
