// Throws arbitrary text at the model reader: whatever comes in, it returns a model or throws
// InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gradus/error.hpp"
#include "gradus/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const gradus::Model model =
        gradus::parse_model(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    // What was read must still be right when it is checked again.
    gradus::validate(model, "fuzz");
  } catch (const gradus::InputError&) {
    return 0;
  }
  return 0;
}
