// The compiler for GPUs, NVIDIA's NVRTC, for text that programs were emitted as.
#pragma once

#include <string>

namespace gradus::specialise {

// Where it is: GRADUS_NVRTC_LIBRARY, otherwise the newest that the loader, or the folder where
// NVIDIA installs CUDA, has; empty if there is none.
std::string device_compiler();
// What to do where there is none; empty where there is.
std::string device_compiler_obstacle();

// An image of the text for an architecture, "sm_90" say. Throws Error with what the compiler says.
std::string compiled_for_device(const std::string& text, const std::string& architecture);

}  // namespace gradus::specialise
