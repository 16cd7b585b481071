// Links become bodies, joints become joints; origins and axes are in the axes of URDF: a joint's
// origin is where the axes of its child are at zero, in those of its parent, and its axis is in
// those of the child.
#include "src/model/import/urdf.hpp"

#include <algorithm>
#include <unordered_map>

#include "src/model/import/urdf_looks.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::importing {
namespace {

class Reader {
 public:
  Reader(const XmlElement& robot, const std::filesystem::path& file, const ImportOptions& options)
      : robot_(robot), options_(options), looks_(robot, file, options) {
    m_.patterns = options.parameters;
  }

  ImportedMechanism read() {
    Attributes attributes({&robot_}, left_out_);
    m_.name = attributes.text("name", "robot");
    if (m_.name.empty()) m_.name = "robot";
    attributes.ignore("version");
    for (const XmlElement* link : robot_.all("link")) read_link(*link);
    for (const XmlElement* joint : robot_.all("joint")) read_joint(*joint);
    add_roots();
    for (const XmlElement* joint : robot_.all("joint")) read_mimic(*joint);
    place_followers();
    for (const XmlElement& element : robot_.children) note_other(element);
    finish();
    return std::move(m_);
  }

 private:
  void read_link(const XmlElement& link) {
    const Attributes attributes({&link}, left_out_);
    const std::string name = attributes.required("name");
    attributes.ignore("type");
    if (is_ground(link, name)) {
      if (!bodies_.emplace(name, kGround).second) refuse_second_link(link);
      link_names_.push_back(name);
      return;
    }
    ImportedBody body;
    body.name = body_names_.usable(name);
    if (!bodies_.emplace(name, static_cast<int>(m_.bodies.size())).second) refuse_second_link(link);
    link_names_.push_back(name);
    for (const XmlElement& child : link.children)
      if (child.name == "inertial" && &child != link.child("inertial"))
        reject(child.where, "found a second inertial", "a link has one", "remove one of them");
      else if (child.name == "inertial")
        read_inertial(child, body);
      else if (child.name == "visual")
        looks_.add(child, body.shapes, left_out_);
      else if (child.name == "collision")
        left_out_.add(child.name);
      else
        left_out_.add("link " + child.name);
    m_.bodies.push_back(std::move(body));
  }

  [[noreturn]] static void refuse_second_link(const XmlElement& link) {
    reject(link.where, "there are two links of this name", "joints name links",
           "rename one of them");
  }

  // An empty link "world" on which others hang is what robots that stand on the ground have for it.
  bool is_ground(const XmlElement& link, const std::string& name) const {
    if (options_.floating_base || name != "world" || !link.children.empty()) return false;
    const auto has = [&](const char* end) {
      const std::vector<const XmlElement*> joints = robot_.all("joint");
      return std::any_of(joints.begin(), joints.end(), [&](const XmlElement* joint) {
        const XmlElement* const element = joint->child(end);
        const std::string* const of = element ? element->find("link") : nullptr;
        return of && *of == name;
      });
    };
    return has("parent") && !has("child");
  }

  void read_inertial(const XmlElement& inertial, ImportedBody& body) {
    const Pose pose = pose_of(inertial.child("origin"), left_out_);
    const XmlElement* mass = inertial.child("mass");
    const XmlElement* inertia = inertial.child("inertia");
    if (!mass || !inertia)
      reject(inertial.where, std::string("found no ") + (mass ? "inertia" : "mass"),
             "an inertial has both", "add it");
    body.mass = Attributes({mass}, left_out_).required_number("value");
    const Attributes entries({inertia}, left_out_);
    const double xx = entries.number("ixx", 0.0), yy = entries.number("iyy", 0.0),
                 zz = entries.number("izz", 0.0), xy = entries.number("ixy", 0.0),
                 xz = entries.number("ixz", 0.0), yz = entries.number("iyz", 0.0);
    Matrix matrix;
    matrix << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    body.com = pose.place;
    body.inertia = pose.rotation * matrix * pose.rotation.transpose();
  }

  int link_of(const XmlElement& joint, const char* end) {
    const XmlElement* element = joint.child(end);
    if (!element)
      reject(joint.where, std::string("found no ") + end, "a joint connects two links",
             std::string("add <") + end + R"( link="..."/>)");
    const std::string name = Attributes({element}, left_out_).required("link");
    const auto link = bodies_.find(name);
    if (link == bodies_.end())
      reject(element->where, "found link = " + in_quotes(name), "there is no such link",
             suggestion(name, link_names_));
    return link->second;
  }

