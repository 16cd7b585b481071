// Fixed tendons as sums of coordinates, springs between sites, and equalities as constraints.
#include <algorithm>

#include "src/model/import/mjcf_scene.hpp"
#include "src/model/message.hpp"

namespace gradus::importing {
namespace {

std::string term(double factor, const std::string& variable) {
  return "(" + to_text(factor) + ")*" + variable;
}

// a0 + a1 x + a2 x^2 + ..., in the deviation of x from its reference.
std::string polynomial(const std::vector<double>& coefficients, const std::string& x,
                       double reference) {
  const std::string deviation = "(" + x + " - (" + to_text(reference) + "))";
  std::string text = "(" + to_text(coefficients[0]) + ")";
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    if (coefficients[k] != 0.0)
      text += " + " + term(coefficients[k], deviation) + (k == 1 ? "" : "^" + std::to_string(k));
  return text;
}

class Tendons {
 public:
  explicit Tendons(MjcfScene& scene) : s_(scene) {}

  void read() {
    for (const XmlElement* element : s_.parts("tendon"))
      if (element->name == "fixed")
        read_fixed(*element);
      else if (element->name == "spatial")
        read_spatial(*element);
      else
        s_.left_out.add("tendon " + element->name);
  }

 private:
  // Looks and the limits of the solver.
  void ignore_rest(const Attributes& a) {
    for (const char* key : {"solreflimit", "solimplimit", "solreffriction", "solimpfriction",
                            "margin", "range", "limited"})
      a.ignore(key);
    if (a.has("range")) s_.left_out.add("limit of a tendon");
    if (a.number("frictionloss", 0.0) != 0.0) s_.left_out.add("tendon frictionloss");
    if (a.number("armature", 0.0) != 0.0) s_.left_out.add("tendon armature");
  }

  void read_fixed(const XmlElement& element) {
    const Attributes a(s_.defaults.chain(element, "", "tendon"), s_.left_out);
    const std::string called = a.text("name"),
                      name = names_.usable(called.empty() ? "tendon" : called);
    MjcfTendon tendon;
    double at_rest = 0.0;
    for (const XmlElement* part : element.all("joint")) {
      const Attributes joint_attributes({part}, s_.left_out);
      const MjcfJoint& joint = s_.joint_named(joint_attributes, "joint");
      const double factor = joint_attributes.required_number("coef");
      if (!joint.has_coordinate())
        reject(part->where, "found a " + joint.type + " joint",
               "tendons are sums of turns and slides", "use hinges");
      const std::string& called_joint = s_.m.joints[joint.index].name;
      for (const auto& [other, coefficient] : tendon.terms)
        if (other == joint.index)
          reject(part->where, "found a joint for the second time", "a tendon has each joint once",
                 "add the coefficients");
      tendon.terms.emplace_back(joint.index, factor);
      const std::string plus = tendon.length.empty() ? "" : " + ";
      tendon.length += plus + term(factor, s_.m.coordinate_of(called_joint));
      tendon.rate += plus + term(factor, s_.m.rate_of(called_joint));
      tendon.reference += factor * joint.reference;
      at_rest += factor * joint.spring_reference;
    }
    if (tendon.terms.empty())
      reject(element.where, "found no joint", "a tendon has at least one", "add one");
    const std::string of = "_" + identifier(name);
    tendon.length = s_.m.add(s_.m.definitions, "length" + of, tendon.length);
    tendon.rate = s_.m.add(s_.m.definitions, "rate" + of, tendon.rate);
    pull(a, name, tendon, at_rest);
    ignore_rest(a);
    if (!called.empty()) s_.tendons.emplace(called, tendon);
  }

