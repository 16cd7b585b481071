// Checks laws: expressions of sensors, parameters and the time that forces and constraints follow.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/nominal.hpp"
#include "src/model/scope.hpp"

namespace gradus {

class LawCheck {
 public:
  LawCheck(const Model& model, const NominalValues& nominal, const std::string& origin,
           LawPlace place, std::span<const std::string_view> locals = {});
  LawCheck(const LawCheck&) = delete;
  LawCheck& operator=(const LawCheck&) = delete;

  // Throws InputError, beginning with `where`, if the law is wrong, or if it depends on parameters
  // only and is not finite at their nominal values.
  void require_valid(const Number& law, const std::string& where) { checked(law, where); }
  // The same; returns the nominal value of a law that depends on parameters only.
  std::optional<double> nominal_value(const Number& law, const std::string& where);
  // The same; returns whether the law depends on a sensor.
  bool uses_sensors(const Number& law, const std::string& where);

 private:
  // What a node depends on: each includes those before it.
  enum class Reach : char { parameters, time, sensors };

  expression::Node checked(const Number& law, const std::string& where);
  Reach reach_of(expression::Node node) const;

  expression::Graph graph_;
  LawScope scope_;
  std::vector<double> inputs_;   // nominal parameters; NaN for all others
  std::vector<double> results_;  // [node]
  std::vector<Reach> reach_;     // [node]
};

}  // namespace gradus
