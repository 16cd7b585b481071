// Marks for functions that run on CPU and GPU alike.
#pragma once

#if defined(__CUDACC__)
#define GRADUS_FUNCTION __host__ __device__ inline
#define GRADUS_CONSTANT __host__ __device__ constexpr
#else
#define GRADUS_FUNCTION inline
#define GRADUS_CONSTANT constexpr
#endif

// For the few operations that everything else is made of: never a call. Sanitizers check every
// access of what is inlined, which makes huge functions that take minutes to compile; they get
// ordinary calls.
#if defined(__CUDACC__)
#define GRADUS_INLINE __host__ __device__ __forceinline__
#elif defined(__OPTIMIZE__) && !defined(GRADUS_SANITIZED)
#define GRADUS_INLINE inline __attribute__((always_inline))
#else
#define GRADUS_INLINE inline
#endif

// For members of what all translations share: never a function of its own, of which the linker
// would keep one translation's for all.
#if defined(__CUDACC__)
#define GRADUS_ALWAYS_INLINE __host__ __device__ __forceinline__
#else
#define GRADUS_ALWAYS_INLINE inline __attribute__((always_inline))
#endif

// For large functions that kernels call from many places: always a call, so that each kernel holds
// them once and compiles in reasonable time.
#if defined(__CUDACC__)
#define GRADUS_CALL __host__ __device__ __noinline__
#else
#define GRADUS_CALL __attribute__((noinline))
#endif

// For functions of some fifteen lines or more. Kernels that do whole steps call them: copies in
// every caller would be megabytes of code, and take ten minutes to compile. Elsewhere the compiler
// copies them as it likes, since calls cost registers.
#if defined(__CUDACC__) && defined(GRADUS_CALLS_ROUTINES)
#define GRADUS_ROUTINE __host__ __device__ __noinline__ inline
#else
#define GRADUS_ROUTINE GRADUS_FUNCTION
#endif

// For what lanes should do side by side, but would swell device code: a call there only.
#if defined(__CUDACC__)
#define GRADUS_DEVICE_CALL __host__ __device__ __noinline__ inline
#else
#define GRADUS_DEVICE_CALL GRADUS_INLINE
#endif

// Kernel bodies are compiled by the host compiler as C++20, possibly for several instruction sets,
// and by nvcc as C++17. Each of these translations owns an inline namespace, so that the linker
// never merges them.
#if defined(__CUDACC__)
#define GRADUS_TARGET device
#elif !defined(GRADUS_TARGET)
#define GRADUS_TARGET host
#endif

#define GRADUS_KERNELS_BEGIN  \
  namespace gradus::kernels { \
  inline namespace GRADUS_TARGET {
#define GRADUS_KERNELS_END \
  }                        \
  }
