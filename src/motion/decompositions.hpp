// Decompositions of small dense matrices, compiled once for all who look at constraints and
// stiffnesses: Eigen's templates take seconds in every source that names them.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace gradus {

// Orthonormal basis of what the rows leave free. Singular values below this share of the largest
// count as none.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& rows, double threshold);

// Singular values, the largest first, and all right singular vectors.
struct SingularVectors {
  Eigen::VectorXd values;
  Eigen::MatrixXd right;
};
SingularVectors singular_vectors(const Eigen::MatrixXd& matrix);

// The left singular vector of the largest singular value.
Eigen::VectorXd first_left_vector(const Eigen::MatrixXd& matrix);

// The shortest solution of least squares. Pivots below this share of the largest count as none.
Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& wanted,
                                  double threshold);

// The columns of a matrix, each the one least dependent on those before it, and what of each does
// not depend on them. Pivots below this share of the largest count as none in the rank.
struct PivotedColumns {
  std::vector<Eigen::Index> order;
  Eigen::VectorXd pivots;
  Eigen::Index rank;
};
PivotedColumns pivoted_columns(const Eigen::MatrixXd& matrix, double threshold);

// Orthonormal basis of what independent rows leave free.
Eigen::MatrixXd complement(const Eigen::MatrixXd& rows);

// Of a symmetric matrix, the smallest eigenvalue first.
struct Eigenvectors {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Eigenvectors eigenvectors(const Eigen::MatrixXd& symmetric);

// Of any matrix, in no order.
struct ComplexEigenvectors {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
ComplexEigenvectors complex_eigenvectors(const Eigen::MatrixXd& matrix);

// Eigenvalues of any matrix, with right and left vectors A v = value v, w^T A = value w^T, all of
// length 1: an eigenvalue that others are not near is that of the last digits of the matrix.
struct ModalVectors {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right, left;  // columns
  // By how much round-off of entries that are as large as any in their row of the balanced matrix
  // moves the eigenvalue.
  Eigen::VectorXd rounding;
};
ModalVectors modal_vectors(const Eigen::MatrixXd& matrix);

// The solution with a square matrix; not finite where that is singular.
Eigen::MatrixXd solution(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);

}  // namespace gradus
