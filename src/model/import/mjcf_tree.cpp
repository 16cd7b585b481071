// Bodies of MJCF with several joints become chains of frames without mass, one joint each.
#include <algorithm>

#include "src/model/import/mjcf_geoms.hpp"
#include "src/model/import/mjcf_loads.hpp"
#include "src/model/import/mjcf_scene.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::importing {
namespace {

constexpr std::size_t kMostBodies = 10'000;

class BodyReader {
 public:
  explicit BodyReader(MjcfScene& scene)
      : s_(scene), materials_(read_materials(scene.root, scene.defaults)), loads_(scene) {}

  void read() {
    for (const XmlElement* world : s_.root.all("worldbody")) {
      const Attributes attributes({world}, s_.left_out);
      attributes.ignore("childclass");
      Content content{kGround, {}, false};
      read_content(*world, s_.defaults.active_within(*world, ""), Pose(), content);
    }
    scale_masses();
    write_gravity_compensation();
    loads_.finish(body_names_);
    write_remarks();
  }

 private:
  // What was found in a body so far.
  struct Content {
    int body;
    std::vector<MassProperties> geoms;
    bool weighs_geoms;
  };

  // The elements of a body, or of a frame within it, which only changes poses.
  void read_content(const XmlElement& element, const std::string& active, const Pose& frame,
                    Content& content) {
    for (const XmlElement& child : element.children) {
      if (child.name == "geom")
        read_geom_of(child, active, frame, content);
      else if (child.name == "site")
        read_site(child, active, frame, content.body);
      else if (child.name == "body")
        read_body(child, active, frame, content.body);
      else if (child.name == "frame")
        read_frame(child, active, frame, content);
      else if (is_among(child.name, {"replicate", "composite", "flexcomp", "attach"}))
        reject(child.where, "found <" + child.name + ">",
               "it makes bodies that are not written out",
               "let MuJoCo write the compiled model (mj_saveLastXML), and import that");
      else if (!is_among(child.name, {"inertial", "joint", "freejoint"}))
        s_.left_out.add(child.name);
    }
  }

  void read_frame(const XmlElement& element, const std::string& active, const Pose& frame,
                  Content& content) {
    const Attributes a({&element}, s_.left_out);
    const Pose pose = frame * read_pose(a, s_.compiler);
    read_content(element, s_.defaults.active_within(element, active), pose, content);
  }

  void read_geom_of(const XmlElement& element, const std::string& active, const Pose& frame,
                    Content& content) {
    const Attributes a(s_.defaults.chain(element, active), s_.left_out);
    const MjcfGeom geom =
        read_geom(a, s_.compiler, materials_, s_.meshes, frame, content.weighs_geoms);
    if (geom.touches) ++touching_;
    if (geom.counts) content.geoms.push_back(geom.mass);
    if (geom.shape)
      (content.body == kGround ? s_.m.ground_shapes : s_.m.bodies[std::size_t(content.body)].shapes)
          .push_back(*geom.shape);
    else if (geom.is_visible)
      ++shapeless_;
  }

  void read_site(const XmlElement& element, const std::string& active, const Pose& frame,
                 int body) {
    const Attributes a(s_.defaults.chain(element, active), s_.left_out);
    Pose pose = read_pose(a, s_.compiler);
    if (const auto ends = a.numbers("fromto", 6, 6)) {
      const Vector from = vector_of(*ends), to{(*ends)[3], (*ends)[4], (*ends)[5]};
      pose = {0.5 * (from + to), from_z_axis(from - to)};
    }
    for (const char* key : {"type", "size"}) a.ignore(key);
    const std::string name = a.text("name");
    if (name.empty()) return;
    pose = frame * pose;
    MjcfSite site{body, pose, site_names_.usable(name)};
    auto& points = body == kGround ? s_.m.ground_points : s_.m.bodies[std::size_t(body)].points;
    points.emplace_back(site.point, pose.place);
    if (!s_.sites.emplace(name, site).second)
      reject(element.where, "there are two sites of this name", "names tell them apart",
             "rename one of them");
  }

