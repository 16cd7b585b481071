// Equations of motion of a planar open chain of bars and their derivatives.
#include "bench/peers/planar_chain.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::bench {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double value_of(const Model& model, const Number& number) {
  if (!number.is_expression()) return number.value();
  for (const gradus::Parameter& parameter : model.parameters)
    if (parameter.name == number.expression()) return parameter.value.value();
  throw InputError("planar chain: found '" + number.expression() + "', expected a parameter");
}

}  // namespace

PlanarChain::PlanarChain(const Model& model)
    : gravity_(-model.gravity[1].value()), duration_(model.analysis.duration) {
  const auto n = static_cast<Index>(model.bodies.size());
  for (VectorXd* values : {&mass_, &length_, &centre_, &moment_}) values->resize(n);
  start_ = VectorXd::Zero(2 * n + 1);
  for (Index i = 0; i < n; ++i) {
    const Body& body = model.bodies[static_cast<std::size_t>(i)];
    mass_[i] = value_of(model, body.mass);
    length_[i] = value_of(model, body.points.at("tip")[0]);
    centre_[i] = value_of(model, body.com[0]);
    moment_[i] = value_of(model, body.inertia.zz);
    const Joint& joint = model.joints[static_cast<std::size_t>(i)];
    start_[i] = (i > 0 ? start_[i - 1] : 0.0) + joint.start[0].position.value();
  }
  for (const gradus::Parameter& parameter : model.parameters) {
    const std::string letters = "mLcJ";
    const auto kind = static_cast<Quantity>(letters.find(parameter.name[0]));
    parameters_.push_back({kind, std::stoi(parameter.name.substr(2)) - 1});
    parameter_values_.push_back(parameter.value.value());
  }
  fill_constants();
}

void PlanarChain::fill_constants() {
  const Index n = bars();
  beyond_ = VectorXd::Zero(n);
  for (Index i = n - 1; i > 0; --i) beyond_[i - 1] = beyond_[i] + mass_[i];
  weight_ = mass_.cwiseProduct(centre_) + length_.cwiseProduct(beyond_);
  coupling_.resize(n, n);
  for (Index j = 0; j < n; ++j) {
    coupling_(j, j) = mass_[j] * centre_[j] * centre_[j] + length_[j] * length_[j] * beyond_[j];
    for (Index i = 0; i < j; ++i) coupling_(i, j) = coupling_(j, i) = length_[i] * weight_[j];
  }
  by_parameter_ = MatrixXd::Zero(n, parameters());
  for (MatrixXd* columns : {&column_angles_, &column_speeds_, &column_accelerations_})
    columns->resize(n, parameters());
  for (Kept* kept : {&angles_of_, &accelerations_of_, &tangents_of_})
    kept->state = VectorXd::Constant(states(), NAN);  // none yet
}

bool PlanarChain::Kept::renew(const double* other) {
  if (std::equal(state.begin(), state.end(), other)) return false;
  state = Map<const VectorXd>(other, state.size());
  return true;
}

void PlanarChain::make_angles(const double* state) {
  if (!angles_of_.renew(state)) return;
  const Index n = bars();
  cos_ = Map<const VectorXd>(state, n).array().cos();
  sin_ = Map<const VectorXd>(state, n).array().sin();
}

void PlanarChain::make_accelerations(const double* state) {
  make_angles(state);
  if (!accelerations_of_.renew(state)) return;
  const Index n = bars();
  const Map<const VectorXd> speed(state + n, n);
  cos_between_.noalias() = cos_ * cos_.transpose();
  cos_between_.noalias() += sin_ * sin_.transpose();
  sin_between_.noalias() = sin_ * cos_.transpose();
  sin_between_.noalias() -= cos_ * sin_.transpose();
  mass_matrix_ = coupling_.cwiseProduct(cos_between_);
  mass_matrix_.diagonal() += moment_;
  factor_.compute(mass_matrix_);
  sin_between_.array() *= coupling_.array();  // C_ij sin from here on
  cos_between_.array() *= coupling_.array();  // C_ij cos
  acceleration_.noalias() = -(sin_between_ * speed.cwiseAbs2());
  acceleration_ -= gravity_ * weight_.cwiseProduct(cos_);
  factor_.solveInPlace(acceleration_);
}

void PlanarChain::rates(const double* state, double* rates) {
  make_accelerations(state);
  const Index n = bars();
  std::copy(state + n, state + 2 * n, rates);
  std::copy(acceleration_.begin(), acceleration_.end(), rates + n);
  rates[2 * n] = std::pow(length_.dot(cos_), 2) + std::pow(length_.dot(sin_), 2);
}

void PlanarChain::make_tangents(const double* state) {
  make_accelerations(state);
  if (!tangents_of_.renew(state)) return;
  const Index n = bars();
  const Map<const VectorXd> speed(state + n, n);
  by_angle_ = sin_between_ * acceleration_.asDiagonal();
  by_angle_ -= cos_between_ * speed.cwiseAbs2().asDiagonal();
  by_angle_.diagonal().setZero();
  const VectorXd others = by_angle_.rowwise().sum();
  by_angle_.diagonal() = -others - gravity_ * weight_.cwiseProduct(sin_);
  by_rate_ = sin_between_ * (2.0 * speed).asDiagonal();
  make_parameter_partials(state);
  make_objective_partials();
}

