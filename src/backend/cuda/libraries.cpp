// Opens cuBLAS and cuSOLVER.
#include "src/backend/cuda/libraries.hpp"

#include "src/backend/cuda/library.hpp"

namespace gradus {
namespace {

template <class Owned, class Functions>
Owned make_handle(const Functions& functions, cudaStream_t stream, const char* create,
                  const char* set_stream) {
  typename Owned::pointer handle = nullptr;
  check_library(functions.create(&handle), create);
  Owned owned(handle);
  check_library(functions.set_stream(handle, stream), set_stream);
  return owned;
}

#define GRADUS_ENTRY(NAME, SYMBOL) library.find(f.NAME, GRADUS_TEXT(SYMBOL));
#define GRADUS_TEXT(SYMBOL) #SYMBOL

}  // namespace

const Cublas& cublas() {
  static const Cublas once = [] {
    const Library library("GRADUS_CUBLAS_LIBRARY",
                          "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
    Cublas f{};
    GRADUS_CUBLAS(GRADUS_ENTRY)
    return f;
  }();
  return once;
}

const Cusolver& cusolver() {
  static const Cusolver once = [] {
    const Library library("GRADUS_CUSOLVER_LIBRARY",
                          "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR));
    Cusolver f{};
    GRADUS_CUSOLVER(GRADUS_ENTRY)
    return f;
  }();
  return once;
}

CublasHandle make_cublas(cudaStream_t stream) {
  return make_handle<CublasHandle>(cublas(), stream, "cublasCreate", "cublasSetStream");
}

CusolverHandle make_cusolver(cudaStream_t stream) {
  return make_handle<CusolverHandle>(cusolver(), stream, "cusolverDnCreate", "cusolverDnSetStream");
}

}  // namespace gradus
