// Random mechanisms that are tied once too often, come to singular configurations, or have
// constraints that are redundant; and what must hold for all that is recorded of them, computed
// from sensors alone.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"

namespace gradus::test {

// Sensors of one instant by name.
class Instant {
 public:
  Instant(const Result& result, const Trajectory& trajectory, std::size_t row);

  double time() const { return time_; }
  double number(const std::string& sensor) const { return at(sensor)[0]; }
  std::array<double, 3> vector(const std::string& sensor) const {
    const double* const numbers = at(sensor);
    return {numbers[0], numbers[1], numbers[2]};
  }

 private:
  const double* at(const std::string& sensor) const;

  const Result& result_;
  const double* numbers_;
  double time_;
};

enum class Demand {
  runs,     // the constraints agree with each other, and the motion is regular: it must run
  honesty,  // it may fail, but must not go on with wrong numbers
};

struct TiedModel {
  Model model;
  Demand demand = Demand::honesty;
  double size = 1.0;          // m, of the mechanism: its longest bar
  bool keeps_energy = false;  // nothing drives or brakes it
  // How far constraints are from holding, lengths relative to the size.
  std::vector<std::function<double(const Instant&)>> violations;
  // Kinetic and potential energy of each body.
  std::vector<std::function<double(const Instant&)>> kinetic, potential;
};

// Builds linkages of bars, most of them in the plane x y.
class Linkage {
 public:
  Linkage(std::string name, std::mt19937_64& generator);

  void set_size(double size);  // m; gravity goes with it, so that all move at similar rates

  double draw(double low, double high);
  int choose(int count) { return static_cast<int>(draw(0.0, 1.0) * count) % count; }
  bool toss() { return choose(2) == 1; }

  // A point of the ground, and a bar that hangs by a hinge of the same name on a point; `start` is
  // the angle relative to its parent.
  void add_ground(const std::string& point, double x, double y, double z = 0.0);
  void add_bar(const std::string& name, const std::string& at, double length, double start,
               bool is_guess, double rate = 0.0);
  // Lets the last bar, which begins at the origin, slide in the plane as well, or turn about all
  // axes from there, with the angle 0.
  void make_planar(double angle);
  void make_ball();
  // Closes a loop between two points, by a joint, or by constraints, and watches it.
  void pin(const std::string& name, const std::string& first, const std::string& second);
  void pin_as(int kind, const std::string& name, const std::string& first,
              const std::string& second);
  // Expression of sensors and the time that is to be zero; `expected` is what it says.
  void demand(const std::string& name, const std::string& expression,
              std::function<double(const Instant&)> expected);
  void keep_distance(const std::string& name, const std::string& first, const std::string& second,
                     const std::string& value, std::function<double(double)> expected);
  // The coordinate of a hinge follows a law of the time.
  void drive(const std::string& name, const std::string& hinge, const std::string& law,
             std::function<double(double)> expected);
  std::string watch_point(const std::string& point);  // its sensor
  std::string watch_turn(const std::string& hinge);

  void shorten(double duration) { tied_.model.analysis.duration = duration; }
  void refine(double step) { tied_.model.analysis.step = step; }

  TiedModel finish(Demand demand, bool keeps_energy);

 private:
  void watch_energy(const std::string& body, double mass, double inertia);

  std::mt19937_64& generator_;
  TiedModel tied_;
  std::map<std::string, std::string> watched_;  // sensors of points
};

// One of the kinds below with random numbers.
TiedModel draw_tied_model(std::size_t number);
std::size_t tied_kinds();

}  // namespace gradus::test
