// Streams, events, graphs and handles of libraries that live in the stand-in for the CUDA runtime.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace gradus::test {

inline int live_handles() {
  void* module = dlopen(GRADUS_FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  EXPECT_NE(module, nullptr) << "nothing has asked for a GPU yet";
  return module == nullptr ? -1 : reinterpret_cast<int (*)()>(dlsym(module, "fake_live_handles"))();
}

}  // namespace gradus::test
