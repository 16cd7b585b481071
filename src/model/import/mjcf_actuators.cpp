// Actuators of MJCF: force = gain control + bias on a joint, a fixed tendon or a site, with
// controls as parameters.
#include <algorithm>
#include <numbers>

#include "src/model/import/mjcf_scene.hpp"
#include "src/model/message.hpp"

namespace gradus::importing {
namespace {

using Numbers = std::vector<double>;

// What attributes of <general> say, and what the shortcuts make of them. Defaults of all kinds of
// actuators act on each other, one after the other, as in MuJoCo.
struct Settings {
  Numbers gear{1, 0, 0, 0, 0, 0};
  std::string control_limited = "auto", force_limited = "auto", activation_limited = "auto";
  Numbers control_range, force_range, activation_range;
  std::string gain = "fixed", bias = "none", dynamics = "none";
  Numbers gain_numbers = Numbers(10), bias_numbers = Numbers(10), dynamics_numbers = Numbers(10);
  double damping_ratio = 0.0, inherits_range = 0.0;
  bool acts_early = false;
  std::string shortcut;  // the last that set gain, bias and dynamics; empty: none

  Settings() { gain_numbers[0] = dynamics_numbers[0] = 1.0; }
};

class Actuator {
 public:
  // `control`: as a keyframe states it.
  Actuator(MjcfScene& scene, const XmlElement& element, double control)
      : s_(scene), element_(element), control_(control) {}

  void read() {
    Settings s;
    for (const XmlElement* one : s_.defaults.all_of(element_, ""))
      if (is_actuator(one->name)) apply(*one, Attributes({one}, s_.left_out), s);
    const Attributes a({&element_}, s_.left_out);
    apply(element_, a, s);
    const std::string problem = unread(a, s);
    if (!problem.empty()) {
      for (const auto& [key, value] : element_.attributes) a.ignore(key);
      return s_.left_out.add(problem);
    }
    const std::string called = a.text("name");
    name_ = s_.m.force_names.usable(called.empty() ? element_.name : called);
    a.has("joint") || a.has("jointinparent") ? act_on_joint(a, s)
    : a.has("tendon")                        ? act_on_tendon(a, s)
                                             : act_at_site(a, s);
  }

  static bool is_actuator(const std::string& tag) {
    return is_among(tag, {"general", "motor", "position", "velocity", "intvelocity", "damper",
                          "cylinder", "muscle", "adhesion", "plugin"});
  }

 private:
  static void apply(const XmlElement& element, const Attributes& a, Settings& s) {
    s.gear = a.filled("gear", s.gear, 6);
    const std::vector<std::string> limited = {"auto", "true", "false"};
    s.control_limited = a.choice("ctrllimited", limited, s.control_limited);
    s.force_limited = a.choice("forcelimited", limited, s.force_limited);
    s.activation_limited = a.choice("actlimited", limited, s.activation_limited);
    for (const auto& [key, range] : {std::pair{"ctrlrange", &s.control_range},
                                     {"forcerange", &s.force_range},
                                     {"actrange", &s.activation_range}})
      if (const auto given = a.numbers(key, 2, 2)) *range = *given;
    for (const char* key : {"lengthrange", "group", "cranklength"}) a.ignore(key);
    s.acts_early = a.flag("actearly", s.acts_early);
    const std::string& tag = element.name;
    // What one shortcut has made of gain and bias another does not inherit.
    if (tag != "general" && !s.shortcut.empty() && s.shortcut != tag) {
      const Settings initial;
      s.gain_numbers = initial.gain_numbers;
      s.bias_numbers = initial.bias_numbers;
      s.dynamics_numbers = initial.dynamics_numbers;
      set_kinds(s, "fixed", "none", "none");
      s.damping_ratio = s.inherits_range = 0.0;
    }
    if (tag != "general") s.shortcut = tag;
    if (tag == "general") apply_general(a, s);
    if (tag == "motor") set_kinds(s, "fixed", "none", "none"), s.gain_numbers[0] = 1.0;
    if (tag == "position" || tag == "intvelocity") apply_position(a, s, tag == "intvelocity");
    if (tag == "velocity") apply_velocity(a, s);
    if (tag == "damper") apply_damper(a, s);
    if (tag == "cylinder") apply_cylinder(a, s);
    if (tag == "muscle" || tag == "adhesion" || tag == "plugin") s.gain = tag;
  }

