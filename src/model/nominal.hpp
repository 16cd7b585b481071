// The numbers of a model at the parameter values it states, and checks of what depends on more.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/scope.hpp"

namespace gradus {

// Values of all parameters as the model states them, in model order.
std::vector<double> nominal_parameters(const Model& model, const std::string& origin);

// Values of the nodes of a graph. Nodes come after their operands, so the table grows along it.
struct NodeValues {
  double of(const expression::Graph& graph, expression::Node node);

  std::vector<double> inputs;
  std::vector<double> results = {};  // [node]
};

class NominalValues {
 public:
  NominalValues(const Model& model, const std::string& origin);
  NominalValues(const NominalValues&) = delete;
  NominalValues& operator=(const NominalValues&) = delete;

  // Throws InputError if the number is wrong or not finite; `where` opens the message.
  double value(const Number& number, const std::string& where);
  std::array<double, 3> value(const Vector3& vector, const std::string& where);

  const std::vector<double>& parameters() const { return values_.inputs; }

 private:
  expression::Graph graph_;
  ModelScope scope_;
  NodeValues values_;
};

// Checks the definitions that depend on sensors or the time: throws InputError if one is wrong, or
// if a component depends on parameters only and is not finite at their nominal values.
void check_moving_definitions(const Model& model, const NominalValues& nominal,
                              const std::string& origin);

// Checks laws: expressions of sensors, parameters and the time that forces and constraints follow.
class LawCheck {
 public:
  LawCheck(const Model& model, const NominalValues& nominal, const std::string& origin,
           LawPlace place, std::span<const std::string_view> locals = {});
  LawCheck(const LawCheck&) = delete;
  LawCheck& operator=(const LawCheck&) = delete;

  // Throws InputError, beginning with `where`, if the law is wrong, or if it depends on parameters
  // only and is not finite at their nominal values. Returns the value of such a law.
  std::optional<double> nominal_value(const Number& law, const std::string& where);
  // The same; returns whether the law depends on a sensor.
  bool uses_sensors(const Number& law, const std::string& where);
  // An operation of the last law that may jump or have a kink on the way, other than at fixed
  // instants, for people; empty if there is none.
  std::string kink() const;

 private:
  expression::Graph graph_;
  MotionScope scope_;
  NodeValues values_;  // NaN of inputs that are no parameters
  expression::Node last_ = -1;
  int last_input_ = -1;  // that the last law depends on: parameters, the time, sensors
};

}  // namespace gradus
