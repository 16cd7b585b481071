// The numbers of a model at the parameter values it states.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/scope.hpp"

namespace gradus {

// Values of all parameters as the model states them, in model order.
std::vector<double> nominal_parameters(const Model& model, const std::string& origin);

class NominalValues {
 public:
  NominalValues(const Model& model, const std::string& origin);
  NominalValues(const NominalValues&) = delete;
  NominalValues& operator=(const NominalValues&) = delete;

  // Throws InputError if the number is wrong or not finite; `where` opens the message.
  double value(const Number& number, const std::string& where);
  std::array<double, 3> value(const Vector3& vector, const std::string& where);

  const std::vector<double>& parameters() const { return parameters_; }

 private:
  double evaluate(expression::Node node);

  expression::Graph graph_;
  ModelScope scope_;
  std::vector<double> parameters_;
  std::vector<double> results_;  // of the nodes evaluated so far
};

}  // namespace gradus
