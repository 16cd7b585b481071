// Boxes, cylinders, spheres, capsules and meshes of links, with the colours of their materials.
#include "src/model/import/urdf_looks.hpp"

#include <algorithm>
#include <cctype>

#include "gradus/error.hpp"

namespace gradus::importing {
namespace {

constexpr double kLargest = 1e12;  // m, what a shape may have

std::vector<double> stated_color(const XmlElement& material) {
  const XmlElement* color = material.child("color");
  if (!color) return {};
  LeftOut unused;
  try {
    return Attributes({color}, unused).numbers("rgba", 3, 4).value_or(std::vector<double>());
  } catch (const InputError&) {
    return {};  // a colour that is none is no reason to refuse a robot
  }
}

std::string ending_of(const std::string& name) {
  std::string ending = std::filesystem::path(name).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

}  // namespace

UrdfLooks::UrdfLooks(const XmlElement& robot, const std::filesystem::path& document,
                     const ImportOptions& options)
    : files_(document, options.packages) {
  for (const XmlElement* material : robot.all("material")) add_material(*material);
  for (const XmlElement* link : robot.all("link"))
    for (const XmlElement* visual : link->all("visual"))
      for (const XmlElement* material : visual->all("material")) add_material(*material);
}

void UrdfLooks::add_material(const XmlElement& material) {
  const std::string* name = material.find("name");
  if (!name || name->empty()) return;
  if (const std::vector<double> color = stated_color(material); !color.empty())
    materials_.emplace(*name, color);
}

std::vector<double> UrdfLooks::color_of(const XmlElement& visual) const {
  const XmlElement* material = visual.child("material");
  if (!material) return {};
  if (std::vector<double> own = stated_color(*material); !own.empty()) return own;
  const std::string* name = material->find("name");
  const auto known = materials_.find(name ? *name : "");
  return known == materials_.end() ? std::vector<double>() : known->second;
}

// What of a material is not drawn.
void UrdfLooks::note_material(const XmlElement& visual, LeftOut& left_out) const {
  const XmlElement* material = visual.child("material");
  if (!material) return;
  if (material->child("texture")) left_out.add("texture of a visual");
  const std::vector<double> color = color_of(visual);
  if (color.size() == 4 && color[3] > 0.0 && color[3] < 1.0) left_out.add("transparency");
  if (color.empty() && material->child("color")) left_out.add("colour that is none");
  if (color.empty() && material->children.empty()) left_out.add("material that is not defined");
}

void UrdfLooks::add(const XmlElement& visual, std::vector<ImportedShape>& shapes,
                    LeftOut& left_out) {
  LeftOut unused;  // of a look nothing else is said
  const XmlElement* geometry = visual.child("geometry");
  if (!geometry || geometry->children.empty()) return left_out.add("visual without geometry");
  const XmlElement& solid = geometry->children.front();
  if (geometry->children.size() > 1) left_out.add("second geometry of a visual");
  note_material(visual, left_out);
  const std::vector<double> color = color_of(visual);
  if (color.size() == 4 && color[3] == 0.0) return left_out.add("visual that is invisible");
  try {
    const Pose pose = pose_of(visual.child("origin"), unused);
    const Attributes a({&solid}, unused);
    const auto positive = [&a](const char* key) {
      const double value = a.required_number(key);
      if (!(value > 0.0 && value <= kLargest)) a.reject(key, "a number above 0 and up to 1e12");
      return value;
    };
    ImportedShape shape = shape_at(solid.name.c_str(), pose, color);
    if (solid.name == "mesh") return add_mesh(a, std::move(shape), shapes, left_out);
    if (solid.name == "box") {
      const std::vector<double> size =
          a.numbers("size", 3, 3).value_or(std::vector<double>(3, 0.0));
      if (!(*std::min_element(size.begin(), size.end()) > 0.0 &&
            *std::max_element(size.begin(), size.end()) <= kLargest))
        a.reject("size", "numbers above 0 and up to 1e12");
      shape.json["size"] = size;
    } else if (solid.name == "sphere" || solid.name == "cylinder" || solid.name == "capsule") {
      shape.json["radius"] = positive("radius");
      if (solid.name != "sphere") shape.json["length"] = positive("length");
    } else {
      return left_out.add("visual " + solid.name);
    }
    shapes.push_back(std::move(shape));
  } catch (const InputError&) {
    left_out.add("visual that is no shape");  // the mechanism is whole without it
  }
}

void UrdfLooks::add_mesh(const Attributes& a, ImportedShape shape,
                         std::vector<ImportedShape>& shapes, LeftOut& left_out) {
  const std::string name = a.required("filename");
  const std::vector<double> scale = a.numbers("scale", 3, 3).value_or(std::vector<double>(3, 1.0));
  if (std::find(scale.begin(), scale.end(), 0.0) != scale.end())
    a.reject("scale", "numbers other than 0");
  const std::string ending = ending_of(name);
  if (ending != ".stl" && ending != ".obj") return left_out.add("visual mesh " + ending);
  const std::filesystem::path file = files_.find(name);
  if (file.empty()) return meshes_.refuse(name, "it is not in the folders where meshes are sought");
  shape.mesh = meshes_.read(file, name);
  if (!shape.mesh) return;
  if (scale != std::vector<double>(3, 1.0)) shape.json["scale"] = scale;
  shapes.push_back(std::move(shape));
}

Pose pose_of(const XmlElement* origin, LeftOut& left_out) {
  Pose pose;
  if (!origin) return pose;
  const Attributes a({origin}, left_out);
  if (const auto place = a.numbers("xyz", 3, 3)) pose.place = vector_of(*place);
  if (const auto angles = a.numbers("rpy", 3, 3)) pose.rotation = from_euler(*angles, "XYZ");
  return pose;
}

}  // namespace gradus::importing
