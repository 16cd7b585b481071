// Calls NVRTC, which is opened when it is needed: programs start without it.
#include "src/specialise/device_compiler.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "gradus/error.hpp"

namespace gradus::specialise {
namespace {

// As its binary interface has them: its header comes with the toolkit, which need not be here.
using Handle = void*;
struct Functions {
  int (*create)(Handle* program, const char* text, const char* name, int headers,
                const char* const* contents, const char* const* names);
  int (*destroy)(Handle* program);
  int (*compile)(Handle program, int count, const char* const* options);
  int (*image_size)(Handle program, std::size_t* size);
  int (*image)(Handle program, char* bytes);
  int (*log_size)(Handle program, std::size_t* size);
  int (*log)(Handle program, char* text);
  const char* (*describe)(int result);
};

struct Compiler {
  std::string name;
  Functions call{};
};

template <class Function>
bool find(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

bool find_all(void* library, Functions& f) {
  return find(library, "nvrtcCreateProgram", f.create) &&
         find(library, "nvrtcDestroyProgram", f.destroy) &&
         find(library, "nvrtcCompileProgram", f.compile) &&
         find(library, "nvrtcGetCUBINSize", f.image_size) &&
         find(library, "nvrtcGetCUBIN", f.image) &&
         find(library, "nvrtcGetProgramLogSize", f.log_size) &&
         find(library, "nvrtcGetProgramLog", f.log) &&
         find(library, "nvrtcGetErrorString", f.describe);
}

std::vector<std::string> names() {
  if (const char* named = std::getenv("GRADUS_NVRTC_LIBRARY"); named != nullptr && *named != '\0')
    return {named};
  constexpr std::array files{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  std::vector<std::string> all(files.begin(), files.end());
  for (const char* file : files) all.push_back(std::string("/usr/local/cuda/lib64/") + file);
  return all;
}

// Stays open.
const Compiler& compiler() {
  static const Compiler once = [] {
    Compiler found;
    for (const std::string& name : names()) {
      void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      if (find_all(library, found.call)) {
        found.name = name;
        break;
      }
      dlclose(library);
    }
    return found;
  }();
  return once;
}

// A program of NVRTC's, released with its owner.
class DeviceText {
 public:
  explicit DeviceText(const std::string& text) {
    check(call_.create(&handle_, text.c_str(), "steps.cu", 0, nullptr, nullptr));
  }
  DeviceText(const DeviceText&) = delete;
  DeviceText& operator=(const DeviceText&) = delete;
  ~DeviceText() { call_.destroy(&handle_); }

  std::string compile(const std::string& architecture) {
    const std::string target = "--gpu-architecture=" + architecture;
    // Without fused multiply-adds choices at the level of round-off, such as pivots of equal size,
    // are those of the host, where they are learnt.
    const std::array options{target.c_str(), "--std=c++17", "--fmad=false", "--disable-warnings"};
    if (call_.compile(handle_, static_cast<int>(options.size()), options.data()) != 0)
      throw Error("NVRTC for " + architecture + ": " + read(call_.log_size, call_.log));
    return read(call_.image_size, call_.image);
  }

 private:
  std::string read(int (*size_of)(Handle, std::size_t*), int (*content)(Handle, char*)) const {
    std::size_t size = 0;
    check(size_of(handle_, &size));
    std::string bytes(size, '\0');
    check(content(handle_, bytes.data()));
    return bytes;
  }
  void check(int result) const {
    if (result != 0) throw Error(std::string("NVRTC: ") + call_.describe(result));
  }

  const Functions& call_ = compiler().call;
  Handle handle_ = nullptr;
};

}  // namespace

std::string device_compiler() {
  return compiler().name;
}

std::string device_compiler_obstacle() {
  if (!compiler().name.empty()) return {};
  return "there is no NVRTC, the compiler for GPUs: install it (it comes with NVIDIA's packages), "
         "or name the library by GRADUS_NVRTC_LIBRARY";
}

std::string compiled_for_device(const std::string& text, const std::string& architecture) {
  if (const std::string obstacle = device_compiler_obstacle(); !obstacle.empty())
    throw Error(obstacle);
  return DeviceText(text).compile(architecture);
}

}  // namespace gradus::specialise
