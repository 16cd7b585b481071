// Where recordings of a kernel end and begin anew, so that loops stay loops (src/specialise).
// Kernels that nobody records go on.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

// Numbers that kernels keep beside the memory at a cut, at most: recordings have places for them
// behind it.
inline constexpr int kMostKeptNumbers = 8;

enum class Cut : int {
  chord,   // before an iteration with old factors
  newton,  // before one of Newton's method
  solved,  // behind the last
};

}  // namespace gradus::kernels

GRADUS_KERNELS_BEGIN

// `numbers` are all that the kernel knows there beside the memory of the design, and plain numbers
// that never change.
template <class... Numbers>
GRADUS_INLINE void cut_here(Cut, Numbers&...) {}

// From here on columns are treated alike, whatever constants are in a row of theirs, of which
// `at(column)` is a number: recordings may have loops over columns.
template <class Real, class At>
GRADUS_INLINE void treat_alike(const Real&, const At&, int) {}

GRADUS_KERNELS_END
