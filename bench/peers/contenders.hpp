// Who computes the gradient of a planar chain, and by which settings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gradus/gradus.hpp>

#include "bench/peers/planar_chain.hpp"

namespace gradus::bench {

struct Outcome {
  double objective = 0.0;
  std::vector<double> gradient;  // empty for a motion alone
  double steps = 0.0;
};

// One way with one choice of settings; an accuracy is the relative tolerance of a step.
struct Contender {
  std::string settings;
  std::function<Outcome(double accuracy)> gradient, motion;
};

// Ways that share a row of the table: the fastest of its contenders stands for it.
struct Way {
  std::string program, method;
  std::vector<Contender> contenders;
};

std::vector<Way> ways(const Model& model, const std::shared_ptr<PlanarChain>& chain);

// By both programs with narrow tolerances: what the errors are measured by, and its proof.
Outcome converged_by_gradus(const Model& model);
Outcome converged_by_cvodes(PlanarChain& chain);

}  // namespace gradus::bench
