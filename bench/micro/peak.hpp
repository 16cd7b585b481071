// What the processor can do at best: additions and multiplications, and reading from each level of
// its memory, with vectors of each width it has.
#pragma once

#include <cstddef>
#include <vector>

namespace gradus::bench {

// Where results of measurements go.
extern double peak_sink;

struct Peak {
  int lanes = 1;            // numbers in a register: 1 scalar, 2 SSE2, 4 AVX2, 8 AVX-512
  double operations = 0.0;  // per second: additions and multiplications in equal parts, none fused
  double level1 = 0.0;      // bytes per second, read
  double level2 = 0.0;
  double level3 = 0.0;
  double memory = 0.0;
};

struct Caches {
  std::size_t level1 = 0;  // bytes
  std::size_t level2 = 0;
  std::size_t level3 = 0;
};

// As the system says; what it does not say is taken as 32 kB, 1 MB and 32 MB.
Caches caches();

// Of one thread, by its processor time; the best of `repeats`, each of about `seconds`.
std::vector<Peak> measure_peaks(int repeats, double seconds);

}  // namespace gradus::bench
