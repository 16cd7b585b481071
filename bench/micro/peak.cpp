// Peaks of the processor. Each width is a function of its own, compiled for its instructions.
#include "bench/micro/peak.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

namespace gradus::bench {

// What is computed must go somewhere that others may see, or it would not be computed.
double peak_sink = 0.0;

namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr int kChains = 7;  // of each kind: with two constants they fill 16 registers

// Numbers that keep their size for as long as anybody measures.
constexpr double kAddend = 1e-9;
constexpr double kFactor = 1.0 + 1e-15;

// VECTOR is a double, or that many at once.
#define GRADUS_PEAK(NAME, TARGET, LANES, VECTOR)                                           \
  TARGET void operations_##NAME(std::int64_t rounds) {                                     \
    using Vector = VECTOR;                                                                 \
    Vector sums[kChains], products[kChains];                                               \
    for (int k = 0; k < kChains; ++k) {                                                    \
      sums[k] = Vector{} + static_cast<double>(k);                                         \
      products[k] = Vector{} + 1.0 + static_cast<double>(k);                               \
    }                                                                                      \
    const Vector addend = Vector{} + kAddend, factor = Vector{} + kFactor;                 \
    for (std::int64_t round = 0; round < rounds; ++round) {                                \
      _Pragma("GCC unroll 7") for (int k = 0; k < kChains; ++k) {                          \
        sums[k] += addend;                                                                 \
        products[k] *= factor;                                                             \
      }                                                                                    \
    }                                                                                      \
    Vector all = sums[0] + products[0];                                                    \
    for (int k = 1; k < kChains; ++k) all += sums[k] + products[k];                        \
    std::memcpy(&peak_sink, &all, sizeof(double));                                         \
  }                                                                                        \
  TARGET void read_##NAME(const double* numbers, std::size_t count, std::int64_t rounds) { \
    using Vector = VECTOR;                                                                 \
    Vector sums[8] = {};                                                                   \
    for (std::int64_t round = 0; round < rounds; ++round)                                  \
      for (std::size_t i = 0; i + 8 * (LANES) <= count; i += 8 * (LANES)) {                \
        _Pragma("GCC unroll 8") for (std::size_t k = 0; k < 8; ++k) sums[k] +=             \
            *reinterpret_cast<const Vector*>(numbers + i + k * (LANES));                   \
      }                                                                                    \
    Vector all = sums[0];                                                                  \
    for (int k = 1; k < 8; ++k) all += sums[k];                                            \
    std::memcpy(&peak_sink, &all, sizeof(double));                                         \
  }

typedef double Two __attribute__((vector_size(16), may_alias));
typedef double Four __attribute__((vector_size(32), may_alias));
typedef double Eight __attribute__((vector_size(64), may_alias));

GRADUS_PEAK(scalar, , 1, double)
#if defined(__x86_64__)
GRADUS_PEAK(sse2, , 2, Two)
GRADUS_PEAK(avx2, __attribute__((target("avx2"))), 4, Four)
GRADUS_PEAK(avx512, __attribute__((target("avx512f"))), 8, Eight)
#endif
#undef GRADUS_PEAK

struct Width {
  int lanes;
  void (*operations)(std::int64_t);
  void (*read)(const double*, std::size_t, std::int64_t);
};

std::vector<Width> widths() {
  std::vector<Width> all{{1, operations_scalar, read_scalar}};
#if defined(__x86_64__)
  all.push_back({2, operations_sse2, read_sse2});
  if (__builtin_cpu_supports("avx2")) all.push_back({4, operations_avx2, read_avx2});
  if (__builtin_cpu_supports("avx512f")) all.push_back({8, operations_avx512, read_avx512});
#endif
  return all;
}

// Rounds per second, the best of several runs.
template <class Body>
double best_rate(int repeats, double seconds, const Body& body) {
  std::int64_t rounds = 1;
  const auto time = [&] {
    const double start = thread_seconds();
    body(rounds);
    return thread_seconds() - start;
  };
  double taken = time();
  for (; taken < seconds; taken = time()) rounds *= 2;
  double best = static_cast<double>(rounds) / taken;
  for (int k = 1; k < repeats; ++k) best = std::max(best, static_cast<double>(rounds) / time());
  return best;
}

std::size_t cache_size(int name, std::size_t otherwise) {
  const long size = sysconf(name);
  return size > 0 ? static_cast<std::size_t>(size) : otherwise;
}

}  // namespace

Caches caches() {
  return {cache_size(_SC_LEVEL1_DCACHE_SIZE, 32 << 10), cache_size(_SC_LEVEL2_CACHE_SIZE, 1 << 20),
          cache_size(_SC_LEVEL3_CACHE_SIZE, 32 << 20)};
}

std::vector<Peak> measure_peaks(int repeats, double seconds) {
  const Caches sizes = caches();
  const std::size_t large = 2 * std::max(sizes.level3, std::size_t{32} << 20);
  const std::unique_ptr<double, void (*)(void*)> numbers(
      static_cast<double*>(std::aligned_alloc(64, large)), std::free);
  std::memset(numbers.get(), 0, large);
  std::vector<Peak> peaks;
  for (const Width& width : widths()) {
    const auto bandwidth = [&](std::size_t bytes) {
      const std::size_t count = bytes / sizeof(double);
      return static_cast<double>(bytes) * best_rate(repeats, seconds, [&](std::int64_t rounds) {
               width.read(numbers.get(), count, rounds);
             });
    };
    Peak peak;
    peak.lanes = width.lanes;
    peak.operations = 2.0 * kChains * width.lanes * best_rate(repeats, seconds, width.operations);
    peak.level1 = bandwidth(sizes.level1 / 2);
    peak.level2 = bandwidth(sizes.level2 / 2);
    peak.level3 = bandwidth(sizes.level3 / 4);  // others share it
    peak.memory = bandwidth(large);
    peaks.push_back(peak);
  }
  return peaks;
}

}  // namespace gradus::bench