  void read_body(const XmlElement& element, const std::string& active, const Pose& frame,
                 int parent) {
    const Attributes a({&element}, s_.left_out);
    const std::string inner = s_.defaults.active_within(element, active);
    const Pose own = read_pose(a, s_.compiler), pose = frame * own;
    std::vector<PlacedJoint> joints;
    find_joints(element, inner, Pose(), joints);
    const std::string called = a.text("name");
    const std::string name = body_names_.usable(called.empty() ? "body" : called);
    const int body = add_joints(joints, pose, parent, name);
    if (!called.empty() && !s_.bodies.emplace(called, body).second)
      reject(element.where, "there are two bodies of this name", "names tell them apart",
             "rename one of them");
    if (a.flag("mocap", false)) {
      if (!joints.empty()) a.reject("mocap", "\"false\" of a body that has joints");
      ++mocaps_;
    }
    s_.gravity_compensation[std::size_t(body)] = a.number("gravcomp", 0.0);

    const XmlElement* inertial = element.child("inertial");
    if (element.all("inertial").size() > 1)
      reject(element.where, "found two inertials", "a body has one", "remove one of them");
    const std::string& rule = s_.compiler.inertia_from_geoms;
    Content content{body, {}, rule == "true" || (rule == "auto" && !inertial)};
    read_content(element, inner, Pose(), content);
    MassProperties mass = together(content.geoms);
    if (inertial && (!content.weighs_geoms || mass.mass == 0.0))
      mass = read_inertial(Attributes({inertial}, s_.left_out), s_.compiler);
    // Where MuJoCo puts the least mass of a body that has none.
    if (mass.mass == 0.0 && !inertial && s_.compiler.least_mass > 0.0) mass.com = own.place;
    mass = bounded(mass, s_.compiler);
    ImportedBody& imported = s_.m.bodies[std::size_t(body)];
    imported.mass = mass.mass;
    imported.com = mass.com;
    imported.inertia = mass.inertia;
  }

  struct PlacedJoint {
    const XmlElement* element;
    std::string active;
    Pose frame;
  };

  void find_joints(const XmlElement& element, const std::string& active, const Pose& frame,
                   std::vector<PlacedJoint>& joints) {
    for (const XmlElement& child : element.children)
      if (child.name == "joint" || child.name == "freejoint") {
        joints.push_back({&child, active, frame});
      } else if (child.name == "frame") {
        const Attributes a({&child}, s_.left_out);
        find_joints(child, s_.defaults.active_within(child, active),
                    frame * read_pose(a, s_.compiler), joints);
      }
  }

  int new_body(const std::string& name, const Pose& global) {
    if (s_.m.bodies.size() == kMostBodies)
      reject(s_.m.name, "found more than " + std::to_string(kMostBodies) + " bodies",
             "so large a mechanism is not imported", "split it");
    ImportedBody body;
    body.name = name;
    s_.m.bodies.push_back(std::move(body));
    s_.poses.push_back(global);
    s_.gravity_compensation.push_back(0.0);
    return static_cast<int>(s_.m.bodies.size()) - 1;
  }

  // The joints of a body, one after the other, each on the frame that the one before moves.
  int add_joints(const std::vector<PlacedJoint>& joints, const Pose& pose, int parent,
                 const std::string& name) {
    const Pose global = s_.pose_of(parent) * pose;
    if (joints.empty()) {
      const int added = new_body(name, global);
      ImportedJoint weld;
      weld.name = s_.joint_names.usable("base of " + name);
      weld.type = "fixed";
      weld.parent = parent;
      weld.child = added;
      weld.place = pose.place;
      weld.rotation = pose.rotation;
      s_.m.joints.push_back(std::move(weld));
      return added;
    }
    if (joints.size() > 1)
      for (const PlacedJoint& joint : joints)
        if (joint.element->name == "freejoint")
          reject(joint.element->where, "found other joints beside a free joint",
                 "a body that floats has no other joint", "remove one of them");
    int last = parent;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const bool is_last = k + 1 == joints.size();
      const int next = new_body(
          is_last ? name : body_names_.usable(name + " frame " + std::to_string(k + 1)), global);
      s_.m.bodies.back().is_frame = !is_last;
      read_joint(joints[k], k == 0 ? pose : Pose(), last, next, name);
      last = next;
    }
    return last;
  }