// With e_j = alpha_j v_j - omega_j^2 u_j and B_k = sum_j a_kj e_j + g y, what bar k weighs and
// what accelerates it, R_i = v_i . sum_k m_k a_ki B_k + J_i alpha_i.
void PlanarChain::make_parameter_partials(const double* state) {
  const Index n = bars();
  const Eigen::ArrayXd square = Map<const VectorXd>(state + n, n).array().square();
  const Eigen::ArrayXd x = -acceleration_.array() * sin_.array() - square * cos_.array();
  const Eigen::ArrayXd y = acceleration_.array() * cos_.array() - square * sin_.array();
  Eigen::ArrayXd bx(n), by(n), beyond_x(n), beyond_y(n);  // B_k; sum of m_k B_k beyond bar i
  double origin_x = 0.0, origin_y = gravity_;
  for (Index k = 0; k < n; ++k) {
    bx[k] = origin_x + centre_[k] * x[k];
    by[k] = origin_y + centre_[k] * y[k];
    origin_x += length_[k] * x[k];
    origin_y += length_[k] * y[k];
  }
  beyond_x[n - 1] = beyond_y[n - 1] = 0.0;
  for (Index k = n - 1; k > 0; --k) {
    beyond_x[k - 1] = beyond_x[k] + mass_[k] * bx[k];
    beyond_y[k - 1] = beyond_y[k] + mass_[k] * by[k];
  }
  for (Index p = 0; p < parameters(); ++p) {
    const auto [quantity, l] = parameters_[static_cast<std::size_t>(p)];
    auto column = by_parameter_.col(p).array();
    const auto across = [&](Index count, double ex, double ey) {  // v_i . e of the first bars
      return cos_.head(count).array() * ey - sin_.head(count).array() * ex;
    };
    if (quantity == Quantity::mass) {
      column.head(l) = length_.head(l).array() * across(l, bx[l], by[l]);
      column[l] = centre_[l] * (cos_[l] * by[l] - sin_[l] * bx[l]);
    } else if (quantity == Quantity::length) {
      column = across(n, x[l], y[l]) * weight_.array();
      column.head(l + 1) = across(l + 1, x[l], y[l]) * length_.head(l + 1).array() * beyond_[l];
      column[l] += cos_[l] * beyond_y[l] - sin_[l] * beyond_x[l];
    } else if (quantity == Quantity::centre) {
      column.head(l) = across(l, x[l], y[l]) * length_.head(l).array() * mass_[l];
      column[l] = mass_[l] *
                  (cos_[l] * (by[l] + centre_[l] * y[l]) - sin_[l] * (bx[l] + centre_[l] * x[l]));
    } else {
      column[l] = acceleration_[l];
    }
  }
}

// Of the rate of the objective.
void PlanarChain::make_objective_partials() {
  const double x = length_.dot(cos_), y = length_.dot(sin_);
  objective_by_angle_ = 2.0 * length_.cwiseProduct(y * cos_ - x * sin_);
  objective_by_parameter_ = VectorXd::Zero(parameters());
  for (Index p = 0; p < parameters(); ++p) {
    const auto [quantity, l] = parameters_[static_cast<std::size_t>(p)];
    if (quantity == Quantity::length)
      objective_by_parameter_[p] = 2.0 * (x * cos_[l] + y * sin_[l]);
  }
}

void PlanarChain::jacobian(const double* state, double* columns) {
  make_tangents(state);
  const Index n = bars();
  Map<MatrixXd> all(columns, 2 * n + 1, 2 * n + 1);
  all.setZero();
  all.block(0, n, n, n).setIdentity();
  all.block(n, 0, n, n) = -by_angle_;
  all.block(n, n, n, n) = -by_rate_;
  auto accelerations = all.block(n, 0, n, 2 * n);
  factor_.solveInPlace(accelerations);
  all.row(2 * n).head(n) = objective_by_angle_;
}

void PlanarChain::column_rates(const double* state, const std::vector<const double*>& columns,
                               const std::vector<double*>& column_rates) {
  make_tangents(state);
  const Index n = bars();
  for (Index p = 0; p < parameters(); ++p) {
    const double* column = columns[static_cast<std::size_t>(p)];
    column_angles_.col(p) = Map<const VectorXd>(column, n);
    column_speeds_.col(p) = Map<const VectorXd>(column + n, n);
  }
  column_accelerations_ = -by_parameter_;
  column_accelerations_.noalias() -= by_angle_ * column_angles_;
  column_accelerations_.noalias() -= by_rate_ * column_speeds_;
  factor_.solveInPlace(column_accelerations_);
  for (Index p = 0; p < parameters(); ++p) {
    double* rates = column_rates[static_cast<std::size_t>(p)];
    Map<VectorXd>(rates, n) = column_speeds_.col(p);
    Map<VectorXd>(rates + n, n) = column_accelerations_.col(p);
    rates[2 * n] = objective_by_angle_.dot(column_angles_.col(p)) + objective_by_parameter_[p];
  }
}

}  // namespace gradus::bench
