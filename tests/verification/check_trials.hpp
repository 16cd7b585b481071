// What `check` must say of random mechanisms, drawn by their seed.
#pragma once

#include <cstddef>

#include "src/sensitivity/evidence.hpp"

namespace gradus::test {

struct Tally {
  std::size_t mechanisms = 0, derivatives = 0, zeros = 0, by_dual = 0;
  std::size_t inaccurate = 0;  // mechanisms whose steps are too long indeed
  std::size_t jumping = 0;     // mechanisms whose accelerations jump
};

CheckFindings findings_of(unsigned seed);

// That all is well, but for derivatives whose steps are too long: that these are wrong indeed.
void expect_no_alarm(unsigned seed, const CheckFindings& findings, Tally& tally);

// That an entry which is not zero and becomes wrong by a tenth is found, and no other: wrong by the
// direct method, by the hand-written derivatives, which the adjoint shares, and, where differences
// say something, by all methods but these.
void expect_faults_found(unsigned seed, const CheckFindings& findings);

}  // namespace gradus::test
