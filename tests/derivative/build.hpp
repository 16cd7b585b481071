// Short words for building models, and turning the numbers of a model into parameters.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus::derivative {

Body make_body(const std::string& name, Number mass, Vector3 com, Inertia inertia,
               std::map<std::string, Vector3> points);

Joint make_joint(const std::string& name, JointType type, const std::string& parent,
                 const std::string& child, Vector3 axis, Number position = 0, Number velocity = 0);

// A joint whose position the loops determine.
Joint make_guess(const std::string& name, JointType type, const std::string& parent,
                 const std::string& child, Vector3 axis, double guess);

Parameter make_parameter(const std::string& name, Number value);

// Adds an array of parameters with these values.
void add_array(Model& model, const std::string& name, const std::vector<double>& values);

// Sensors of every kind on a point and a joint, and objectives that use all of them, integral and
// terminal, with time in the expressions. `together` lists the sensors in an integral each:
// position, velocity, acceleration, coordinate ...
void add_objectives(Model& model, const std::string& point, const std::string& joint);

// Says by the path of a number ("mass b1", "point b1.tip.x", "axis j1.y", "stiffness s1",
// "gravity.y", "position j1", "guess j2") whether it becomes a parameter.
using NumberFilter = std::function<bool(const std::string&)>;

// Makes a parameter of every constant that `wanted` picks. The name of the parameter is its path,
// other signs than letters and digits replaced by _.
Model parametrise(Model model, const NumberFilter& wanted);

// Every number but the guesses, and those whose path begins as listed.
Model parametrise_all(Model model, const std::vector<std::string>& except = {});

// The numbers that matter to a mechanism moving in the plane x y: masses, inertias about z, x and y
// of points and centres of mass, springs, gravity, start values; but not those whose path begins as
// listed.
Model parametrise_plane(Model model, const std::vector<std::string>& except = {});

// Ended after so many steps: every step takes all derivatives once more, so that few serve.
Model ended_after(int steps, Model model);

}  // namespace gradus::derivative
