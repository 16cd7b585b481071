// Families of mechanisms of any size, to measure and to test with (docs/generate.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

struct Family {
  std::string name;         // "pendulum"
  std::string description;  // of what there are `size`
  std::size_t least = 1, most = 1, usual = 1;
};

// All there are, in the order of their names.
std::vector<Family> families();

// The text of a model file (JSON). Throws InputError for a family that there is not and a size that
// it does not have.
std::string generate_model(const std::string& family, std::size_t size);

}  // namespace gradus
