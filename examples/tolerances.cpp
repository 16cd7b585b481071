// A sweep in a program: how far tolerances spread an objective, and which parameter causes it.
#include <cstdio>
#include <exception>

#include "gradus/gradus.hpp"

namespace {

gradus::SweepParameter normal(const char* name, double mean, double deviation) {
  gradus::SweepParameter parameter;
  parameter.name = name;
  parameter.distribution.kind = gradus::Distribution::Kind::normal;
  parameter.distribution.mean = mean;
  parameter.distribution.standard_deviation = deviation;
  return parameter;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: example_tolerances models/five-bar/five-bar.json\n");
    return 2;
  }
  try {
    gradus::Study study;
    study.name = "tolerances";
    study.model = gradus::read_model(argv[1]);
    study.options.backend = "cpu";
    study.options.duration = 0.5;
    gradus::Sweep sweep;
    sweep.sampling = gradus::Sampling::latin_hypercube;
    sweep.designs = 500;
    sweep.parameters = {normal("L_s1", 2.236, 0.01), normal("m_A1", 1.0, 0.02)};
    study.sweep = sweep;

    const gradus::SweepResult result = gradus::sweep(study);
    for (const gradus::ObjectiveStatistics& s : result.statistics) {
      std::printf("%s: mean %.6g, 90 %% between %.6g and %.6g\n", s.objective.name.c_str(),
                  s.mean.value, s.quantiles.front().value.value, s.quantiles.back().value.value);
      for (const gradus::Driver& driver : s.drivers)
        std::printf("  %s causes %.1f %% of the variance\n", driver.parameter.c_str(),
                    100.0 * driver.first_order.value);
    }
    return result.failed() == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