  void read_joint(const PlacedJoint& placed, const Pose& pose, int parent, int child,
                  const std::string& body_name) {
    const XmlElement& element = *placed.element;
    const bool is_free = element.name == "freejoint";
    const Attributes a(is_free ? std::vector<const XmlElement*>{&element}
                               : s_.defaults.chain(element, placed.active),
                       s_.left_out);
    MjcfJoint joint;
    joint.type = is_free ? "free" : a.choice("type", {"free", "ball", "slide", "hinge"}, "hinge");
    if (joint.type == "free" && parent != kGround)
      reject(element.where, "found a free joint", "only bodies of the world float freely",
             "put " + in_quotes(body_name) + " into the <worldbody>, with no other joint");
    ImportedJoint imported;
    const std::string called = a.text("name");
    imported.name = s_.joint_names.usable(called.empty() ? "joint of " + body_name : called);
    imported.parent = parent;
    imported.child = child;
    joint.index = s_.m.joints.size();
    const Vector at =
        placed.frame.place + placed.frame.rotation * vector_of(a.filled("pos", {0, 0, 0}, 3));
    imported.rotation = pose.rotation;
    if (joint.type == "free") {
      imported.type = "floating";
      imported.place = pose.place;
      for (const char* key : {"axis", "pos"}) a.ignore(key);
      if (a.choice("align", {"auto", "true", "false"}, "auto") == "true")
        s_.left_out.add("freejoint align");
    } else {
      imported.place = pose.place + pose.rotation * at;
      imported.child_place = at;
      imported.type = joint.type == "hinge"   ? "revolute"
                      : joint.type == "slide" ? "prismatic"
                                              : "spherical";
    }
    if (joint.has_coordinate())
      read_axis(a, placed.frame, imported);
    else
      a.ignore("axis");
    read_references(a, joint, imported);
    s_.m.joints.push_back(imported);
    if (!called.empty() && !s_.joint_of.emplace(called, s_.joints.size()).second)
      reject(element.where, "there are two joints of this name", "names tell them apart",
             "rename one of them");
    s_.joints.push_back(joint);
    read_limits(a, s_.joints.back(), imported);
    loads_.read(a, joint, imported);
  }

  static void read_axis(const Attributes& a, const Pose& frame, ImportedJoint& imported) {
    const Vector axis = vector_of(a.filled("axis", {0, 0, 1}, 3));
    if (axis.norm() == 0.0) a.reject("axis", "a direction");
    imported.axis = (frame.rotation * axis).normalized();
  }

  double in_units(const MjcfJoint& joint, double given) const {
    return joint.type == "hinge" || joint.type == "ball" ? s_.compiler.angle(given) : given;
  }

  void read_references(const Attributes& a, MjcfJoint& joint, ImportedJoint& imported) {
    const double reference = a.number("ref", 0.0), spring = a.number("springref", 0.0);
    if (!joint.has_coordinate()) return;
    joint.reference = in_units(joint, reference);
    joint.spring_reference = in_units(joint, spring);
    imported.reference = joint.reference;
  }

  // Nothing stops a joint; expressions can use its limits.
  void read_limits(const Attributes& a, MjcfJoint& joint, const ImportedJoint& imported) {
    const auto range = a.numbers("range", 2, 2);
    const std::string limited = a.choice("limited", {"auto", "true", "false"}, "auto");
    for (const char* key :
         {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "group"})
      a.ignore(key);
    if (a.has("actuatorfrcrange") &&
        a.choice("actuatorfrclimited", {"auto", "true", "false"}, "auto") != "false")
      s_.left_out.add("joint actuatorfrcrange");
    else
      a.ignore("actuatorfrclimited");
    const bool is_limited =
        limited == "true" || (limited == "auto" && s_.compiler.limits_automatically && range);
    if (!is_limited || !range) return;
    if (!joint.has_coordinate()) return s_.left_out.add("range of a " + joint.type + " joint");
    ++limited_;
    joint.range = {in_units(joint, (*range)[0]), in_units(joint, (*range)[1])};
    s_.m.add(s_.m.definitions, "lower_" + identifier(imported.name), joint.range[0]);
    s_.m.add(s_.m.definitions, "upper_" + identifier(imported.name), joint.range[1]);
  }

  void scale_masses() {
    if (s_.compiler.total_mass <= 0.0) return;
    double sum = 0.0;
    for (const ImportedBody& body : s_.m.bodies) sum += body.mass;
    if (sum == 0.0) return;
    const double factor = s_.compiler.total_mass / sum;
    for (ImportedBody& body : s_.m.bodies) {
      body.mass *= factor;
      body.inertia *= factor;
    }
  }

