// Calls of the CUDA driver.
#include "src/backend/cuda/driver.hpp"

#include "gradus/error.hpp"
#include "src/backend/cuda/library.hpp"

namespace gradus {
namespace {

struct Driver {
  decltype(&cuModuleLoadData) load;
  decltype(&cuModuleUnload) unload;
  decltype(&cuModuleGetFunction) function;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuGetErrorString) describe;
};

const Driver& driver() {
  static const Driver once = [] {
    const Library library("GRADUS_CUDA_DRIVER_LIBRARY", "libcuda.so.1");
    Driver d{};
    library.find(d.load, "cuModuleLoadData");
    library.find(d.unload, "cuModuleUnload");
    library.find(d.function, "cuModuleGetFunction");
    library.find(d.launch, "cuLaunchKernel");
    library.find(d.describe, "cuGetErrorString");
    return d;
  }();
  return once;
}

void check_driver(CUresult result, const char* call, const std::string& where) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  driver().describe(result, &text);
  throw BackendError(where + ": " + call + ": " +
                     (text != nullptr ? text : "error " + std::to_string(result)));
}

}  // namespace

void UnloadModule::operator()(CUmodule module) const {
  driver().unload(module);
}

DriverModule load_image(const std::string& image, const std::string& where) {
  CUmodule module = nullptr;
  check_driver(driver().load(&module, image.data()), "cuModuleLoadData", where);
  return DriverModule(module);
}

CUfunction find_function(CUmodule module, const char* name, const std::string& where) {
  CUfunction function = nullptr;
  check_driver(driver().function(&function, module, name), "cuModuleGetFunction", where);
  return function;
}

void launch_function(CUfunction function, std::ptrdiff_t blocks, int threads, cudaStream_t stream,
                     void* argument, const std::string& where) {
  if (blocks == 0) return;
  void* arguments[] = {argument};
  check_driver(driver().launch(function, static_cast<unsigned>(blocks), 1, 1,
                               static_cast<unsigned>(threads), 1, 1, 0, stream, arguments, nullptr),
               "cuLaunchKernel", where);
}

}  // namespace gradus