  static void set_kinds(Settings& s, const char* gain, const char* bias, const char* dynamics) {
    s.gain = gain;
    s.bias = bias;
    s.dynamics = dynamics;
  }

  static void apply_general(const Attributes& a, Settings& s) {
    s.gain = a.choice("gaintype", {"fixed", "affine", "muscle", "user", "dcmotor"}, s.gain);
    s.bias = a.choice("biastype", {"none", "affine", "muscle", "user", "dcmotor"}, s.bias);
    s.dynamics = a.choice(
        "dyntype", {"none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor"},
        s.dynamics);
    s.gain_numbers = a.filled("gainprm", s.gain_numbers, 10);
    s.bias_numbers = a.filled("biasprm", s.bias_numbers, 10);
    s.dynamics_numbers = a.filled("dynprm", s.dynamics_numbers, 10);
  }

  static void apply_position(const Attributes& a, Settings& s, bool integrates) {
    s.gain_numbers[0] = a.number("kp", s.gain_numbers[0]);
    s.bias_numbers[0] = 0.0;
    s.bias_numbers[1] = -s.gain_numbers[0];
    if (a.has("kv")) s.bias_numbers[2] = -a.number("kv", 0.0);
    s.damping_ratio = a.number("dampratio", s.damping_ratio);
    if (s.bias_numbers[2] > 0.0) s.damping_ratio = s.bias_numbers[2];  // as MuJoCo reads it
    s.inherits_range = a.number("inheritrange", s.inherits_range);
    s.gain = "fixed";
    s.bias = "affine";
    if (integrates) s.dynamics = "integrator";
    if (!a.has("timeconst")) return;
    const double constant = a.number("timeconst", 0.0);
    s.dynamics = constant == 0.0 ? "none" : "filterexact";
    if (constant != 0.0) s.dynamics_numbers[0] = constant;
  }

  static void apply_velocity(const Attributes& a, Settings& s) {
    s.gain_numbers[0] = a.number("kv", s.gain_numbers[0]);
    std::fill(s.bias_numbers.begin(), s.bias_numbers.end(), 0.0);
    s.bias_numbers[2] = -s.gain_numbers[0];
    set_kinds(s, "fixed", "affine", "none");
  }

  static void apply_damper(const Attributes& a, Settings& s) {
    const double kv = a.number("kv", -s.gain_numbers[2]);
    std::fill(s.gain_numbers.begin(), s.gain_numbers.end(), 0.0);
    s.gain_numbers[2] = -kv;
    s.control_limited = "true";
    set_kinds(s, "affine", "none", "none");
  }

  static void apply_cylinder(const Attributes& a, Settings& s) {
    s.dynamics_numbers[0] = a.number("timeconst", s.dynamics_numbers[0]);
    s.bias_numbers = a.filled("bias", s.bias_numbers, 3);
    s.bias_numbers.resize(10);
    s.gain_numbers[0] = a.number("area", s.gain_numbers[0]);
    if (a.has("diameter")) {
      const double diameter = a.number("diameter", 0.0);
      s.gain_numbers[0] = std::numbers::pi / 4.0 * diameter * diameter;
    }
    set_kinds(s, "fixed", "affine", "filter");
  }

