// Where shapes of bodies are, in numbers: what pages, scenes and robots need of them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>

#include "gradus/model.hpp"
#include "src/model/nominal.hpp"

namespace gradus {

struct ShapePlace {
  Eigen::Vector3d middle;    // or the origin of a mesh, in body axes [m]
  Eigen::Matrix3d rotation;  // the axes of the shape in those of the body
  double length = 0.0;       // of cylinders and capsules, between the middles of their ends [m]
};

// Of a valid shape. Throws InputError, which `where` opens, if a number is not finite.
ShapePlace place_of_shape(const Shape& shape, NominalValues& nominal, const std::string& where);

// Whether this is a colour, "#rrggbb", and its parts from 0 to 1.
bool is_color(const std::string& text);
std::array<double, 3> parts_of_color(const std::string& color);

}  // namespace gradus
