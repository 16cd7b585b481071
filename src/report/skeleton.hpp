// What is drawn of a model: places, and what connects them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/report/blocks.hpp"

namespace gradus::report {

// Bodies, joints, forces and constraints by the indices of their places.
class Skeleton {
 public:
  explicit Skeleton(const Model& model);

  const std::vector<std::string>& places() const { return places_; }  // "body.point"
  // {"places", "bodies", "joints", "links", "loads", "ground"}
  Json description() const;

 private:
  std::size_t index_of(const std::string& place);  // which is taken in once
  std::size_t add_corner(const std::string& place);
  void add_joint(const Joint& joint, const Model& model);
  void add_link(const char* kind, const std::string& name, const std::string& from,
                const std::string& to);
  void add_force(const Force& force);
  void add_body(const Body& body);

  std::vector<std::string> places_;
  std::map<std::string, std::size_t> indices_;
  std::map<std::string, std::set<std::size_t>> corners_;  // of each body
  Json bodies_ = Json::array(), joints_ = Json::array(), links_ = Json::array(),
       loads_ = Json::array();
};

// `wanted`, or what is like it, which no sensor, parameter or definition begins with.
std::string unused_prefix(const Model& model, std::string wanted);

// Appends sensors of these places to the model's own, under unused names.
Model with_positions(Model model, const std::vector<std::string>& places);

// Adds the axis of a joint that has one to the vectors of its parent: "body.vector".
std::string add_axis(const Joint& joint, Model& model);

// The direction opposite to gravity; null without gravity.
Json upwards(const Model& model);

}  // namespace gradus::report
