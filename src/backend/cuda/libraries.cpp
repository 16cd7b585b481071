// Opens cuBLAS and cuSOLVER.
#include "src/backend/cuda/libraries.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "gradus/error.hpp"

namespace gradus {
namespace {

// A library that stays open once it is found.
class Library {
 public:
  Library(const char* variable, const std::string& name) : name_(name) {
    const char* named = std::getenv(variable);
    library_ = dlopen(named != nullptr ? named : name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ != nullptr) return;
    const char* reason = dlerror();
    throw BackendError("cuda: " + name + " cannot be opened (" +
                       (reason != nullptr ? reason : "unknown reason") +
                       "), put its folder into LD_LIBRARY_PATH or its path into " + variable);
  }

  template <class Function>
  void find(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(dlsym(library_, symbol));
    if (function == nullptr)
      throw BackendError("cuda: " + name_ + " has no " + symbol +
                         " (it belongs to another version of CUDA)");
  }

 private:
  std::string name_;
  void* library_;
};

Cublas open_cublas() {
  const Library library("GRADUS_CUBLAS_LIBRARY",
                        "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
  Cublas f{};
  library.find(f.create, "cublasCreate_v2");
  library.find(f.destroy, "cublasDestroy_v2");
  library.find(f.set_stream, "cublasSetStream_v2");
  library.find(f.getrf_batched, "cublasDgetrfBatched");
  library.find(f.getrs_batched, "cublasDgetrsBatched");
  library.find(f.trsm_batched, "cublasDtrsmBatched");
  return f;
}

Cusolver open_cusolver() {
  const Library library("GRADUS_CUSOLVER_LIBRARY",
                        "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR));
  Cusolver f{};
  library.find(f.create, "cusolverDnCreate");
  library.find(f.destroy, "cusolverDnDestroy");
  library.find(f.set_stream, "cusolverDnSetStream");
  library.find(f.getrf_buffer_size, "cusolverDnDgetrf_bufferSize");
  library.find(f.getrf, "cusolverDnDgetrf");
  library.find(f.getrs, "cusolverDnDgetrs");
  library.find(f.potrf_batched, "cusolverDnDpotrfBatched");
  return f;
}

void check_status(int status, const char* call) {
  if (status != 0)
    throw BackendError("cuda: " + std::string(call) + " failed with status " +
                       std::to_string(status));
}

}  // namespace

const Cublas& cublas() {
  static const Cublas once = open_cublas();
  return once;
}

const Cusolver& cusolver() {
  static const Cusolver once = open_cusolver();
  return once;
}

CublasHandle make_cublas(cudaStream_t stream) {
  cublasHandle_t handle = nullptr;
  check_library(cublas().create(&handle), "cublasCreate");
  CublasHandle owned(handle);
  check_library(cublas().set_stream(handle, stream), "cublasSetStream");
  return owned;
}

CusolverHandle make_cusolver(cudaStream_t stream) {
  cusolverDnHandle_t handle = nullptr;
  check_library(cusolver().create(&handle), "cusolverDnCreate");
  CusolverHandle owned(handle);
  check_library(cusolver().set_stream(handle, stream), "cusolverDnSetStream");
  return owned;
}

void check_library(cublasStatus_t status, const char* call) {
  check_status(static_cast<int>(status), call);
}

void check_library(cusolverStatus_t status, const char* call) {
  check_status(static_cast<int>(status), call);
}

}  // namespace gradus
