// Sessions allocate nothing in a call for as many designs as the one before.
#include <gtest/gtest.h>

#include "tests/unit/mechanism/allocation_count.hpp"
#include "tests/unit/mechanism/exchange_models.hpp"

namespace gradus::test {
namespace {

struct Way {
  const char* formulation;
  const char* integrator;
  const char* method;
};

class Repeated : public testing::TestWithParam<Way> {};

TEST_P(Repeated, CallsAllocateNothing) {
  Options options;
  options.backend = "cpu:1";
  options.formulation = GetParam().formulation;
  options.integrator = GetParam().integrator;
  options.method = GetParam().method;
  const Mechanism mechanism(short_five_bar(), options);
  const Mechanism exchanging(short_five_bar(), options, all_of(short_five_bar()));
  Session session(mechanism);
  Session exchange(exchanging);
  for (const std::size_t count : {1U, 9U}) {
    const InputNumbers at = some_designs(exchanging, count);
    InputNumbers inputs = make_inputs(exchanging, count);
    OutputNumbers outputs = make_outputs(exchanging, count);
    const std::vector<double> rows = designs_around(mechanism, count);
    const std::vector<double> directions(rows.size(), 0.5);
    const std::vector<double> weights(count * mechanism.objective_count(), 0.5);
    std::vector<double> objectives(weights.size());
    std::vector<double> gradient(objectives.size() * mechanism.parameter_count());
    std::vector<double> products(rows.size());
    Arrays to;
    to.objectives = objectives;
    const auto call = [&] {
      to.gradient = {};
      session.simulate(rows, to);
      to.gradient = gradient;
      session.gradient(rows, to);
      session.jacobian_vector(rows, directions, objectives);
      session.vector_jacobian(rows, weights, products);
      exchange.evaluate(at, outputs.to());
      exchange.jacobian_vector(at, at, outputs.to());
      exchange.vector_jacobian(at, outputs, inputs.to());
    };
    const long before = allocation_count();
    call();
    EXPECT_GT(allocation_count(), before) << "the count sees nothing";
    const long first = allocation_count();
    call();
    EXPECT_EQ(allocation_count(), first) << count << " designs";
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Repeated,
                         testing::Values(Way{"ali3p", "newmark", "direct"},
                                         Way{"ali3p", "newmark", "adjoint"},
                                         Way{"matrix-r", "rk4", "direct"},
                                         Way{"index1", "dop853", "adjoint"},
                                         Way{"penalty", "radau5", "direct"}));

}  // namespace
}  // namespace gradus::test
