// What bodies have of a drawing: points and directions under the names that it gives them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/drawing.hpp"

namespace gradus {

// [place in Model::bodies + 1; 0 is the ground] names of what is fixed in the body.
using DrawnNames = std::vector<std::vector<std::string>>;

// Throws InputError if a name is taken, missing or said twice, or a body is none of the model.
DrawnNames drawn_names(const Drawing& drawing, const Model& model, const std::string& origin);

// Adds definitions of the points and vectors, which expressions then may use.
void add_drawn_definitions(const Drawing& drawing, Model& model);

// Adds points and vectors to the bodies: of lines and planes, what they go through and their
// directions.
void add_drawn_features(const Drawing& drawing, const DrawnNames& names, Model& model,
                        const std::string& origin);

// A body as References name it.
inline std::size_t place_of(int body) {
  return static_cast<std::size_t>(body + 1);
}
Features& features_of(Model& model, std::size_t body);
std::string name_of_body(const Model& model, std::size_t body);

// "EXPRESSION.x" and so on, of an expression of a vector.
Vector3 components_of(std::string_view expression);
// "[x, y, z]".
std::string text_of(const Vector3& vector);

}  // namespace gradus
