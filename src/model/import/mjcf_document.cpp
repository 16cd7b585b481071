// Includes, compiler settings, classes of defaults, and poses.
#include "src/model/import/mjcf_document.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::importing {
namespace {

constexpr std::size_t kMostFiles = 200;
constexpr const char* kMain = "main";
constexpr double kShortest = 1e-14;  // directions and quaternions that are shorter are none

class Inclusion {
 public:
  explicit Inclusion(const std::filesystem::path& file) : main_(file) { see(file, file.string()); }

  XmlElement expanded(const XmlElement& element, const std::filesystem::path& file) {
    XmlElement result{element.name, element.where, element.attributes, {}, element.has_text};
    for (const XmlElement& child : element.children)
      if (child.name == "include")
        include(child, file, result);
      else
        result.children.push_back(expanded(child, file));
    return result;
  }

 private:
  void include(const XmlElement& element, const std::filesystem::path& file, XmlElement& into) {
    const std::string* name = element.find("file");
    if (!name || name->empty())
      reject(element.where, R"(found no "file")", "it says what to include", "add the attribute");
    if (std::filesystem::path(*name).is_absolute())
      reject(element.where, "found file = " + in_quotes(*name),
             "paths start beside the file that includes", "make it relative");
    std::filesystem::path included = file.parent_path() / *name;
    if (!std::filesystem::exists(included)) included = main_.parent_path() / *name;
    see(included, element.where);
    const XmlElement content = expanded(read_xml(included), included);
    into.children.insert(into.children.end(), content.children.begin(), content.children.end());
  }

  void see(const std::filesystem::path& file, const std::string& where) {
    std::error_code ignored;
    const std::string canonical = std::filesystem::weakly_canonical(file, ignored).string();
    if (!seen_.insert(canonical).second)
      reject(where, "found " + in_quotes(file.string()) + " for the second time",
             "a file is included once", "remove one of them");
    if (seen_.size() > kMostFiles)
      reject(where, "found more than " + std::to_string(kMostFiles) + " files",
             "so many are not read", "merge them");
  }

  std::filesystem::path main_;
  std::unordered_set<std::string> seen_;
};

Matrix from_axes(const std::vector<double>& axes, const Attributes& attributes) {
  const Vector x = vector_of(axes), towards_y{axes[3], axes[4], axes[5]}, z = x.cross(towards_y);
  if (x.norm() == 0.0 || z.norm() == 0.0) attributes.reject("xyaxes", "two directions");
  Matrix rotation;
  rotation.col(0) = x.normalized();
  rotation.col(2) = z.normalized();
  rotation.col(1) = rotation.col(2).cross(rotation.col(0));
  return rotation;
}

Matrix read_rotation(const Attributes& a, const MjcfCompiler& compiler) {
  const std::string key = a.nearest({"quat", "axisangle", "xyaxes", "zaxis", "euler"});
  const auto numbers = [&](std::size_t size) { return *a.numbers(key, size, size); };
  if (key == "quat") {
    const std::vector<double> n = numbers(4);
    if (std::hypot(std::hypot(n[0], n[1]), std::hypot(n[2], n[3])) < kShortest)
      a.reject(key, "a quaternion of a length above 0");
    return from_quaternion(n);
  }
  if (key == "axisangle") {
    const std::vector<double> n = numbers(4);
    if (vector_of(n).norm() < kShortest) a.reject(key, "an axis and an angle");
    return Eigen::AngleAxisd(compiler.angle(n[3]), vector_of(n).normalized()).toRotationMatrix();
  }
  if (key == "xyaxes") return from_axes(numbers(6), a);
  if (key == "zaxis") {
    const std::vector<double> n = numbers(3);
    if (vector_of(n).norm() < kShortest) a.reject(key, "a direction");
    return from_z_axis(vector_of(n));
  }
  if (key != "euler") return Matrix::Identity();
  std::vector<double> n = numbers(3);
  for (double& angle : n) angle = compiler.angle(angle);
  return from_euler(n, compiler.euler_sequence);
}

}  // namespace

XmlElement with_includes(const XmlElement& mujoco, const std::filesystem::path& file) {
  return Inclusion(file).expanded(mujoco, file);
}

double MjcfCompiler::angle(double given) const {
  return is_in_degrees ? given * (std::numbers::pi / 180.0) : given;
}

