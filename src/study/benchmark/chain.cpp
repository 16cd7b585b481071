// Open chains of bars, of any size: what the time of a mechanism is measured with.
#include "src/study/benchmark/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gradus/error.hpp"

namespace gradus {
namespace {

// Turns quantity k of the chain (number * bodies + body) into a parameter, or leaves it a number.
// With more parameters than quantities each quantity is the sum of equally many.
class Quantities {
 public:
  Quantities(Model& model, int bodies, int parameters)
      : model_(model),
        chosen_(static_cast<std::size_t>(4 * bodies)),
        terms_(std::max(1, parameters / (4 * bodies))) {
    parameters = std::min(parameters, 4 * bodies);
    // Masses and lengths first, spread along the chain; then centres of mass and inertias.
    const int first = std::min(parameters, 2 * bodies);
    spread(0, bodies, (first + 1) / 2);
    spread(bodies, bodies, first / 2);
    spread(2 * bodies, 2 * bodies, parameters - first);
  }

  Number make(int quantity, const std::string& name, const char* unit, double value) {
    if (!chosen_[static_cast<std::size_t>(quantity)]) return value;
    if (terms_ == 1) return add(name, unit, value);
    std::string sum;
    for (int term = 1; term <= terms_; ++term)
      sum += (term > 1 ? " + " : "") + add(name + "_" + std::to_string(term), unit, value / terms_);
    return sum;
  }

 private:
  // Chooses `count` of the `size` quantities from `begin` on.
  void spread(int begin, int size, int count) {
    for (int k = 0; k < count; ++k)
      chosen_[static_cast<std::size_t>(begin + k * size / count)] = true;
  }

  std::string add(const std::string& name, const char* unit, double value) {
    Parameter parameter;
    parameter.name = name;
    parameter.value = value;
    parameter.unit = unit;
    model_.parameters.push_back(parameter);
    return name;
  }

  Model& model_;
  std::vector<bool> chosen_;
  int terms_;  // of a quantity
};

}  // namespace

Model chain_of_bars(const std::string& name, int bodies, int parameters, bool planar) {
  const bool whole = parameters <= 4 * bodies || parameters % (4 * bodies) == 0;
  if (bodies < 1 || parameters < 0 || !whole)
    throw InputError(name + ": found " + std::to_string(bodies) + " bodies and " +
                     std::to_string(parameters) +
                     " parameters, expected up to 4 parameters per body or a multiple of that");
  Model model;
  model.name = name + "-" + std::to_string(bodies);
  model.gravity = {0, -9.81, 0};
  Quantities quantities(model, bodies, parameters);
  for (int i = 0; i < bodies; ++i) {
    const std::string number = std::to_string(i + 1);
    const double length = 0.5;
    const Number mass = quantities.make(i, "m_" + number, "kg", 1.0 + 0.1 * (i % 3));
    const Number span = quantities.make(bodies + i, "L_" + number, "m", length);
    const Number centre = quantities.make(2 * bodies + i, "c_" + number, "m", 0.5 * length);
    const Number moment = quantities.make(3 * bodies + i, "J_" + number, "kg m^2", 0.02);
    Body body;
    body.name = "bar " + number;
    body.mass = mass;
    body.com = {centre, 0, 0};
    body.inertia.xx = 0.002;
    body.inertia.yy = moment;
    body.inertia.zz = moment;
    body.points["tip"] = {span, 0, 0};
    model.bodies.push_back(body);

    Joint joint;
    joint.name = "hinge " + number;
    joint.parent = i == 0 ? "ground" : "bar " + std::to_string(i) + ".tip";
    joint.child = body.name;
    joint.axis = planar || i % 2 == 0 ? Vector3{0, 0, 1} : Vector3{0, 1, 0};
    CoordinateStart start;
    start.position = i == 0 ? -0.5 : 0.2 * std::cos(1.0 + i);
    joint.start = {start};
    model.joints.push_back(joint);
  }
  model.sensors = {{"tip", "position", "bar " + std::to_string(bodies) + ".tip"}};
  Objective reach;
  reach.name = "reach";
  reach.expression = "dot(tip, tip)";
  reach.unit = "m^2 s";
  model.objectives = {reach};
  model.analysis.duration = 0.5;
  model.analysis.step = 1e-3;
  return model;
}

}  // namespace gradus
