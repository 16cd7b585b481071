// cuBLAS and cuSOLVER, hundreds of megabytes, opened when a solver first asks for them: nothing
// else needs them to be installed.
#pragma once

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <memory>
#include <string>

namespace gradus {

struct Cublas {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasDgetrfBatched) getrf_batched;
  decltype(&cublasDgetrsBatched) getrs_batched;
  decltype(&cublasDtrsmBatched) trsm_batched;
};

struct Cusolver {
  decltype(&cusolverDnCreate) create;
  decltype(&cusolverDnDestroy) destroy;
  decltype(&cusolverDnSetStream) set_stream;
  decltype(&cusolverDnDgetrf_bufferSize) getrf_buffer_size;
  decltype(&cusolverDnDgetrf) getrf;
  decltype(&cusolverDnDgetrs) getrs;
  decltype(&cusolverDnDpotrfBatched) potrf_batched;
};

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

// Throw BackendError unless the call succeeded.
void check_library(cublasStatus_t status, const char* call);
void check_library(cusolverStatus_t status, const char* call);

}  // namespace gradus
