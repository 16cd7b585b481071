// Forces and torques over time, as a page draws them: arrows at places of a skeleton.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/report/blocks.hpp"

namespace gradus::report {

// What forces exert, those on coordinates of joints that have one axis among them, and reactions of
// joints that the model or a friction watches already.
class Loads {
 public:
  // `places`: of the skeleton.
  Loads(const Model& model, const std::vector<std::string>& places);

  // Appends sensors of them to a model that has the sensors of the skeleton; `numbers` of them.
  void watch(Model& model) const;
  std::size_t numbers() const;
  // Of these numbers at one time.
  void add(std::span<const double> sensors);

  // "forces": those that are not zero all the time, with "values", a vector for each time, on the
  // body of "at", and on that of "from" the opposite.
  void describe(Json& drawing) const;

 private:
  struct Load {
    std::string name, type, target, unit;  // of the sensor
    std::size_t at;
    Json from = nullptr;
    const Joint* along = nullptr;  // the axis on which the sensor is a number; null: it is a vector
    std::size_t components = 3;
    std::vector<double> values = {};
  };

  void add_force(const Model& model, const Force& force);
  void add_on_joint(const Force& force, const Joint& joint, std::size_t coordinate);
  void add_reaction(const Joint& joint);
  // Nothing if the skeleton has not got the place.
  void add_load(Load load, const std::string& at, const std::string& from = "");

  const std::vector<std::string>& places_;
  std::vector<Load> loads_;
};

}  // namespace gradus::report
