// The scenarios of the gradient benchmark.
#pragma once

#include <string>
#include <vector>

#include <gradus/gradus.hpp>

namespace gradus::bench {

struct Scenario {
  std::string name;
  Model model;
  Options options;
  double target_s =
      0.0;  // total time wished for, stated beside what was measured, never asserted; 0: none
  double deviation =
      0.0;  // largest difference from the reference gradient that is accepted, see measurement.hpp
};

// quick: a few steps of a few of them.
std::vector<Scenario> scenarios(bool quick);

}  // namespace gradus::bench
