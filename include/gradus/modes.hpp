// Small motions of a mechanism about its start: linearised equations, eigenvalues, modes, and how
// these change with parameters.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/result.hpp"
#include "gradus/run.hpp"

namespace gradus {

// What a mechanism does near the state x0 at which it starts, for small deviations x and for small
// changes p of its parameters: x' = rates + A x + B p, and outputs y = y0 + C x + D p. Exact
// derivatives, of constraints too: x has the independent coordinates and their rates only. The time
// is that of the start. docs/theory.md, section 23.
//
// Deviations of turns are small rotation vectors, and those of their rates angular velocities, in
// the axes that `axes` names.
struct Linearization {
  std::string model;
  std::string start;  // "stated" or "equilibrium", as the model says
  std::string axes;   // "parent", or "body" where all coefficients stay the same in these only
  std::vector<NamedUnit> states;         // of x: coordinates, their rates, states of the model
  std::vector<NamedUnit> parameters;     // of p
  std::vector<NamedUnit> outputs;        // of y: components of the sensors
  std::vector<NamedUnit> coordinates;    // of the mechanism, as Result::coordinates
  std::vector<double> start_state;       // [2 n_coordinate] coordinates and rates at the start
  std::vector<double> parameter_values;  // [n_parameter]
  std::vector<double> output_values;     // y0 [n_output]
  std::vector<double> rates;             // x' at the start [n_state]; 0 at an equilibrium
  std::vector<double> a;                 // [n_state, n_state]
  std::vector<double> b;                 // [n_state, n_parameter]
  std::vector<double> c;                 // [n_output, n_state]; NaN where an output has no
  std::vector<double> d;                 // [n_output, n_parameter] derivative, as a speed at rest
  // [n_parameter, n_state, n_state] of modes() with gradients: how A changes with each parameter,
  // the start going along
  std::vector<double> a_gradient;
  // Of modes(): by how much inputs that differ in their last digits move A and the rates, and the
  // changes of A in a few such samples.
  std::vector<double> a_noise;     // [n_state, n_state]
  std::vector<double> rate_noise;  // [n_state]
  std::vector<double> a_samples;   // [n_sample, n_state, n_state]
  // [n_state, n_state] of modes(): how A changes with time along the motion that begins at the
  // start (1/s), by the state alone, not by laws of the time. Empty of linearize(), and at rest.
  std::vector<double> a_rate;
  bool varies = false;  // of modes(): whether it does so, beyond round-off
  // States that are not in x: those sampled by a clock are held, those that count turns left out.
  std::vector<std::string> held_states;
  // What has laws that read the time, which is that of the start for all of the above.
  std::vector<std::string> laws_of_time;

  std::size_t n_state() const { return states.size(); }
};

// One eigenvalue of A, of a pair that with the positive imaginary part.
struct Mode {
  std::complex<double> eigenvalue;          // 1/s
  std::vector<std::complex<double>> shape;  // [n_state] A v = eigenvalue v, |v| = 1
  std::vector<std::complex<double>> left;   // [n_state] w^T A = eigenvalue w^T, w^T v = 1
  double rounding = 0.0;                    // 1/s, by how much round-off may move the eigenvalue
  // Round-off cannot tell it from another eigenvalue, or takes the start to the other side of a
  // kink, so that it has no derivative: `left` and `gradient` are NaN.
  bool repeated = false;
  std::vector<std::complex<double>> gradient;  // [n_parameter]; empty unless asked for

  double frequency() const;      // Hz, of the oscillation: |Im| / (2 pi)
  double damping_ratio() const;  // -Re / |eigenvalue|; NaN for 0
};

// "-0.2 ± 4.1 i", without parts that are round-off.
std::string to_string(const Mode& mode, int digits = 6);

struct Modes {
  Linearization linearization;
  std::vector<Mode> modes;  // slowest first, by the size of the eigenvalue
  // Of the equations of this instant, with what is sampled held: "stable": all decay; "unstable":
  // one grows; "neutral": the largest real part is 0, as far as round-off lets one see; "not
  // steady": the start is no equilibrium and no steady motion, so that A does not stay as it is,
  // and its eigenvalues are those of an instant.
  std::string stability;
};

// At the parameters of the model, or those that options set; of the other options `log` and
// `cancelled` count. Throws InputError for what is wrong with the model or has no small motions,
// NumericalError where the motion cannot start.
Linearization linearize(const Model& model, const Options& options = {});

// Eigenvalues and modes of A; with `gradients` how they change with the parameters, exactly: the
// linearised equations are differentiated by dual numbers, the start (an equilibrium among them)
// going along. Throws as linearize does, and BackendError where the module of dual numbers cannot
// be had.
Modes modes(const Model& model, const Options& options = {}, bool gradients = true);

}  // namespace gradus