  // Its spring and its damping, as forces on its joints.
  void pull(const Attributes& a, const std::string& name, const MjcfTendon& tendon,
            double at_rest) {
    const double stiffness = a.number("stiffness", 0.0), damping = a.number("damping", 0.0);
    std::vector<double> length = a.filled("springlength", {-1.0}, 2);
    if (length[0] == -1.0) length = {at_rest};
    if (stiffness == 0.0 && damping == 0.0) return;
    const std::string of = "_" + identifier(name);
    std::string force;
    if (stiffness != 0.0) {
      const std::string shortest = "(" + to_text(length.front()) + ")",
                        longest = "(" + to_text(length.back()) + ")";
      force = "-" + s_.m.factor("tendon_stiffness" + of, stiffness, "") + "*" +
              (shortest == longest ? "(" + tendon.length + " - " + longest + ")"
                                   : "(max(0, " + tendon.length + " - " + longest + ") + min(0, " +
                                         tendon.length + " - " + shortest + "))");
    }
    if (damping != 0.0)
      force += " - " + s_.m.factor("tendon_damping" + of, damping, "") + "*" + tendon.rate;
    const std::string tension = s_.m.add(s_.m.definitions, "tension" + of, force);
    for (const auto& [joint, factor] : tendon.terms) {
      const std::string& called = s_.m.joints[joint].name;
      s_.m.forces[s_.m.force_names.usable(name + " on " + called)] = {
          {"type", "joint-force"}, {"joint", called}, {"value", term(factor, tension)}};
    }
  }

  // Between two sites, without anything to wrap around, a tendon is a spring.
  void read_spatial(const XmlElement& element) {
    const Attributes a(s_.defaults.chain(element, "", "tendon"), s_.left_out);
    const double stiffness = a.number("stiffness", 0.0), damping = a.number("damping", 0.0);
    const std::vector<double> length = a.filled("springlength", {-1.0}, 2);
    const std::vector<const XmlElement*> sites = element.all("site");
    const bool is_straight = sites.size() == 2 && element.children.size() == 2;
    if ((stiffness == 0.0 && damping == 0.0) || !is_straight || length.size() == 2) {
      s_.left_out.add("spatial tendon");
      for (const char* key : {"range", "limited", "margin", "frictionloss", "armature"})
        a.ignore(key);
      return;
    }
    ignore_rest(a);
    const MjcfSite& from = s_.site_named(Attributes({sites[0]}, s_.left_out), "site");
    const MjcfSite& to = s_.site_named(Attributes({sites[1]}, s_.left_out), "site");
    const Vector between =
        (s_.pose_at_rest(to.body) * to.pose).place - (s_.pose_at_rest(from.body) * from.pose).place;
    const std::string name = names_.usable(a.text("name", "tendon")), of = "_" + identifier(name);
    Json force = {{"type", "spring-damper"},
                  {"from", s_.place_of(from.body, from.point)},
                  {"to", s_.place_of(to.body, to.point)}};
    if (stiffness != 0.0) {
      force["stiffness"] = s_.m.number("tendon_stiffness" + of, stiffness, "N/m");
      force["length"] = length[0] == -1.0 ? between.norm() : length[0];
    }
    if (damping != 0.0) force["damping"] = s_.m.number("tendon_damping" + of, damping, "N s/m");
    s_.m.forces[s_.m.force_names.usable(name)] = force;
  }

  MjcfScene& s_;
  Names names_;
};

class Equalities {
 public:
  explicit Equalities(MjcfScene& scene) : s_(scene) {}

  void read() {
    for (const XmlElement* element : s_.parts("equality")) read_one(*element);
    if (count_ > 0)
      s_.m.remarks.push_back(counted(count_, "equality", "equalities") +
                             ": rigid, not soft; positions at the start are guesses");
  }

 private:
  void read_one(const XmlElement& element) {
    const Attributes a(s_.defaults.chain(element, "", "equality"), s_.left_out);
    for (const char* key : {"solref", "solimp"}) a.ignore(key);
    const std::string& kind = element.name;
    if (!a.flag("active", true)) {
      for (const auto& [key, value] : element.attributes) a.ignore(key);
      return s_.left_out.add("inactive equality");
    }
    if (kind != "connect" && kind != "weld" && kind != "joint" && kind != "tendon")
      return s_.left_out.add("equality " + kind);
    ++count_;
    s_.m.has_loops = true;
    name_ = s_.constraint_names.usable(a.text("name", kind));
    if (kind == "connect")
      connect(a);
    else if (kind == "weld")
      weld(a);
    else if (kind == "joint")
      tie_joints(a);
    else
      tie_tendons(a);
  }

  struct End {
    int body;
    Pose pose;
  };

  End end(const Attributes& a, const char* body, const char* site) {
    if (!a.has(site)) return {a.has(body) ? s_.body_named(a, body) : kGround, {}};
    const MjcfSite& found = s_.site_named(a, site);
    return {found.body, found.pose};
  }

