// Coefficients of a one-step method as kernels see them; src/motion/tableau.hpp says what they
// mean.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

struct TableauView {
  int stages;
  int known;          // stages that the start of the step gives: 0, 1, or 2 for generalised-alpha
  int implicit;       // the others depend on themselves and on later ones
  int error_order;    // 0: the step is fixed
  int ends_at_stage;  // 1: the only unknown stage is the end of the step
  double algorithmic[3];  // generalised-alpha: the next stage 0 by the stages
  const double* numbers;  // a, abar [stages, stages]; b, bbar, c, quadrature [stages]; four errors
                          // [stages + 1]; transform, its inverse [stages, stages], blocks [stages]

  // Offsets of the parts of `numbers`.
  GRADUS_ALWAYS_INLINE constexpr int a() const { return 0; }
  GRADUS_ALWAYS_INLINE constexpr int abar() const { return stages * stages; }
  GRADUS_ALWAYS_INLINE constexpr int b() const { return 2 * stages * stages; }
  GRADUS_ALWAYS_INLINE constexpr int bbar() const { return b() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int c() const { return bbar() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int quadrature() const { return c() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int error() const { return quadrature() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int error_bar() const { return error() + stages + 1; }
  GRADUS_ALWAYS_INLINE constexpr int second_error() const { return error_bar() + stages + 1; }
  GRADUS_ALWAYS_INLINE constexpr int second_error_bar() const {
    return second_error() + stages + 1;
  }
  GRADUS_ALWAYS_INLINE constexpr int transform() const { return second_error_bar() + stages + 1; }
  GRADUS_ALWAYS_INLINE constexpr int inverse_transform() const {
    return transform() + stages * stages;
  }
  GRADUS_ALWAYS_INLINE constexpr int blocks() const {
    return inverse_transform() + stages * stages;
  }
  GRADUS_ALWAYS_INLINE constexpr int size() const { return blocks() + stages; }

  // Whether an implicit method chooses its steps by their error.
  GRADUS_ALWAYS_INLINE constexpr bool controls_implicit() const {
    return implicit != 0 && error_order > 0;
  }
};

}  // namespace gradus::kernels
