// The arm of pypi_peers.py with the analytic derivatives of Pinocchio, as right-hand side for
// dop853.c: rates of angles and velocities, of their 28 columns, the integrand and its gradient.
// From M(q, p) a + b(q, v, p) = 0,
//
//   da/dp = (da/dq) dq/dp + (da/dv) dv/dp - M^-1 Y dπ/dp
//
// where the derivatives of a and M^-1 are those of the articulated-body algorithm, and Y is the
// regressor of the joint torques: their derivatives by the inertial parameters π of the links, (m,
// m c, inertia about the joint).

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/multibody.hpp>

#include <cstring>
#include <memory>

namespace {

constexpr int links = 7, columns = 28;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Joints = Eigen::Matrix<double, links, 1>;
using Columns = Eigen::Matrix<double, links, columns>;

pinocchio::Model model;
std::unique_ptr<pinocchio::Data> data;
Vector3 tip_of_last, target;
Matrix3 inertias[links];
double current[columns];  // parameters to which the model was set
Eigen::Matrix<double, 10, 4>
    changes[links];  // of the inertial parameters by mass and centre of mass

// Pinocchio stores xx, xy, yy, xz, yz, zz.
Eigen::Matrix<double, 6, 1> six(const Matrix3& m) {
  return (Eigen::Matrix<double, 6, 1>() << m(0, 0), m(0, 1), m(1, 1), m(0, 2), m(1, 2), m(2, 2))
      .finished();
}

Matrix3 steiner(const Vector3& a, const Vector3& b) {
  return a.dot(b) * Matrix3::Identity() - (a * b.transpose() + b * a.transpose()) / 2;
}

void set(const double* p) {
  if (std::memcmp(p, current, sizeof current) == 0) return;
  std::memcpy(current, p, sizeof current);
  for (int i = 0; i < links; ++i, p += 4) {
    const Vector3 centre(p[1], p[2], p[3]);
    model.inertias[i + 1] = pinocchio::Inertia(p[0], centre, inertias[i]);
    auto& change = changes[i];
    change.setZero();
    change.col(0) << 1, centre, six(steiner(centre, centre));
    for (int k = 0; k < 3; ++k) {
      change(1 + k, 1 + k) = p[0];
      change.col(1 + k).tail<6>() = six(2 * p[0] * steiner(centre, Vector3::Unit(k)));
    }
  }
}

void evaluate(const double* y, const double* p, double* rate, double* integrand) {
  set(p);
  const Joints q = Eigen::Map<const Joints>(y), v = Eigen::Map<const Joints>(y + links);
  const Eigen::Map<const Eigen::Matrix<double, 2 * links, columns>> s(y + 2 * links);
  pinocchio::computeABADerivatives(model, *data, q, v, Joints::Zero());
  const Joints a = data->ddq;
  if (integrand != nullptr) {
    const auto& last = data->oMi[links];
    const Vector3 tip = last.act(tip_of_last), miss = tip - target;
    const auto& jacobian = data->J;
    Joints slope;
    for (int i = 0; i < links; ++i) {
      const Vector3 turn = jacobian.col(i).tail<3>(), shift = jacobian.col(i).head<3>();
      slope[i] = 2 * miss.dot(shift + turn.cross(tip));
    }
    integrand[0] = miss.squaredNorm();
    Eigen::Map<Eigen::Matrix<double, 1, columns>> gradient(integrand + 1);
    gradient.noalias() = slope.transpose() * s.topRows<links>();
  }
  Eigen::Matrix<double, links, links> inverse = data->Minv;
  inverse.triangularView<Eigen::StrictlyLower>() = inverse.transpose();
  const Eigen::Matrix<double, links, links> by_q = data->ddq_dq, by_v = data->ddq_dv;
  const auto& regressor = pinocchio::computeJointTorqueRegressor(model, *data, q, v, a);
  Columns torque;
  for (int i = 0; i < links; ++i) {
    torque.middleCols<4>(4 * i).noalias() = regressor.middleCols<10>(10 * i) * changes[i];
  }
  Eigen::Map<Joints> velocities(rate), accelerations(rate + links);
  velocities = v;
  accelerations = a;
  Eigen::Map<Eigen::Matrix<double, 2 * links, columns>> ds(rate + 2 * links);
  ds.topRows<links>() = s.bottomRows<links>();
  Columns sum = by_q * s.topRows<links>();
  sum.noalias() += by_v * s.bottomRows<links>();
  sum.noalias() -= inverse * torque;
  ds.bottomRows<links>() = sum;
}

}  // namespace

extern "C" {

/// `axes` has one of the letters y and z for each joint; inertias are principal ones about the
/// centres of mass.
void build(const char* axes, const double* lengths, const double* principal, const double* where,
           double gravity) {
  model = pinocchio::Model();
  model.gravity.linear() = Vector3(0, 0, -gravity);
  for (int i = 0; i < links; ++i) {
    const pinocchio::SE3 place(Matrix3::Identity(),
                               i == 0 ? Vector3::Zero() : Vector3(0, 0, lengths[i - 1]));
    const auto name = "hinge" + std::to_string(i + 1);
    if (axes[i] == 'z')
      model.addJoint(i, pinocchio::JointModelRZ(), place, name);
    else
      model.addJoint(i, pinocchio::JointModelRY(), place, name);
    inertias[i] =
        Vector3(principal[3 * i], principal[3 * i + 1], principal[3 * i + 2]).asDiagonal();
  }
  tip_of_last = Vector3(0, 0, lengths[links - 1]);
  target = Vector3(where[0], where[1], where[2]);
  data = std::make_unique<pinocchio::Data>(model);
}

int all(const double** arg, double** res, long long*, double*, int) {
  evaluate(arg[0], arg[1], res[0], res[1]);
  return 0;
}

int rates(const double** arg, double** res, long long*, double*, int) {
  evaluate(arg[0], arg[1], res[0], nullptr);
  return 0;
}
}
