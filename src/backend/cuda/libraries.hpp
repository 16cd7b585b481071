// cuBLAS and cuSOLVER, hundreds of megabytes, opened when a solver first asks for them: nothing
// else needs them to be installed.
#pragma once

#include <cublas_v2.h>
#include <cusolverDn.h>

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

// Throw BackendError unless the call succeeded.
void check_library(cublasStatus_t status, const char* call);
void check_library(cusolverStatus_t status, const char* call);

}  // namespace gradus
