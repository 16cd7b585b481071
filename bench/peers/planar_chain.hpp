// Equations of motion of a planar open chain of bars and their derivatives, written out by hand in
// absolute angles: what a user of a general integrator would write for this mechanism. Shares
// nothing with gradus but the data of the model.
#pragma once

#include <vector>

#include <Eigen/Dense>

#include <gradus/gradus.hpp>

namespace gradus::bench {

// With u_i = (cos theta_i, sin theta_i) and v_i normal to it, the centre of mass of bar k lies at
// sum_j a_kj u_j: a_kj is the length L_j for j < k, the place c_k of the centre for j = k, else 0.
// With C_ij = sum_k m_k a_ki a_kj and b_i = sum_k m_k a_ki the equations are, for every bar i,
//
//   R_i = sum_j C_ij (cos(theta_i - theta_j) alpha_j + sin(theta_i - theta_j) omega_j^2)
//         + J_i alpha_i + g b_i cos theta_i = 0.
//
// The state is (theta, omega, objective), the objective the integral of the squared distance of the
// last tip from the origin. What depends on the state alone is kept until another one is asked for,
// so that columns share the factorised mass matrix and the partial derivatives.
class PlanarChain {
 public:
  // Of bench::planar_chain(): data, start and parameters are read from it.
  explicit PlanarChain(const Model& model);

  int bars() const { return static_cast<int>(mass_.size()); }
  int states() const { return 2 * bars() + 1; }
  int parameters() const { return static_cast<int>(parameters_.size()); }
  double duration() const { return duration_; }
  const std::vector<double>& parameter_values() const { return parameter_values_; }
  const Eigen::VectorXd& start() const { return start_; }

  void rates(const double* state, double* rates);
  // Exact Jacobian of the rates, by columns.
  void jacobian(const double* state, double* columns);
  // Of all columns d state/d parameter, each an array of its own.
  void column_rates(const double* state, const std::vector<const double*>& columns,
                    const std::vector<double*>& column_rates);

 private:
  enum class Quantity { mass, length, centre, moment };
  struct Parameter {
    Quantity quantity;
    int bar;
  };
  // The last state for which something was made.
  struct Kept {
    Eigen::VectorXd state;
    bool renew(const double* other);  // whether it was another one, which it then is
  };

  void fill_constants();
  void make_angles(const double* state);
  void make_accelerations(const double* state);
  void make_tangents(const double* state);
  void make_parameter_partials(const double* state);
  void make_objective_partials();

  Eigen::VectorXd mass_, length_, centre_, moment_;
  double gravity_ = 0.0, duration_ = 0.0;
  Eigen::VectorXd start_;
  std::vector<Parameter> parameters_;
  std::vector<double> parameter_values_;
  Eigen::VectorXd beyond_, weight_;  // mass beyond bar i; b_i
  Eigen::MatrixXd coupling_;         // C

  Kept angles_of_, accelerations_of_, tangents_of_;
  Eigen::VectorXd cos_, sin_;
  Eigen::MatrixXd cos_between_, sin_between_;  // of theta_i - theta_j
  Eigen::MatrixXd mass_matrix_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd acceleration_;
  Eigen::MatrixXd by_angle_, by_rate_, by_parameter_;  // partial derivatives of R
  Eigen::VectorXd objective_by_angle_, objective_by_parameter_;
  Eigen::MatrixXd column_angles_, column_speeds_, column_accelerations_;
};

}  // namespace gradus::bench
