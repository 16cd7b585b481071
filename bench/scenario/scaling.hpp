// How the cost of a step grows with the number of bodies.
#pragma once

#include <string>
#include <vector>

#include <gradus/gradus.hpp>
#include <nlohmann/json.hpp>

namespace gradus::bench {

// One curve: a family of chains integrated in one way.
struct Curve {
  std::string chain;
  Model (*make)(int bodies);
  std::string formulation;
  int fewest = 1;  // bodies
};

// What is measured at every size.
struct ScalingSettings {
  std::vector<int> bodies;
  int repeats = 5;
  double processor_s = 0.2;  // that the steps of one measurement take at least
  int octaves = 3;           // the last of them, to which the exponent is fitted
};

// Processor time of a step of rk4, the motion alone, on one thread, without what happens once: the
// difference of a long and a short run by the difference of their steps. Each size has `deviation`,
// how far the last tip is after a few steps from where the other formulation puts it (of chains
// that are held, a link in the middle); where it is too large, there is no time.
nlohmann::ordered_json measure(const Curve& curve, const ScalingSettings& settings);

}  // namespace gradus::bench