MjcfCompiler read_compiler(const XmlElement& mujoco, LeftOut& left_out) {
  MjcfCompiler c;
  for (const XmlElement* element : mujoco.all("compiler")) {
    const Attributes a({element}, left_out);
    c.is_in_degrees =
        a.choice("angle", {"degree", "radian"}, c.is_in_degrees ? "degree" : "radian") == "degree";
    c.euler_sequence = a.text("eulerseq", c.euler_sequence);
    if (c.euler_sequence.size() != 3 ||
        c.euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos)
      a.reject("eulerseq", "three letters of xyzXYZ");
    c.limits_automatically = a.flag("autolimits", c.limits_automatically);
    c.inertia_from_geoms =
        a.choice("inertiafromgeom", {"false", "true", "auto"}, c.inertia_from_geoms);
    c.least_mass = a.number("boundmass", c.least_mass);
    c.least_inertia = a.number("boundinertia", c.least_inertia);
    c.balances_inertia = a.flag("balanceinertia", c.balances_inertia);
    c.total_mass = a.number("settotalmass", c.total_mass);
    if (const auto groups = a.numbers("inertiagrouprange", 2, 2)) c.inertia_groups = *groups;
    c.mesh_folder = a.text("meshdir", a.text("assetdir", c.mesh_folder));
    if (a.choice("coordinate", {"local", "global"}, "local") == "global")
      a.reject("coordinate", R"("local", the only one that MuJoCo still has)");
    for (const char* key : {"texturedir", "discardvisual", "usethread", "fusestatic", "strippath",
                            "fitaabb", "exactmeshinertia", "saveinertial"})
      a.ignore(key);
    if (a.flag("alignfree", false)) left_out.add("compiler alignfree");
  }
  return c;
}

MjcfDefaults::MjcfDefaults(const XmlElement& mujoco) {
  classes_[kMain];
  names_.emplace_back(kMain);
  for (const XmlElement* section : mujoco.all("default")) {
    const std::string* name = section->find("class");
    if (name && *name != kMain)
      reject(section->where, "found class = " + in_quotes(*name), R"(the outermost one is "main")",
             "put it within a <default>");
    // MuJoCo gives a class what its parent has when the class is read.
    if (names_.size() > 1)
      for (const XmlElement& child : section->children)
        if (child.name != "default")
          reject(section->where, "found defaults behind the classes that have them for parents",
                 "classes know what is stated before them", "put the outermost defaults first");
    add(*section, "");
  }
}

void MjcfDefaults::add(const XmlElement& section, const std::string& parent) {
  const std::string* given = section.find("class");
  if (!given && !parent.empty())
    reject(section.where, R"(found no "class")", "classes have names", "add the attribute");
  const std::string name = parent.empty() ? kMain : *given;
  if (!parent.empty()) {
    if (classes_.count(name) != 0)
      reject(section.where, "there are two classes " + in_quotes(name), "names tell them apart",
             "rename one of them");
    names_.push_back(name);
    classes_[name].parent = parent;
  }
  for (const XmlElement& child : section.children)
    if (child.name != "default") classes_[name].elements.push_back(&child);
  for (const XmlElement* child : section.all("default")) add(*child, name);
}

const MjcfDefaults::Class& MjcfDefaults::named(const std::string& name,
                                               const XmlElement& element) const {
  const auto found = classes_.find(name);
  if (found == classes_.end())
    reject(element.where, "found the class " + in_quotes(name), "there is none of this name",
           suggestion(name, names_));
  return found->second;
}

const MjcfDefaults::Class& MjcfDefaults::of(const XmlElement& element,
                                            const std::string& active) const {
  const std::string* own = element.find("class");
  return named(own ? *own : active.empty() ? kMain : active, element);
}

std::vector<const XmlElement*> MjcfDefaults::chain(const XmlElement& element,
                                                   const std::string& active,
                                                   const std::string& tag) const {
  std::vector<const XmlElement*> found = all_of(element, active);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const XmlElement* one) {
                               return one->name != (tag.empty() ? element.name : tag);
                             }),
              found.end());
  found.push_back(&element);
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<const XmlElement*> MjcfDefaults::all_of(const XmlElement& element,
                                                    const std::string& active) const {
  std::vector<const XmlElement*> found;
  for (const Class* one = &of(element, active);; one = &classes_.at(one->parent)) {
    found.insert(found.begin(), one->elements.begin(), one->elements.end());
    if (one->parent.empty()) return found;
  }
}

std::string MjcfDefaults::active_within(const XmlElement& element,
                                        const std::string& active) const {
  const std::string* name = element.find("childclass");
  if (!name) return active;
  named(*name, element);
  return *name;
}

Pose read_pose(const Attributes& attributes, const MjcfCompiler& compiler) {
  Pose pose;
  if (const auto place = attributes.numbers("pos", 3, 3)) pose.place = vector_of(*place);
  pose.rotation = read_rotation(attributes, compiler);
  return pose;
}

}  // namespace gradus::importing
