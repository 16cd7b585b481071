// A hundred designs drawn around a model: how far an objective spreads, and which parameters the
// spread comes from.
//   example_batch MODEL.json
#include <gradus/gradus.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

int main(int count, char** values) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s MODEL.json\n", values[0]);
    return 2;
  }
  try {
    const gradus::Model model = gradus::read_model(values[1]);
    gradus::Options options;
    options.designs.count = 100;
    options.designs.spread = 0.005;  // every parameter up to half a per cent off
    options.duration = 1.0;          // s
    const gradus::Result result = gradus::gradient(model, options);

    const std::size_t objectives = result.objectives.size();
    const std::size_t parameters = result.parameters.size();
    for (std::size_t o = 0; o < objectives; ++o) {
      double sum = 0.0;
      double squares = 0.0;
      double good = 0.0;  // designs that did not fail
      for (std::size_t d = 0; d < result.n_design; ++d) {
        if (!result.status[d].ok) continue;
        const double value = result.objective_values[d * objectives + o];
        sum += value;
        squares += value * value;
        good += 1.0;
      }
      if (good < 2.0) throw gradus::NumericalError("too few designs have a motion");
      const double mean = sum / good;
      const double deviation = std::sqrt(std::fmax(squares / good - mean * mean, 0.0));
      std::printf("%s: mean %.6g, standard deviation %.3g %s, %.0f designs\n",
                  result.objectives[o].name.c_str(), mean, deviation,
                  result.objectives[o].unit.c_str(), good);
      // The first design is the model itself: its gradient says what each parameter contributes. A
      // uniform variable between -1 and 1 has the standard deviation 1/sqrt(3).
      for (std::size_t p = 0; p < parameters; ++p) {
        const double width = options.designs.spread * result.parameter_values[p] / std::sqrt(3.0);
        std::printf("  from %-6s %.3g\n", result.parameters[p].name.c_str(),
                    std::fabs(result.gradient[o * parameters + p] * width));
      }
    }
    return result.all_ok() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
