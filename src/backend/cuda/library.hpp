// Libraries of NVIDIA's that are opened when something asks for them.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "gradus/error.hpp"

namespace gradus {

// One that stays open; a variable of the environment may name another file.
struct Library {
  Library(const char* variable, const std::string& file) : name(file) {
    const char* named = std::getenv(variable);
    library = dlopen(named != nullptr ? named : name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return;
    const char* reason = dlerror();
    throw BackendError("cuda: " + name + " cannot be opened (" +
                       (reason != nullptr ? reason : "unknown reason") +
                       "), put its folder into LD_LIBRARY_PATH or its path into " + variable);
  }
  template <class Function>
  void find(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    if (function == nullptr)
      throw BackendError("cuda: " + name + " has no " + symbol +
                         " (it belongs to another version of CUDA)");
  }
  std::string name;
  void* library;
};

}  // namespace gradus