  static std::string type_of(const Attributes& attributes) {
    const std::string type = attributes.choice(
        "type", {"fixed", "revolute", "continuous", "prismatic", "planar", "floating"}, "");
    return type == "continuous" ? "revolute" : type;
  }

  void read_joint(const XmlElement& element) {
    const Attributes attributes({&element}, left_out_);
    ImportedJoint joint;
    const std::string name = attributes.required("name");
    joint.name = joint_names_.usable(name);
    if (!joints_.emplace(name, joint.name).second)
      reject(element.where, "there are two joints of this name", "names tell them apart",
             "rename one of them");
    joint_names_read_.push_back(name);
    joint.type = type_of(attributes);
    joint.parent = link_of(element, "parent");
    joint.child = link_of(element, "child");
    if (!is_child_.insert(joint.child).second)
      reject(element.where, "its child hangs on another joint as well", "links form a tree",
             "let each link be the child of one joint");
    const Pose pose = pose_of(element.child("origin"), left_out_);
    joint.place = pose.place;
    joint.rotation = pose.rotation;
    if (joint.has_axis()) read_axis(element, joint);
    for (const XmlElement& child : element.children) note_joint_element(child, joint);
    if (joint.has_coordinate()) m_.coordinate_of(joint.name);
    m_.joints.push_back(std::move(joint));
  }

  void read_axis(const XmlElement& element, ImportedJoint& joint) {
    joint.axis = Vector::UnitX();
    const XmlElement* axis = element.child("axis");
    if (!axis) return;
    const Attributes attributes({axis}, left_out_);
    if (const auto found = attributes.numbers("xyz", 3, 3)) joint.axis = vector_of(*found);
    if (joint.axis.norm() == 0.0) attributes.reject("xyz", "a direction");
    joint.axis.normalize();
  }

  void note_joint_element(const XmlElement& element, const ImportedJoint& joint) {
    if (element.name == "limit")
      read_limits(element, joint);
    else if (element.name == "dynamics")
      read_dynamics(element, joint);
    else if (!is_among(element.name, {"origin", "axis", "parent", "child", "mimic"}))
      left_out_.add("joint " + element.name);
  }

  // Nothing stops a joint; expressions can use its limits.
  void read_limits(const XmlElement& element, const ImportedJoint& joint) {
    const Attributes a({&element}, left_out_);
    if (!joint.has_coordinate()) return;
    for (const char* key : {"lower", "upper", "velocity", "effort"})
      if (a.has(key))
        m_.add(m_.definitions, std::string(key) + "_" + identifier(joint.name), a.number(key, 0.0));
    if (a.has("lower") || a.has("upper")) ++limited_;
  }

  void read_dynamics(const XmlElement& element, const ImportedJoint& joint) {
    const Attributes a({&element}, left_out_);
    if (!joint.has_coordinate()) return;
    const std::string of = "_" + identifier(joint.name);
    const bool turns = joint.type == "revolute";
    const double damping = a.number("damping", 0.0), friction = a.number("friction", 0.0);
    if (damping != 0.0)
      m_.forces[m_.force_names.usable(joint.name + " damping")] = {
          {"type", "rotary-damper"},
          {"joint", joint.name},
          {"linear", m_.number("damping" + of, damping, turns ? "N m s/rad" : "N s/m")}};
    if (friction != 0.0) m_.add_dry_friction(joint, friction);
  }

  void read_mimic(const XmlElement& element) {
    const XmlElement* mimic = element.child("mimic");
    if (!mimic) return;
    const std::string& joint = joints_.at(*element.find("name"));
    if (!options_.mimic) return left_out_.add("mimic");
    if (!joint_named(joint).has_coordinate())
      return left_out_.add("mimic of a joint that does not move");
    const Attributes a({mimic}, left_out_);
    const std::string name = a.required("joint");
    const auto leader = joints_.find(name);
    if (leader == joints_.end())
      reject(mimic->where, "found joint = " + in_quotes(name), "there is no such joint",
             suggestion(name, joint_names_read_) +
                 "; with --mimic ignore joints that mimic others move freely");
    if (!joint_named(leader->second).has_coordinate())
      reject(mimic->where, "found joint = " + in_quotes(name) + ", which has no coordinate",
             "only joints that turn or slide follow each other", "name such a joint");
    const double multiplier = a.number("multiplier", 1.0), offset = a.number("offset", 0.0);
    m_.constraints[constraint_names_.usable(joint + " follows " + leader->second)] = {
        {"expression", m_.coordinate_of(joint) + " - (" + to_text(multiplier) + ")*" +
                           m_.coordinate_of(leader->second) + " - (" + to_text(offset) + ")"}};
    followers_[joint] = {leader->second, multiplier, offset, mimic->where};
  }

