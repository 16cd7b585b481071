// A motion in two halves, the second of which begins where the first ends, and the gradient of its
// last number by the chain rule: what the second half passes back to its start state is what the
// final state of the first is worth.
//   example_products MODEL.json
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "gradus/gradus.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL.json\n", argv[0]);
    return 2;
  }
  try {
    gradus::Options options;
    options.backend = "cpu:1";
    options.formulation = "matrix-r";
    options.integrator = "rk4";
    options.duration = 0.25;  // s, of a half
    gradus::Exchange exchange;
    exchange.start_states = true;
    exchange.final_state = true;
    exchange.times = {0.25};  // s, when sensors are handed over
    exchange.sensors = {"r2"};
    const gradus::Model model = gradus::read_model(argv[1]);
    const gradus::Mechanism half(model, options, exchange);
    gradus::Session session(half);

    const std::vector<double> parameters(half.nominal().begin(), half.nominal().end());
    const std::vector<double> start = half.start_state();  // coordinates, then rates
    std::vector<double> middle(start.size());
    session.evaluate({parameters, start}, {{}, {}, middle});

    // The gradient of r2.y at the end, by parameters and by the state in the middle.
    const std::vector<double> weights = {0.0, 1.0, 0.0};
    std::vector<double> second(parameters.size());
    std::vector<double> passed_back(middle.size());
    session.vector_jacobian({parameters, middle}, {{}, weights, {}}, {second, passed_back});
    // What the parameters change through that state.
    std::vector<double> first(parameters.size());
    session.vector_jacobian({parameters, start}, {{}, {}, passed_back}, {first, {}});

    // The same in one go.
    options.duration = 0.5;
    exchange.times = {0.5};
    const gradus::Mechanism whole(model, options, exchange);
    std::vector<double> expected(parameters.size());
    gradus::Session(whole).vector_jacobian({parameters, start}, {{}, weights, {}}, {expected, {}});
    double worst = 0.0;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      std::printf("d r2.y / d %-5s %+.12f in two halves, %+.12f in one\n",
                  model.parameters[p].name.c_str(), first[p] + second[p], expected[p]);
      worst = std::fmax(worst, std::fabs(first[p] + second[p] - expected[p]));
    }
    return worst < 1e-9 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
