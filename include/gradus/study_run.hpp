// How the designs of a study were run: what results repeat of it.
#pragma once

#include <cstddef>
#include <string>

namespace gradus {

struct StudyRun {
  std::string study;
  std::string description;
  std::string model;
  std::string backend;  // its kind: "cpu", "debug" or "cuda"
  std::string formulation;
  std::string integrator;
  std::string reference;
  std::string method;     // of the sensitivities
  double step = 0.0;      // s
  double duration = 0.0;  // s
  std::size_t steps = 0;  // as of Result
  bool adaptive = false;
};

}  // namespace gradus