  // Joints that lead begin at zero, those that follow where that puts them.
  void place_followers() {
    for (ImportedJoint& joint : m_.joints) {
      const bool leads = std::any_of(followers_.begin(), followers_.end(), [&](const auto& one) {
        return one.second.leader == joint.name;
      });
      const bool follows = followers_.count(joint.name) != 0;
      if (!leads && !follows) continue;
      joint.is_guess = follows;
      joint.position = {place_of_follower(joint.name)};
    }
  }

  double place_of_follower(const std::string& joint) const {
    std::vector<const Follower*> way;
    for (auto at = followers_.find(joint); at != followers_.end();
         at = followers_.find(at->second.leader)) {
      if (way.size() == followers_.size())
        reject(at->second.where, "found joints that follow each other in a ring",
               "one of them leads", "remove a mimic");
      way.push_back(&at->second);
    }
    double place = 0.0;
    for (auto one = way.rbegin(); one != way.rend(); ++one)
      place = (*one)->multiplier * place + (*one)->offset;
    return place;
  }

  const ImportedJoint& joint_named(const std::string& name) const {
    return *std::find_if(m_.joints.begin(), m_.joints.end(),
                         [&](const ImportedJoint& joint) { return joint.name == name; });
  }

  void add_roots() {
    for (std::size_t i = 0; i < m_.bodies.size(); ++i) {
      if (is_child_.count(static_cast<int>(i)) != 0) continue;
      ImportedJoint joint;
      joint.name = joint_names_.usable("base of " + m_.bodies[i].name);
      joint.type = options_.floating_base ? "floating" : "fixed";
      joint.child = static_cast<int>(i);
      m_.joints.push_back(std::move(joint));
    }
    reject_rings();
  }

  // Every link hangs on a root.
  void reject_rings() const {
    std::vector<int> parents(m_.bodies.size(), kGround);
    for (const ImportedJoint& joint : m_.joints) parents[std::size_t(joint.child)] = joint.parent;
    for (std::size_t i = 0; i < m_.bodies.size(); ++i) {
      std::size_t steps = 0;
      for (int at = static_cast<int>(i); at != kGround; at = parents[std::size_t(at)])
        if (++steps > m_.bodies.size())
          reject(robot_.where,
                 "found links that hang on each other in a ring, " + in_quotes(m_.bodies[i].name) +
                     " among them",
                 "links form a tree from a root", "let one of them be the child of no joint");
    }
  }

  void note_other(const XmlElement& element) {
    if (element.name.rfind("xacro:", 0) == 0)
      reject(element.where, "found " + in_quotes(element.name),
             "macros are expanded before a robot is read",
             "run xacro FILE > robot.urdf and import that");
    if (!is_among(element.name, {"link", "joint", "material"})) left_out_.add(element.name);
  }

  void finish() {
    if (m_.bodies.empty())
      reject(robot_.where, "found no link", "a robot has at least one", "add links");
    if (limited_ > 0)
      m_.remarks.push_back("the limits of " + counted(limited_, "joint") +
                           " are definitions (lower_NAME, upper_NAME); nothing stops the joints");
    looks_.add_remark(m_.remarks);
    if (const std::string listed = left_out_.listed(); !listed.empty())
      m_.remarks.push_back("left out: " + listed);
  }

  struct Follower {
    std::string leader;
    double multiplier, offset;
    std::string where;
  };

  const XmlElement& robot_;
  const ImportOptions& options_;
  UrdfLooks looks_;
  ImportedMechanism m_;
  LeftOut left_out_;
  Names body_names_, joint_names_, constraint_names_;
  std::vector<std::string> link_names_, joint_names_read_;
  std::unordered_map<std::string, int> bodies_;          // by the names of links
  std::unordered_map<std::string, std::string> joints_;  // names by those of the file
  std::unordered_map<std::string, Follower> followers_;  // by their joints
  std::unordered_set<int> is_child_;
  std::size_t limited_ = 0;
};

}  // namespace

ImportedMechanism read_urdf(const XmlElement& robot, const std::filesystem::path& file,
                            const ImportOptions& options) {
  return Reader(robot, file, options).read();
}

}  // namespace gradus::importing