  // Why an actuator has no counterpart; empty if it has one, in which case details may be left out.
  std::string unread(const Attributes& a, const Settings& s) const {
    const std::string kind = "actuator " + element_.name;
    for (const std::string& one : {s.gain, s.bias, s.dynamics})
      for (const char* other : {"muscle", "user", "adhesion", "plugin", "dcmotor"})
        if (one == other) return one == element_.name ? kind : kind + " of type " + one;
    if (s.acts_early && s.dynamics != "none") s_.left_out.add("actuator actearly");
    if (a.number("actdim", -1.0) > 1.0) return kind + " with actdim";
    if (s.damping_ratio != 0.0) return kind + " with dampratio";
    for (const char* key : {"joint", "jointinparent"})
      if (a.has(key))
        return s_.joint_named(a, key).has_coordinate() ? "" : kind + " of a ball or free joint";
    if (a.has("tendon"))
      return s_.tendons.count(a.text("tendon")) != 0 ? "" : kind + " of a spatial tendon";
    if (!a.has("site")) return kind + " on a body or crank";
    if (a.has("refsite")) return kind + " with refsite";
    return s.bias == "none" && s.gain == "fixed" ? "" : kind + " of a site, with feedback";
  }

  static bool limits(const std::string& limited, const Numbers& range, const MjcfScene& scene) {
    return !range.empty() &&
           (limited == "true" || (limited == "auto" && scene.compiler.limits_automatically));
  }

  // The control, or what dynamics make of it.
  std::string input(const Settings& s, Numbers range) {
    const std::string of = identifier(name_);
    const bool is_limited = limits(s.control_limited, range, s_);
    double value = control_;
    if (is_limited) value = std::clamp(value, range[0], std::max(range[0], range[1]));
    const std::string parameter = s_.m.new_parameter(
        "ctrl_" + of, value, "", is_limited && range[0] < range[1] ? Json(range) : Json());
    if (s.dynamics == "none") return parameter;
    if (s.dynamics != "integrator" && s.dynamics_numbers[0] <= 0.0)
      gradus::reject(element_.where, "found the time constant " + to_text(s.dynamics_numbers[0]),
                     "a filter needs one above 0", "state another, or no dynamics");
    const std::string state = s_.m.add(s_.m.states, "act_" + of, Json::object());
    s_.m.states[state]["rate"] =
        s.dynamics == "integrator"
            ? parameter
            : "(" + parameter + " - " + state + ")/(" + to_text(s.dynamics_numbers[0]) + ")";
    if (limits(s.activation_limited, s.activation_range, s_))
      s_.left_out.add("limit of an actuator's state");
    return state;
  }

  static std::string affine(const Numbers& numbers, const std::string& length,
                            const std::string& rate) {
    std::string text;
    const auto add = [&text](double factor, const std::string& variable) {
      if (factor == 0.0) return;
      text += (text.empty() ? "" : " + ") + ("(" + to_text(factor) + ")") +
              (variable.empty() ? "" : "*" + variable);
    };
    add(numbers[0], "");
    add(numbers[1], length);
    add(numbers[2], rate);
    return text;
  }

  // The force along a length with this rate.
  std::string force(const Settings& s, const Numbers& range, const std::string& length,
                    const std::string& rate) {
    const std::string gain =
        s.gain == "fixed" ? to_text(s.gain_numbers[0]) : affine(s.gain_numbers, length, rate);
    std::string text;
    const std::string in = input(s, range);
    if (!gain.empty()) text = (gain == "1" ? "" : "(" + gain + ")*") + in;
    if (s.bias == "affine")
      if (const std::string bias = affine(s.bias_numbers, length, rate); !bias.empty())
        text += (text.empty() ? "" : " + ") + bias;
    if (text.empty()) text = "0*" + in;
    if (!limits(s.force_limited, s.force_range, s_)) return text;
    return "min(" + to_text(s.force_range[1]) + ", max(" + to_text(s.force_range[0]) + ", " + text +
           "))";
  }

