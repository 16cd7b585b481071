// Coefficients of one-step methods in Nystroem form, for z'' = f(t, z, z'):
//   Z_i = z + c_i h z' + h^2 sum abar_ij A_j,  V_i = z' + h sum a_ij A_j,
//   A_i = f(t + c_i h, Z_i, V_i),
//   z_1 = z + h z' + h^2 sum bbar_j A_j,       z'_1 = z' + h sum b_j A_j
// where abar = a a and bbar = b a for Runge-Kutta methods.
#pragma once

#include <array>
#include <vector>

#include "gradus/model.hpp"
#include "kernels/core/tableau_view.hpp"

namespace gradus {

struct Tableau {
  int stages = 0;
  int error_order = 0;    // of the error estimate, 0 if there is none
  int known = 1;          // stages that the start of the step gives
  bool implicit = false;  // the others depend on themselves and on later ones
  // Generalised-alpha keeps an algorithmic acceleration as stage 0, which these update.
  std::array<double, 3> algorithmic{};
  std::vector<double> a, abar;                 // [stages, stages]
  std::vector<double> b, bbar, c, quadrature;  // [stages]; the last is for objectives
  // Error of z' and z over h and h^2, by the stages and the derivative at the end of the step, of
  // implicit methods at its start; a second, larger estimate tempers the first if there is one.
  std::vector<double> error, error_bar, second_error, second_error_bar;  // [stages + 1]
  // Of implicit methods with an error estimate: T such that T^-1 a T has the real eigenvalue g of
  // a, then a block (r, i; -i, r) of each pair, and these numbers.
  std::vector<double> transform, inverse_transform;  // [stages, stages]
  std::vector<double> blocks;                        // [stages] g, r, i, r, i, ...
  // Of Rosenbrock methods, whose stages are K_i = Q_i / h, (P_i, Q_i) being the increments of z and
  // z' that solve (1/(h g) - J) (P_i, Q_i) = F(t + c_i h, Z_i, V_i) + sum coupling_ij (P_j, Q_j) /
  // h
  // + h time_share_i F_t, with Z_i and V_i as above: what these make of P, h drift_i z' + h^2 sum
  // increment_ij K_j; and weights of the K in z and z' at nodes between the ends of a step, with
  // those of the nodes in integrals and, with the start of the step behind them, in their errors.
  bool linear = false;
  std::vector<double> coupling, increment, drift, time_share;
  std::vector<double> node_bar, node, node_c, node_weight, node_error;

  // Whether the only unknown stage is the end of the step.
  bool ends_at_stage() const;
  std::vector<double> numbers() const;  // in the order of kernels::TableauView
  kernels::TableauView view(const double* numbers) const;
};

// Parameters of Newmark's method and its generalisations: those of the analysis for newmark, by the
// spectral radius at infinite frequency for hht and generalised-alpha, and those of the trapezoidal
// rule for any other integrator.
struct NewmarkFamily {
  double alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5;

  // Of the algorithmic acceleration, by its own, the true one at the start and that at the end.
  std::array<double, 3> update() const {
    return {-alpha_m / (1 - alpha_m), alpha_f / (1 - alpha_m), (1 - alpha_f) / (1 - alpha_m)};
  }
  bool is_trapezoidal() const { return alpha_m == alpha_f && beta == 0.25 && gamma == 0.5; }
};
NewmarkFamily newmark_family(const Analysis& analysis);

// The method of an analysis, one of keys::integrators, with an error estimate where it has one and
// is asked for it. Throws InputError if there is none.
Tableau make_tableau(const Analysis& analysis);

}  // namespace gradus
