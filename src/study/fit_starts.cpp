// Starts drawn by the sampler of sweeps.
#include "src/study/fit_starts.hpp"

#include "src/study/sampler.hpp"

namespace gradus {

std::vector<std::vector<double>> fit_starts(const Fit& fit) {
  std::vector<std::vector<double>> starts(fit.starts, std::vector<double>(fit.variables.size()));
  Sweep sweep;
  sweep.sampling = Sampling::latin_hypercube;
  sweep.seed = fit.seed;
  sweep.designs = fit.starts - 1;
  for (std::size_t i = 0; i < fit.variables.size(); ++i) {
    const Variable& variable = fit.variables[i];
    starts[0][i] = variable.start;
    SweepParameter parameter;
    parameter.name = variable.name;
    parameter.distribution.from = variable.lower;
    parameter.distribution.to = variable.upper;
    sweep.parameters.push_back(parameter);
  }
  if (fit.starts == 1) return starts;
  const Sampler sampler(sweep);
  for (std::size_t k = 1; k < fit.starts; ++k) sampler.sample(k - 1, starts[k]);
  return starts;
}

}  // namespace gradus