  void act_on_joint(const Attributes& a, const Settings& s) {
    const MjcfJoint& joint = s_.joint_named(a, a.has("joint") ? "joint" : "jointinparent");
    a.ignore("jointinparent");
    const std::string& called = s_.imported(joint).name;
    Numbers range = s.control_range;
    if (s.inherits_range > 0.0) {
      if (s.dynamics == "integrator")
        s_.left_out.add("limit of an actuator's state");
      else if (range.empty())
        range = inherited(a, s, joint);
    }
    const double gear = s.gear[0];
    const auto geared = [gear](const std::string& sensor) {
      return gear == 1.0 ? sensor : "(" + to_text(gear) + ")*" + sensor;
    };
    const std::string value =
        force(s, range, geared(s_.m.coordinate_of(called)), geared(s_.m.rate_of(called)));
    s_.m.forces[name_] = {
        {"type", "joint-force"},
        {"joint", called},
        {"value", gear == 1.0 ? value : "(" + to_text(gear) + ")*(" + value + ")"}};
  }

  static Numbers inherited(const Attributes& a, const Settings& s, const MjcfJoint& joint) {
    if (joint.range.empty()) a.reject("inheritrange", "0 where the joint has no range");
    const double middle = 0.5 * (joint.range[0] + joint.range[1]),
                 half = 0.5 * (joint.range[1] - joint.range[0]) * s.inherits_range;
    return {middle - half, middle + half};
  }

  void act_on_tendon(const Attributes& a, const Settings& s) {
    const MjcfTendon& tendon = s_.tendons.at(a.text("tendon"));
    const std::string gear = "(" + to_text(s.gear[0]) + ")*";
    const std::string definition =
        s_.m.add(s_.m.definitions, "force_" + identifier(name_),
                 force(s, s.control_range, gear + tendon.length, gear + tendon.rate));
    for (const auto& [joint, factor] : tendon.terms) {
      const std::string& called = s_.m.joints[joint].name;
      s_.m.forces[s_.m.force_names.usable(name_ + " on " + called)] = {
          {"type", "joint-force"},
          {"joint", called},
          {"value", "(" + to_text(factor * s.gear[0]) + ")*" + definition}};
    }
  }

  // A force and a torque in the axes of the site.
  void act_at_site(const Attributes& a, const Settings& s) {
    const MjcfSite& site = s_.site_named(a, "site");
    if (site.body == kGround) return s_.left_out.add("actuator at a site of the world");
    const std::string definition = s_.m.add(s_.m.definitions, "force_" + identifier(name_),
                                            force(s, s.control_range, "0", "0"));
    const auto components = [&](std::size_t first) {
      const Vector along =
          site.pose.rotation * Vector(s.gear[first], s.gear[first + 1], s.gear[first + 2]);
      Json json = Json::array();
      for (Eigen::Index k = 0; k < 3; ++k)
        if (along[k] == 0.0)
          json.push_back(0);
        else
          json.push_back("(" + to_text(along[k]) + ")*" + definition);
      return json;
    };
    const Json zero = {0, 0, 0}, force_part = components(0), torque_part = components(3);
    if (force_part != zero)
      s_.m.forces[name_] = {{"type", "force"},
                            {"at", s_.place_of(site.body, site.point)},
                            {"components", force_part},
                            {"axes", "body"}};
    if (torque_part != zero)
      s_.m.forces[force_part == zero ? name_ : s_.m.force_names.usable(name_ + " torque")] = {
          {"type", "torque"},
          {"body", s_.m.body(site.body)->name},
          {"components", torque_part},
          {"axes", "body"}};
  }

  MjcfScene& s_;
  const XmlElement& element_;
  double control_;
  std::string name_;
};

}  // namespace

void read_mjcf_actuators(MjcfScene& scene) {
  std::size_t k = 0;
  for (const XmlElement* element : scene.parts("actuator")) {
    const double control = k < scene.controls.size() ? scene.controls[k] : 0.0;
    ++k;
    if (Actuator::is_actuator(element->name))
      Actuator(scene, *element, control).read();
    else
      scene.left_out.add("actuator " + element->name);
  }
}

}  // namespace gradus::importing
