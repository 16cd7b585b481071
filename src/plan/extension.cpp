// Extensions, written as what a model could state.
#include "src/plan/extension.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/plan/draft.hpp"

namespace gradus {
namespace {

class Extender {
 public:
  Extender(Model& model, const Extension& extension)
      : model_(model), extension_(extension), order_(order_tree(model, References(model))) {
    const auto taken = [this](const auto& list) {
      return std::any_of(list.begin(), list.end(), [this](const auto& element) {
        return element.name.rfind(prefix_, 0) == 0;
      });
    };
    while (taken(model.parameters) || taken(model.definitions) || taken(model.sensors))
      prefix_ += '_';
  }

  void extend() {
    if (!extension_.start_state.empty()) take_start();
    if (!extension_.times.empty()) add_sensor_values();
    if (extension_.final_state) add_final_state();
    for (std::size_t rows = extension_.weighted ? row_count(model_.objectives) : 0; rows > 0;
         --rows)
      add_parameter(1.0);
  }

 private:
  std::string add_parameter(double value) {
    model_.parameters.push_back(
        {prefix_ + "p" + std::to_string(model_.parameters.size()), value, "", {}, ""});
    return model_.parameters.back().name;
  }

  void take_start() {
    model_.start = keys::stated;
    std::vector<std::string> names;
    for (const double value : extension_.start_state) names.push_back(add_parameter(value));
    const std::size_t count = names.size() / 2;
    auto& constraints = model_.constraints;
    constraints.erase(std::remove_if(constraints.begin(), constraints.end(),
                                     [](const Constraint& c) { return c.at_start; }),
                      constraints.end());
    std::size_t first = 0;
    for (const int j : order_.joint) {
      Joint& joint = model_.joints[index(j)];
      joint.start = start_of(joint);
      for (std::size_t k = 0; k < joint.start.size(); ++k) {
        joint.start[k].position = names[first + k];
        joint.start[k].velocity = names[count + first + k];
      }
      if (const int euler = first_euler_parameter(joint.type); euler >= 0)
        turn(&joint.start[index(euler)], &names[first + index(euler)],
             &names[count + first + index(euler)]);
      first += joint.start.size();
    }
  }

  // Angular velocities 2 E(p / |p|) p', since these are what start values of Euler parameters are.
  static void turn(CoordinateStart* start, const std::string* p, const std::string* rate) {
    const std::string norm =
        "sqrt(" + p[0] + "^2 + " + p[1] + "^2 + " + p[2] + "^2 + " + p[3] + "^2)";
    constexpr int entry[3][4] = {{-1, 0, -3, 2}, {-2, 3, 0, -1}, {-3, -2, 1, 0}};
    for (int axis = 0; axis < 3; ++axis) {
      std::string sum = "0";
      for (int k = 0; k < 4; ++k)
        sum += (entry[axis][k] < 0 ? " - " : " + ") + p[std::abs(entry[axis][k])] + "*" + rate[k];
      start[axis + 1].velocity = "2*(" + sum + ")/" + norm;
    }
  }

  void add_sensor_values() {
    const std::vector<double>& times = extension_.times;
    for (std::size_t k = 0; k < times.size(); ++k)
      if (!std::isfinite(times[k]) || times[k] < 0.0 || (k > 0 && times[k] <= times[k - 1]))
        reject("sensor times", "found " + to_text(times[k]),
               k > 0 ? "it follows " + to_text(times[k - 1]) : "the motion begins at 0 s",
               "expected ascending times from 0 on");
    std::vector<std::string> known;
    for (const Sensor& sensor : model_.sensors) known.push_back(sensor.name);
    const std::size_t count = known.size();
    for (const std::string& name : extension_.sensors.empty() ? known : extension_.sensors) {
      const auto place =
          static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
      if (place == count)
        throw InputError("sensors: found " + in_quotes(name) + " (the model has no such sensor), " +
                         suggestion(name, known));
      add_components(model_.sensors[place], ObjectiveKind::value, times);
    }
  }

  void add_final_state() {
    for (const char* const type : {"coordinate", "rate"})
      for (const int j : order_.joint) {
        const Joint& joint = model_.joints[index(j)];
        if (coordinate_count(joint.type) == 0) continue;
        const Sensor sensor{prefix_ + "s" + std::to_string(model_.sensors.size()), type,
                            joint.name};
        model_.sensors.push_back(sensor);
        add_components(sensor, ObjectiveKind::terminal, {});
      }
  }

  void add_components(const Sensor& sensor, ObjectiveKind kind, const std::vector<double>& at) {
    const int size = sensor_size(model_, sensor);
    for (int k = 0; k < size; ++k) {
      Objective objective;
      objective.name = sensor.name;
      objective.kind = kind;
      objective.expression = sensor.name + component_name(size, k);
      objective.at = at;
      model_.objectives.push_back(objective);
    }
  }

  Model& model_;
  const Extension& extension_;
  TreeOrder order_;
  std::string prefix_ = "extension";
};

}  // namespace

void extend(Model& model_with_tree, const Extension& extension) {
  Extender(model_with_tree, extension).extend();
}

std::size_t row_count(const std::vector<Objective>& objectives) {
  std::size_t rows = 0;
  for (const Objective& objective : objectives)
    rows += objective.kind == ObjectiveKind::value ? objective.at.size() : 1;
  return rows;
}

}  // namespace gradus
