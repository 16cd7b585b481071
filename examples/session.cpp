// examples/session.cpp: a mechanism compiled once, and designs evaluated by a session.
//   example_session MODEL.json
#include <cstdio>
#include <exception>
#include <vector>

#include <gradus/gradus.hpp>

int main(int count, char** values) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s MODEL.json\n", values[0]);
    return 2;
  }
  try {
    gradus::Options options;
    options.backend = "cpu:1";
    options.duration = 0.1;  // s
    const gradus::Mechanism mechanism(gradus::read_model(values[1]), options);
    const gradus::Result names = mechanism.names();
    const std::size_t parameters = mechanism.parameter_count();
    const std::size_t objectives = mechanism.objective_count();

    // Three designs, by rows: the last parameter as stated, 1 % larger and a hundred times as
    // large.
    std::vector<double> designs;
    for (const double factor : {1.0, 1.01, 100.0}) {
      designs.insert(designs.end(), mechanism.nominal().begin(), mechanism.nominal().end());
      designs.back() *= factor;
    }
    std::vector<double> objective_values(3 * objectives);
    std::vector<double> gradient(3 * objectives * parameters);
    gradus::Arrays to;  // what is left empty is not written
    to.objectives = objective_values;
    to.gradient = gradient;

    gradus::Session session(mechanism);
    const std::size_t failed = session.gradient(designs, to);
    for (std::size_t d = 0; d < 3; ++d) {
      const gradus::DesignStatus status = session.status(d);
      if (!status.ok) {
        std::printf("design %zu failed at %g s: %s\n", d, status.time, status.message.c_str());
        continue;
      }
      for (std::size_t o = 0; o < objectives; ++o) {
        const std::size_t row = d * objectives + o;
        std::printf("design %zu: %s = %.6g %s, by %s: %.6g\n", d, names.objectives[o].name.c_str(),
                    objective_values[row], names.objectives[o].unit.c_str(),
                    names.parameters[0].name.c_str(), gradient[row * parameters]);
      }
    }
    return failed == 1 ? 0 : 1;  // the last design cannot be assembled
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
