// One design at its start on the host, for those who tell people about its motions there.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {

// Of a request, with these parameters, by ali3p, which forms the matrices. No kernel has run.
struct StartedDesign {
  MotionRequest request;
  HostSetup setup;
  HostChunk<double> chunk;

  StartedDesign(const MotionRequest& of, std::span<const double> parameters);

  Eigen::MatrixXd matrix(int offset, Eigen::Index rows, Eigen::Index columns);

  // Orthonormal basis of the motions of the first coordinates that the first rows of the
  // constraints leave free.
  Eigen::MatrixXd free_of_constraints(int rows, Eigen::Index coordinates);

  // Names of those that take part in one of the motions of the coordinates, the columns.
  std::vector<std::string> moving_joints(const Eigen::MatrixXd& motions) const;
};

}  // namespace gradus
