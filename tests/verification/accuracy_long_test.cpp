// An accuracy that is asked for, on random mechanisms.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/verification/accuracy.hpp"
#include "tests/verification/check_mechanisms.hpp"

namespace gradus::test {
namespace {

TEST(AccuracyLong, IsMetOnFiftyMechanisms) {
  std::size_t met = 0, refused = 0;
  double worst = 0.0, runs = 0.0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    Model model = random_model_to_check(seed);
    model.analysis.formulation = "ali3p";
    model.analysis.integrator.clear();
    model.analysis.duration = 0.3;
    Options options;
    options.backend = "cpu:1";
    options.accuracy = 1e-6;
    options.log = [&](const std::string& line) {
      if (line.rfind("accuracy:", 0) == 0) runs += 1.0;
    };
    const Result result = gradient(model, options);
    if (!result.all_ok()) {
      ++refused;
      std::cout << seed << ": " << result.status[0].message << "\n";
      continue;
    }
    const Result truth = converged(model, options);
    if (!truth.all_ok()) {
      std::cout << seed << ": no reference, " << truth.status[0].message << "\n";
      continue;
    }
    const double error = errors_of(result, truth).largest();
    EXPECT_LT(error, 3e-6) << seed;
    worst = std::max(worst, error);
    ++met;
  }
  std::cout << met << " met, " << refused << " refused, the worst error " << worst << "\n";
  EXPECT_GE(met, 45U);
}

}  // namespace
}  // namespace gradus::test
