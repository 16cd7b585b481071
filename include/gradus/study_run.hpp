// How the designs of a study were run: what results repeat of it.
#pragma once

#include <cstddef>
#include <string>

namespace gradus {

// What steps of fixed length make objectives and gradients wrong by, estimated for some designs of
// a study; see Options::estimate_every.
struct StepErrors {
  std::size_t designs = 0;     // that were looked at
  std::size_t remarkable = 0;  // of these, with an error beyond 1 %
  double largest = 0.0;        // relative; NaN: runs by other steps fail
  std::string objective;       // that has it; of fits the component of a sensor
  bool of_gradient = false;    // its row of the gradient has
};

struct StudyRun {
  std::string study;
  std::string description;
  std::string model;
  std::string backend;  // its kind: "cpu", "debug" or "cuda"
  std::string formulation;
  std::string integrator;
  // Of the motions that results are of: how many were stiff, and the integrator that ran these
  std::size_t stiff_designs = 0;
  std::string stiff_integrator;
  std::string coordinates;  // "joint" or "reference-point"
  std::string reference;
  std::string method;     // of the sensitivities
  double step = 0.0;      // s
  double duration = 0.0;  // s
  std::size_t steps = 0;  // as of Result
  bool adaptive = false;
  StepErrors step_errors;  // of sweeps, optima and fitted designs
};

}  // namespace gradus
