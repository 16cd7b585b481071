// A stand-in for cuBLAS and cuSOLVER: their functions as the libraries' documents state them, with
// LAPACK's layout and pivots, on host memory. Like the runtime's, declared by what the binary
// interface asks of them, without NVIDIA's headers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/backend/fake_cuda/runtime.hpp"

namespace gradus::test {
namespace {

// Values of NVIDIA's enumerations.
constexpr int kTransposed = 1;
constexpr int kLower = 0;
constexpr int kUnitDiagonal = 1;

int handle_of_all = 0;

// a[i + j * lda], counted from 0; pivots from 1. The documents do not say which row is the pivot
// among NaN: this one names none that exists, and reports no failure.
int factorise(int n, double* a, int lda, int* pivots) {
  int info = 0;
  for (int k = 0; k < n; ++k) {
    int best = k;
    bool unknown = false;
    for (int i = k; i < n; ++i) {
      if (std::abs(a[i + k * lda]) > std::abs(a[best + k * lda])) best = i;
      unknown = unknown || std::isnan(a[i + k * lda]);
    }
    pivots[k] = unknown ? 0 : best + 1;
    for (int j = 0; j < n; ++j) std::swap(a[k + j * lda], a[best + j * lda]);
    if (a[k + k * lda] == 0.0) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int i = k + 1; i < n; ++i) {
      a[i + k * lda] /= a[k + k * lda];
      for (int j = k + 1; j < n; ++j) a[i + j * lda] -= a[i + k * lda] * a[k + j * lda];
    }
  }
  return info;
}

int factorise_lower(int n, double* a, int lda) {
  for (int k = 0; k < n; ++k) {
    if (!(a[k + k * lda] > 0.0)) return k + 1;
    a[k + k * lda] = std::sqrt(a[k + k * lda]);
    for (int i = k + 1; i < n; ++i) a[i + k * lda] /= a[k + k * lda];
    for (int j = k + 1; j < n; ++j)
      for (int i = j; i < n; ++i) a[i + j * lda] -= a[i + k * lda] * a[j + k * lda];
  }
  return 0;
}

// op(A) X = B for a triangular A.
void solve_triangle(bool lower, bool transposed, bool unit, int n, int columns, const double* a,
                    int lda, double* b, int ldb) {
  const bool downwards = lower != transposed;
  for (int c = 0; c < columns; ++c)
    for (int step = 0; step < n; ++step) {
      const int i = downwards ? step : n - 1 - step;
      double sum = b[i + c * ldb];
      for (int k = downwards ? 0 : i + 1; k < (downwards ? i : n); ++k)
        sum -= (transposed ? a[k + i * lda] : a[i + k * lda]) * b[k + c * ldb];
      b[i + c * ldb] = unit ? sum : sum / a[i + i * lda];
    }
}

void exchange(int n, int columns, const int* pivots, bool backwards, double* b, int ldb) {
  for (int step = 0; step < n; ++step) {
    const int k = backwards ? n - 1 - step : step;
    for (int c = 0; c < columns; ++c) std::swap(b[k + c * ldb], b[pivots[k] - 1 + c * ldb]);
  }
}

void solve(bool transposed, int n, int columns, const double* a, int lda, const int* pivots,
           double* b, int ldb) {
  if (!transposed) exchange(n, columns, pivots, false, b, ldb);
  solve_triangle(!transposed, transposed, !transposed, n, columns, a, lda, b, ldb);
  solve_triangle(transposed, transposed, transposed, n, columns, a, lda, b, ldb);
  if (transposed) exchange(n, columns, pivots, true, b, ldb);
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  *handle = &handle_of_all;
  count_handle(1);
  return kSuccess;
}
int cublasDestroy_v2(void*) {
  count_handle(-1);
  return kSuccess;
}
int cublasSetStream_v2(void*, void*) {
  return is_fake("no-stream-for-libraries") ? kInvalidValue : kSuccess;
}

int cublasDgetrfBatched(void*, int n, double* const* a, int lda, int* pivots, int* info,
                        int count) {
  enqueue([=] {
    for (int s = 0; s < count; ++s) info[s] = factorise(n, a[s], lda, pivots + s * n);
  });
  return kSuccess;
}

int cublasDgetrsBatched(void*, int operation, int n, int columns, const double* const* a, int lda,
                        const int* pivots, double* const* b, int ldb, int* info, int count) {
  *info = 0;
  enqueue([=] {
    for (int s = 0; s < count; ++s)
      solve(operation == kTransposed, n, columns, a[s], lda, pivots + s * n, b[s], ldb);
  });
  return kSuccess;
}

// side: left only.
int cublasDtrsmBatched(void*, int side, int fill, int operation, int diagonal, int n, int columns,
                       const double* alpha, const double* const* a, int lda, double* const* b,
                       int ldb, int count) {
  if (side != 0 || *alpha != 1.0) return kOutOfMemory;
  enqueue([=] {
    for (int s = 0; s < count; ++s)
      solve_triangle(fill == kLower, operation == kTransposed, diagonal == kUnitDiagonal, n,
                     columns, a[s], lda, b[s], ldb);
  });
  return kSuccess;
}

int cusolverDnCreate(void** handle) {
  *handle = &handle_of_all;
  count_handle(1);
  return kSuccess;
}
int cusolverDnDestroy(void*) {
  count_handle(-1);
  return kSuccess;
}
int cusolverDnSetStream(void*, void*) {
  return is_fake("no-stream-for-libraries") ? kInvalidValue : kSuccess;
}

int cusolverDnDgetrf_bufferSize(void*, int, int n, double*, int, int* entries) {
  *entries = n;
  return kSuccess;
}

int cusolverDnDgetrf(void*, int, int n, double* a, int lda, double* work, int* pivots, int* info) {
  enqueue([=] {
    std::fill(work, work + n, 0.0);
    for (int k = 0; k < n * n; ++k)  // the library has been seen to lose them
      if (std::isnan(a[k % n + k / n * lda])) a[k % n + k / n * lda] = 0.0;
    *info = factorise(n, a, lda, pivots);
  });
  return kSuccess;
}

int cusolverDnDgetrs(void*, int operation, int n, int columns, const double* a, int lda,
                     const int* pivots, double* b, int ldb, int* info) {
  enqueue([=] {
    *info = 0;
    solve(operation == kTransposed, n, columns, a, lda, pivots, b, ldb);
  });
  return kSuccess;
}

int cusolverDnDpotrfBatched(void*, int fill, int n, double** a, int lda, int* info, int count) {
  if (fill != kLower) return kOutOfMemory;
  enqueue([=] {
    for (int s = 0; s < count; ++s) info[s] = factorise_lower(n, a[s], lda);
  });
  return kSuccess;
}

}  // extern "C"

}  // namespace gradus::test
