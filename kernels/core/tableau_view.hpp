// Coefficients of a one-step method as kernels see them; src/motion/tableau.hpp says what they
// mean.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

// Places within a step at which Rosenbrock methods look at objectives.
constexpr int kNodes = 3;

struct TableauView {
  int stages;
  int known;        // stages that the start of the step gives: 0, 1, or 2 for generalised-alpha
  int implicit;     // the others depend on themselves and on later ones
  int linear;       // by one linear system each, with the Jacobian at the start: Rosenbrock methods
  int error_order;  // 0: the step is fixed
  int ends_at_stage;      // 1: the only unknown stage is the end of the step
  double algorithmic[3];  // generalised-alpha: the next stage 0 by the stages
  const double* numbers;  // a, abar [stages, stages]; b, bbar, c, quadrature [stages]; four errors
                          // [stages + 1]; transform, its inverse [stages, stages], blocks [stages];
                          // of Rosenbrock methods coupling, increment [stages, stages], drift,
                          // time_share [stages], node_bar, node [kNodes, stages], node_c,
                          // node_weight [kNodes], node_error [kNodes + 1]

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
  GRADUS_ALWAYS_INLINE constexpr int coupling() const { return blocks() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int increment() const { return coupling() + stages * stages; }
  GRADUS_ALWAYS_INLINE constexpr int drift() const { return increment() + stages * stages; }
  GRADUS_ALWAYS_INLINE constexpr int time_share() const { return drift() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int node_bar() const { return time_share() + stages; }
  GRADUS_ALWAYS_INLINE constexpr int node() const { return node_bar() + kNodes * stages; }
  GRADUS_ALWAYS_INLINE constexpr int node_c() const { return node() + kNodes * stages; }
  GRADUS_ALWAYS_INLINE constexpr int node_weight() const { return node_c() + kNodes; }
  GRADUS_ALWAYS_INLINE constexpr int node_error() const { return node_weight() + kNodes; }
  GRADUS_ALWAYS_INLINE constexpr int size() const {
    return linear != 0 ? node_error() + kNodes + 1 : coupling();
  }

  // Whether an implicit method chooses its steps by their error.
  GRADUS_ALWAYS_INLINE constexpr bool controls_implicit() const {
    return implicit != 0 && error_order > 0;
  }
};

}  // namespace gradus::kernels
