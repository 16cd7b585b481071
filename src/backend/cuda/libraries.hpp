// cuBLAS and cuSOLVER, hundreds of megabytes, opened when a solver first asks for them: nothing
// else needs them to be installed.
#pragma once

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <memory>
#include <string>
#include <type_traits>

#include "gradus/error.hpp"

namespace gradus {

// What is asked of them: our name, and theirs.
#define GRADUS_CUBLAS(ENTRY)                \
  ENTRY(create, cublasCreate_v2)            \
  ENTRY(destroy, cublasDestroy_v2)          \
  ENTRY(set_stream, cublasSetStream_v2)     \
  ENTRY(getrf_batched, cublasDgetrfBatched) \
  ENTRY(getrs_batched, cublasDgetrsBatched) \
  ENTRY(trsm_batched, cublasDtrsmBatched)
#define GRADUS_CUSOLVER(ENTRY)                          \
  ENTRY(create, cusolverDnCreate)                       \
  ENTRY(destroy, cusolverDnDestroy)                     \
  ENTRY(set_stream, cusolverDnSetStream)                \
  ENTRY(getrf_buffer_size, cusolverDnDgetrf_bufferSize) \
  ENTRY(getrf, cusolverDnDgetrf)                        \
  ENTRY(getrs, cusolverDnDgetrs)                        \
  ENTRY(potrf_batched, cusolverDnDpotrfBatched)

#define GRADUS_ENTRY(NAME, SYMBOL) decltype(&SYMBOL) NAME;
struct Cublas {
  GRADUS_CUBLAS(GRADUS_ENTRY)
};
struct Cusolver {
  GRADUS_CUSOLVER(GRADUS_ENTRY)
};
#undef GRADUS_ENTRY

// Throw BackendError with the reason if the library cannot be opened. They are looked for under the
// names in GRADUS_CUBLAS_LIBRARY and GRADUS_CUSOLVER_LIBRARY, and where the loader looks.
const Cublas& cublas();
const Cusolver& cusolver();

struct DestroyCublas {
  void operator()(cublasHandle_t handle) const { cublas().destroy(handle); }
};
struct DestroyCusolver {
  void operator()(cusolverDnHandle_t handle) const { cusolver().destroy(handle); }
};
using CublasHandle = std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, DestroyCublas>;
using CusolverHandle = std::unique_ptr<std::remove_pointer_t<cusolverDnHandle_t>, DestroyCusolver>;

// Libraries that work on a stream. Throw BackendError.
CublasHandle make_cublas(cudaStream_t stream);
CusolverHandle make_cusolver(cudaStream_t stream);

// Throws BackendError unless the call succeeded.
template <class Status>
void check_library(Status status, const char* call) {
  if (static_cast<int>(status) != 0)
    throw BackendError("cuda: " + std::string(call) + " failed with status " +
                       std::to_string(static_cast<int>(status)));
}

}  // namespace gradus
