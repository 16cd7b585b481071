// Accelerations by the null space of the constraints.
#include "tests/oracle/oracle.hpp"

namespace oracle {

Eigen::VectorXd accelerations_by_null_space(const Model<double>& model, const State<double>& state,
                                            double time) {
  const Constraints<double> constraints = evaluate_constraints(model, state, time);
  const Eigen::MatrixXd mass = mass_matrix(model, state);
  const Eigen::VectorXd load = load_vector(model, state, time);
  if (constraints.jacobian.rows() == 0) return mass.partialPivLu().solve(load);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(kRankThreshold);
  factors.compute(constraints.jacobian);
  const Eigen::VectorXd particular = factors.solve(constraints.acceleration);
  const Eigen::Index freedom = mass.cols() - factors.rank();
  if (freedom == 0) return particular;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> transposed(constraints.jacobian.transpose());
  const Eigen::MatrixXd orthogonal = transposed.householderQ();
  const Eigen::MatrixXd null_space = orthogonal.rightCols(freedom);
  const Eigen::MatrixXd reduced = null_space.transpose() * mass * null_space;
  return particular + null_space * reduced.partialPivLu().solve(null_space.transpose() *
                                                                (load - mass * particular));
}

}  // namespace oracle