  void connect(const Attributes& a) {
    End one = end(a, "body1", "site1"), other = end(a, "body2", "site2");
    if (!a.has("site1")) {
      if (!a.has("body1")) a.required("body1");
      a.required("anchor");
      one.pose.place = vector_of(*a.numbers("anchor", 3, 3));
      other.pose = s_.pose_of(other.body).inverse() * (s_.pose_of(one.body) * one.pose);
    }
    s_.m.constraints[name_] = {{"coincident",
                                {s_.new_point(one.body, name_, one.pose.place),
                                 s_.new_point(other.body, name_, other.pose.place)}}};
  }

  void weld(const Attributes& a) {
    const End one = end(a, "body1", "site1"), other = end(a, "body2", "site2");
    const Vector anchor = vector_of(a.filled("anchor", {0, 0, 0}, 3));  // on the second body
    if (a.number("torquescale", 1.0) == 0.0)
      a.reject("torquescale", "a number above 0: a weld without torque is a connect");
    ImportedJoint weld;
    weld.name = s_.joint_names.usable(name_);
    weld.type = "fixed";
    weld.is_cut = true;
    weld.parent = one.body;
    weld.child = other.body;
    Pose pose = s_.pose_of(one.body).inverse() * s_.pose_of(other.body);
    const std::vector<double> given = a.filled("relpose", {0, 1, 0, 0, 0, 0, 0}, 7);
    if (a.has("site1")) {
      pose = one.pose * other.pose.inverse();
    } else if (given.size() == 7 && given[3] * given[3] + given[4] * given[4] +
                                            given[5] * given[5] + given[6] * given[6] >
                                        0.0) {
      // It is the anchor that is held at the place.
      pose.rotation = from_quaternion({given[3], given[4], given[5], given[6]});
      pose.place = vector_of(given) - pose.rotation * anchor;
    }
    if (weld.child == kGround) {  // joints have a body as their child
      std::swap(weld.parent, weld.child);
      pose = pose.inverse();
    }
    if (weld.child == kGround)
      gradus::reject(a.where(), "found a weld of the world with itself", "it welds two bodies",
                     "name a body");
    weld.place = pose.place;
    weld.rotation = pose.rotation;
    s_.m.joints.push_back(std::move(weld));
  }

  void tie_joints(const Attributes& a) {
    const MjcfJoint& one = s_.joint_named(a, "joint1");
    const std::vector<double> coefficients = a.filled("polycoef", {0, 1, 0, 0, 0}, 5);
    const MjcfJoint* other = a.has("joint2") ? &s_.joint_named(a, "joint2") : nullptr;
    for (const MjcfJoint* joint : {&one, other})
      if (joint && !joint->has_coordinate())
        gradus::reject(a.where(), "found a " + joint->type + " joint",
                       "equalities tie turns and slides", "use hinges or slides");
    tie(s_.m.coordinate_of(s_.imported(one).name), one.reference,
        other ? s_.m.coordinate_of(s_.imported(*other).name) : "", other ? other->reference : 0.0,
        coefficients);
  }

  void tie_tendons(const Attributes& a) {
    const std::vector<double> coefficients = a.filled("polycoef", {0, 1, 0, 0, 0}, 5);
    const auto one = s_.tendons.find(a.required("tendon1"));
    const bool has_other = a.has("tendon2");
    const auto other = has_other ? s_.tendons.find(a.text("tendon2")) : s_.tendons.end();
    if (one == s_.tendons.end() || (has_other && other == s_.tendons.end())) {
      --count_;
      return s_.left_out.add("equality of spatial tendons");
    }
    tie(one->second.length, one->second.reference, has_other ? other->second.length : "",
        has_other ? other->second.reference : 0.0, coefficients);
  }

  void tie(const std::string& one, double reference, const std::string& other,
           double other_reference, const std::vector<double>& coefficients) {
    const std::string right = other.empty() ? "(" + to_text(coefficients[0]) + ")"
                                            : polynomial(coefficients, other, other_reference);
    s_.m.constraints[name_] = {
        {"expression", one + " - (" + to_text(reference) + ") - (" + right + ")"}};
  }

  MjcfScene& s_;
  std::string name_;
  std::size_t count_ = 0;
};

}  // namespace

void read_mjcf_tendons(MjcfScene& scene) {
  Tendons(scene).read();
}

void read_mjcf_equalities(MjcfScene& scene) {
  Equalities(scene).read();
}

}  // namespace gradus::importing
