// Modules: libraries beside the program, each with what only it needs (CUDA, Ipopt, HDF5, ...),
// that are opened when asked for. The program starts without them.
//
// A module exports one function, gradus_module. What it may be asked lies in a struct of function
// pointers, here `Functions`, with `file`, the name of the library, and `interface`, a number that
// is raised whenever the functions or anything they are handed change. Modules need no symbol of
// the program: they are handed interfaces to call. Exceptions pass as between other libraries of
// C++, but never through C.
#pragma once

#include <string>

namespace gradus {

// What a module says of itself.
struct ModuleEntry {
  const char* version;  // of gradus
  int interface;
  const void* functions;
};

inline constexpr const char* module_entry_name = "gradus_module";
using GetModuleEntry = ModuleEntry (*)();

struct OpenedModule {
  const void* functions = nullptr;
  std::string obstacle;  // why there are none
  enum { fine, missing, broken, foreign } fault = fine;
};

// The library that a module brings, and Debian's packages of it.
struct ModuleLibrary {
  const char* name;
  const char* to_build;
  const char* to_run;
};

// Looks in the folder GRADUS_MODULES if the environment names one; otherwise beside the program or
// library that holds this code, in ../lib from there or where else libraries are installed, and
// where the loader looks. Refuses modules of another version or interface. What is opened stays
// open.
OpenedModule open_module(const std::string& file, int interface);

// What to do about one that has a fault.
std::string module_hint(const OpenedModule& opened, const std::string& file,
                        const ModuleLibrary& library);

// A module of this kind, opened at the first question.
template <class Functions>
class Module {
 public:
  // Why it cannot be had; empty if it can.
  static const std::string& obstacle() { return opened().obstacle; }

  // What to do about that, if Functions::library says what the module brings.
  static std::string hint() { return module_hint(opened(), Functions::file, Functions::library); }

  // Only if it can be had.
  static const Functions& functions() { return *static_cast<const Functions*>(opened().functions); }

 private:
  static const OpenedModule& opened() {
    static const OpenedModule once = open_module(Functions::file, Functions::interface);
    return once;
  }
};

}  // namespace gradus
