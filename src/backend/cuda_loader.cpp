// Finds the CUDA backend, a library of its own that is loaded when asked for: the program starts
// where there is none.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "gradus/error.hpp"
#include "src/backend/cuda/entry.hpp"
#include "src/backend/device.hpp"

namespace gradus {
namespace {

constexpr const char* kLibrary = "libgradus_cuda.so";

// Beside the code that runs this, in ../lib from there, and wherever the loader looks.
std::vector<std::string> places() {
  std::vector<std::string> list;
  if (const char* named = std::getenv("GRADUS_CUDA_LIBRARY"); named != nullptr)
    list.emplace_back(named);
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&kLibrary), &here) != 0 && here.dli_fname != nullptr) {
    std::error_code none;
    const std::filesystem::path file = std::filesystem::weakly_canonical(here.dli_fname, none);
    list.push_back((file.parent_path() / kLibrary).string());
    list.push_back((file.parent_path().parent_path() / "lib" / kLibrary).string());
  }
  list.emplace_back(kLibrary);
  return list;
}

struct Loaded {
  CreateCudaDevice create = nullptr;
  std::string obstacle;
};

Loaded load() {
  Loaded loaded;
  void* library = nullptr;
  std::string reason;
  for (const std::string& place : places()) {
    library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    if (std::filesystem::exists(place)) reason = dlerror();
  }
  if (library == nullptr) {
    loaded.obstacle =
        reason.empty()
            ? "the CUDA backend was not built (libgradus_cuda.so not found; configure with "
              "-DGRADUS_CUDA=ON)"
            : "the CUDA backend does not load (" + reason + ")";
    return loaded;
  }
  const auto version = reinterpret_cast<CudaBackendVersion>(dlsym(library, kCudaVersionName));
  if (version == nullptr || version() != kCudaInterfaceVersion) {
    loaded.obstacle = "libgradus_cuda.so belongs to another version of gradus";
    return loaded;
  }
  loaded.create = reinterpret_cast<CreateCudaDevice>(dlsym(library, kCudaCreateName));
  if (loaded.create == nullptr) loaded.obstacle = "libgradus_cuda.so is damaged";
  return loaded;
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

std::unique_ptr<Device> make_cuda_device(int index) {
  if (loaded().create == nullptr) throw BackendError("cuda: " + loaded().obstacle);
  std::string error;
  std::unique_ptr<Device> device(loaded().create(index, error));
  if (!device) throw BackendError("cuda: " + error);
  return device;
}

std::string cuda_obstacle(int index) {
  if (loaded().create == nullptr) return loaded().obstacle;
  std::string error;
  const std::unique_ptr<Device> device(loaded().create(index, error));
  return device ? "" : error;
}

}  // namespace gradus