  void write_gravity_compensation() {
    for (std::size_t i = 0; i < s_.m.bodies.size(); ++i) {
      const double share = s_.gravity_compensation[i];
      const ImportedBody& body = s_.m.bodies[i];
      if (share == 0.0 || body.mass == 0.0) continue;
      const std::string mass = s_.m.factor("mass_" + identifier(body.name), body.mass, "kg");
      Json components = Json::array();
      for (Eigen::Index k = 0; k < 3; ++k)
        if (s_.m.gravity[k] == 0.0)
          components.push_back(0);
        else
          components.push_back("-(" + to_text(share * s_.m.gravity[k]) + ")*" + mass);
      s_.m.forces[s_.m.force_names.usable(body.name + " gravity compensation")] = {
          {"type", "force"}, {"at", body.name + ".com"}, {"components", components}};
    }
  }

  void write_remarks() {
    std::vector<std::string>& remarks = s_.m.remarks;
    if (limited_ > 0)
      remarks.push_back("the limits of " + counted(limited_, "joint") +
                        " are definitions (lower_NAME, upper_NAME); nothing stops the joints");
    if (touching_ > 0)
      remarks.push_back("nothing touches: the contact of " + counted(touching_, "geom") +
                        " is left out");
    if (shapeless_ > 0)
      remarks.push_back(counted(shapeless_, "geom") +
                        " not drawn: planes, height fields, and what is fitted to meshes");
    s_.meshes.looks().add_remark(remarks);
    if (mocaps_ > 0)
      remarks.push_back(counted(mocaps_, "body", "bodies") +
                        " moved by motion capture: fixed to the ground");
  }

  MjcfScene& s_;
  MjcfMaterials materials_;
  MjcfLoads loads_;
  Names body_names_, site_names_;
  std::size_t limited_ = 0, touching_ = 0, mocaps_ = 0, shapeless_ = 0;
};

template <class Map>
std::vector<std::string> names_in(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

template <class Map>
const typename Map::mapped_type& find_named(const Map& map, const Attributes& a,
                                            const std::string& key, const std::string& what) {
  const std::string name = a.required(key);
  const auto found = map.find(name);
  if (found == map.end())
    reject(a.where(), "found " + key + " = " + in_quotes(name), "there is no such " + what,
           suggestion(name, names_in(map)));
  return found->second;
}

}  // namespace

int MjcfScene::body_named(const Attributes& attributes, const std::string& key) const {
  return find_named(bodies, attributes, key, "body");
}

const MjcfJoint& MjcfScene::joint_named(const Attributes& attributes,
                                        const std::string& key) const {
  return joints[find_named(joint_of, attributes, key, "joint")];
}

const MjcfSite& MjcfScene::site_named(const Attributes& attributes, const std::string& key) const {
  return find_named(sites, attributes, key, "site");
}

std::string MjcfScene::place_of(int body, const std::string& point) const {
  return (body == kGround ? "ground" : m.bodies[std::size_t(body)].name) + "." + point;
}

std::string MjcfScene::new_point(int body, const std::string& name, const Vector& place) {
  auto& points = body == kGround ? m.ground_points : m.bodies[std::size_t(body)].points;
  std::string free = name;
  while (std::any_of(points.begin(), points.end(),
                     [&](const auto& point) { return point.first == free; }))
    free += "_";
  points.emplace_back(free, place);
  return place_of(body, free);
}

Pose MjcfScene::pose_at_rest(int body) const {
  std::vector<const ImportedJoint*> carriers(m.bodies.size());
  for (const ImportedJoint& joint : m.joints)
    if (!joint.is_cut) carriers[std::size_t(joint.child)] = &joint;
  std::unordered_map<const ImportedJoint*, double> moved;
  for (const MjcfJoint& joint : joints)
    if (joint.has_coordinate())
      moved[&m.joints[joint.index]] = joint.spring_reference - joint.reference;
  Pose pose;
  for (int at = body; at != kGround; at = carriers[std::size_t(at)]->parent) {
    const ImportedJoint& joint = *carriers[std::size_t(at)];
    const auto found = moved.find(&joint);
    const double way = found == moved.end() ? 0.0 : found->second;
    Pose own{joint.place, joint.rotation};
    if (joint.type == "revolute")
      own = own * Pose{Vector::Zero(), Eigen::AngleAxisd(way, joint.axis).toRotationMatrix()};
    if (joint.type == "prismatic") own = own * Pose{way * joint.axis, Matrix::Identity()};
    pose = own * Pose{-joint.child_place, Matrix::Identity()} * pose;
  }
  return pose;
}

void read_mjcf_tree(MjcfScene& scene) {
  BodyReader(scene).read();
}

}  // namespace gradus::importing
