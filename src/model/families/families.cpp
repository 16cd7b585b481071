// The families, each as the tree of its JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/generate.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr double pi = 3.14159265358979323846;

// Twelve digits, which read well and are exact enough for guesses and places.
double rounded(double value) {
  return std::stod(rounded_text(value, 12));
}

std::string numbered(const char* name, std::size_t number) {
  return std::string(name) + std::to_string(number);
}

std::string entry(const char* array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

Json array_parameter(std::size_t size, double value, const char* unit, const char* description) {
  return {{"size", size}, {"value", value}, {"unit", unit}, {"description", description}};
}

Json model(const std::string& name, const std::string& description, const Json& gravity) {
  return {{"schema", "gradus-model/1"},   {"name", name},
          {"description", description},   {"gravity", gravity},
          {"parameters", Json::object()}, {"ground", {{"points", Json::object()}}},
          {"bodies", Json::object()},     {"joints", Json::object()}};
}

// Of a thin rod from its origin along x.
Json rod(const std::string& mass, const std::string& length) {
  const std::string moment = mass + "*" + length + "^2/12";
  return {{"mass", mass},
          {"com", {length + "/2", 0, 0}},
          {"inertia", {{"xx", mass + "*" + length + "^2/1200"}, {"yy", moment}, {"zz", moment}}},
          {"points", {{"tip", {length, 0, 0}}}}};
}

Json hinge(const std::string& parent, const std::string& child, const Json& axis, double angle) {
  return {{"type", "revolute"},
          {"parent", parent},
          {"child", child},
          {"axis", axis},
          {"initial", {{"position", angle}}}};
}

// Rods in a plane, one hanging from the next, let go in a straight line.
Json pendulum(std::size_t size) {
  Json m = model("pendulum-" + std::to_string(size),
                 "Chain of " + counted(size, "rod") + " in a vertical plane, let go horizontally",
                 {0, -9.81, 0});
  const double share = 1.0 / static_cast<double>(size);
  m["parameters"] = {{"m", array_parameter(size, share, "kg", "masses of the rods")},
                     {"L", array_parameter(size, share, "m", "their lengths")}};
  for (std::size_t i = 0; i < size; ++i) {
    m["bodies"][numbered("rod", i)] = rod(entry("m", i), entry("L", i));
    m["joints"][numbered("hinge", i)] = hinge(i == 0 ? "ground" : numbered("rod", i - 1) + ".tip",
                                              numbered("rod", i), {0, 0, 1}, 0);
  }
  m["sensors"] = {{"tip", {{"position", numbered("rod", size - 1) + ".tip"}}},
                  {"energy", {{"energy", "total"}}}};
  m["objectives"] = {{"height", {{"integral", "tip.y"}, {"unit", "m s"}}},
                     {"end", {{"terminal", "tip.x"}, {"unit", "m"}}}};
  m["analysis"] = {{"duration", 1}};
  return m;
}

// Four-bar linkages side by side: equal cranks, joined by bars that stay level. It has one degree
// of freedom, and moves as a pendulum does.
Json ladder(std::size_t size) {
  Json m = model("ladder-" + std::to_string(size),
                 counted(size, "four-bar linkage") + " side by side, which swing together",
                 {0, -9.81, 0});
  m["parameters"] = {
      {"m", array_parameter(2 * size + 1, 1.0, "kg", "masses of cranks and bars, from the left")},
      {"L", {{"value", 1}, {"unit", "m"}, {"description", "length of cranks and bars"}}},
      {"v", {{"value", 1}, {"unit", "rad/s"}, {"description", "rate at the start"}}}};
  m["loops"] = Json::object();
  for (std::size_t i = 0; i <= size; ++i) {
    const std::string crank = numbered("crank", i);
    m["ground"]["points"][numbered("P", i)] = {std::to_string(i) + "*L", 0, 0};
    m["bodies"][crank] = rod(entry("m", 2 * i), "L");
    Json pivot = hinge("ground." + numbered("P", i), crank, {0, 0, 1}, 0);
    pivot["initial"] = i == 0 ? Json{{"position", "-pi/2"}, {"velocity", "v"}}
                              : Json{{"position", {{"guess", rounded(-0.5 * pi)}}}};
    m["joints"][numbered("pivot", i)] = std::move(pivot);
    if (i == 0) continue;
    const std::string bar = numbered("bar", i - 1);
    m["bodies"][bar] = rod(entry("m", 2 * i - 1), "L");
    Json pin = hinge(numbered("crank", i - 1) + ".tip", bar, {0, 0, 1}, 0);
    pin["initial"] = {{"position", {{"guess", rounded(0.5 * pi)}}}};
    m["joints"][numbered("pin", i - 1)] = std::move(pin);
    m["loops"][numbered("loop", i - 1)] = {{"type", "revolute"},
                                           {"parent", bar + ".tip"},
                                           {"child", crank + ".tip"},
                                           {"axis", {0, 0, 1}}};
  }
  m["sensors"] = {{"angle", {{"coordinate", "pivot0"}}},
                  {"tip", {{"position", numbered("crank", size) + ".tip"}}},
                  {"energy", {{"energy", "total"}}}};
  m["objectives"] = {
      {"end", {{"terminal", "angle"}, {"unit", "rad"}}},
      {"swing", {{"integral", "(tip.x - " + std::to_string(size) + "*L)^2"}, {"unit", "m^2 s"}}}};
  m["analysis"] = {{"duration", 2}};
  return m;
}

// A platform on legs around it, each of two parts with a spring and a damper between them.
Json platform(std::size_t size) {
  Json m =
      model("platform-" + std::to_string(size),
            "Platform on " + counted(size, "leg") + " with springs and dampers", {0, 0, -9.81});
  m["parameters"] = {
      {"m", {{"value", 20}, {"unit", "kg"}, {"description", "mass of the platform"}}},
      {"m_leg", array_parameter(size, 1.0, "kg", "mass of each half of a leg")},
      {"k", array_parameter(size, 8000.0, "N/m", "stiffness of the legs")},
      {"c", array_parameter(size, 200.0, "N s/m", "their damping")}};
  const double height = 1.2, base = 1.0, top = 0.6;
  Json places = {{"C", {0, 0, 0}}};
  m["joints"]["free"] = {
      {"type", "floating"},
      {"parent", "ground"},
      {"child", "platform"},
      {"initial",
       {{"position", {0, 0, height, 1, 0, 0, 0}}, {"velocity", {0.1, 0, 0, 0, 0.2, 0.1}}}}};
  m["bodies"]["platform"] = {{"mass", "m"},
                             {"com", {0, 0, 0.1}},
                             {"inertia", {{"xx", "0.1*m"}, {"yy", "0.1*m"}, {"zz", "0.18*m"}}}};
  m["loops"] = m["forces"] = Json::object();
  for (std::size_t i = 0; i < size; ++i) {
    // Feet and heads in pairs, turned against each other, so that legs hold every motion.
    const double turn = 2.0 * pi * static_cast<double>(i) / static_cast<double>(size);
    const double lean = (i % 2 == 0 ? 0.25 : -0.25) * 2.0 * pi / static_cast<double>(size);
    const double foot[2] = {base * std::cos(turn - lean), base * std::sin(turn - lean)};
    const double head[2] = {top * std::cos(turn + lean), top * std::sin(turn + lean)};
    const double d[3] = {head[0] - foot[0], head[1] - foot[1], height};
    const double length = std::hypot(d[0], d[1], d[2]);
    const std::string lower = numbered("lower", i), upper = numbered("upper", i);
    m["ground"]["points"][numbered("B", i)] = {rounded(foot[0]), rounded(foot[1]), 0};
    places[numbered("P", i)] = {rounded(head[0]), rounded(head[1]), 0};
    const std::string mass = entry("m_leg", i);
    const Json angles = Json::array({{{"guess", rounded(std::atan2(-d[1], d[2]))}},
                                     {{"guess", rounded(std::asin(d[0] / length))}}});
    for (const double side : {1.0, -1.0})
      m["bodies"][side > 0 ? lower : upper] = {
          {"mass", mass},
          {"com", {0, 0, 0.3 * side}},
          {"inertia", {{"xx", "0.03*" + mass}, {"yy", "0.03*" + mass}, {"zz", "0.001*" + mass}}}};
    m["joints"][numbered("base", i)] = {
        {"type", "cardan"},        {"parent", "ground." + numbered("B", i)},
        {"child", lower},          {"axis", {1, 0, 0}},
        {"child_axis", {0, 1, 0}}, {"initial", {{"position", angles}}}};
    m["joints"][numbered("leg", i)] = {{"type", "prismatic"},
                                       {"parent", lower},
                                       {"child", upper},
                                       {"axis", {0, 0, 1}},
                                       {"initial", {{"position", {{"guess", rounded(length)}}}}}};
    m["loops"][numbered("ball", i)] = {
        {"type", "spherical"}, {"parent", "platform." + numbered("P", i)}, {"child", upper}};
    m["forces"][numbered("strut", i)] = {{"type", "torsional-spring-damper"},
                                         {"joint", numbered("leg", i)},
                                         {"stiffness", entry("k", i)},
                                         {"damping", entry("c", i)},
                                         {"angle", rounded(length)}};
  }
  m["bodies"]["platform"]["points"] = places;
  m["sensors"] = {{"C", {{"position", "platform.C"}}}, {"v", {{"velocity", "platform.C"}}}};
  m["objectives"] = {{"height", {{"integral", "C.z"}, {"unit", "m s"}}},
                     {"path", {{"integral", "dot(v, v)"}, {"unit", "m^2/s"}}}};
  m["analysis"] = {{"duration", 1}};
  return m;
}

// A manipulator whose joints turn about z and y in turn, with dampers, held by nothing.
Json arm(std::size_t size) {
  Json m = model("arm-" + std::to_string(size),
                 "Arm of " + counted(size, "link") + ", its joints turning about z and y in turn",
                 {0, 0, -9.81});
  m["parameters"] = {{"m", array_parameter(size, 2.0, "kg", "masses of the links")},
                     {"L", array_parameter(size, 0.3, "m", "their lengths")},
                     {"c", array_parameter(size, 0.1, "N m s/rad", "damping of the joints")}};
  m["forces"] = Json::object();
  for (std::size_t i = 0; i < size; ++i) {
    const bool about_z = i % 2 == 0;
    m["bodies"][numbered("link", i)] = rod(entry("m", i), entry("L", i));
    m["joints"][numbered("joint", i)] =
        hinge(i == 0 ? "ground" : numbered("link", i - 1) + ".tip", numbered("link", i),
              about_z ? Json{0, 0, 1} : Json{0, 1, 0},
              rounded(0.3 * std::cos(1.0 + static_cast<double>(i))));
    m["forces"][numbered("damper", i)] = {
        {"type", "rotary-damper"}, {"joint", numbered("joint", i)}, {"linear", entry("c", i)}};
  }
  m["sensors"] = {{"tip", {{"position", numbered("link", size - 1) + ".tip"}}},
                  {"energy", {{"energy", "total"}}}};
  m["objectives"] = {{"reach", {{"integral", "dot(tip, tip)"}, {"unit", "m^2 s"}}},
                     {"end", {{"terminal", "tip.z"}, {"unit", "m"}}}};
  m["analysis"] = {{"duration", 0.5}};
  return m;
}

// Every link carries two others, about axes that change from one to the next.
Json tree(std::size_t size) {
  Json m = model("tree-" + std::to_string(size),
                 "Tree of " + counted(size, "link") + ", of which each carries up to two others",
                 {0, 0, -9.81});
  m["parameters"] = {{"m", array_parameter(size, 1.0, "kg", "masses of the links")},
                     {"L", array_parameter(size, 0.4, "m", "their lengths")}};
  const std::array<Json, 3> axes{Json{0, 1, 0}, Json{0, 0, 1}, Json{1, 1, 0}};
  for (std::size_t i = 0; i < size; ++i) {
    m["bodies"][numbered("link", i)] = rod(entry("m", i), entry("L", i));
    m["joints"][numbered("joint", i)] =
        hinge(i == 0 ? "ground" : numbered("link", (i - 1) / 2) + ".tip", numbered("link", i),
              axes[i % 3], rounded(0.5 * std::sin(1.0 + 2.0 * static_cast<double>(i))));
  }
  m["sensors"] = {{"last", {{"position", numbered("link", size - 1) + ".tip"}}},
                  {"energy", {{"energy", "total"}}}};
  m["objectives"] = {{"reach", {{"integral", "dot(last, last)"}, {"unit", "m^2 s"}}},
                     {"end", {{"terminal", "last.z"}, {"unit", "m"}}}};
  m["analysis"] = {{"duration", 0.5}};
  return m;
}

// The hull that the chain of an anchor lies on, at an angle from the vertical, and where it starts:
// in a line on it, but for small turns to either side.
void add_hull(Json& m) {
  m["ground"]["points"]["hull"] = {"-radius*cos(slope)", 0, "-radius*sin(slope)"};
  m["parameters"] = {
      {"link_mass", {{"value", 8}, {"unit", "kg"}}},
      {"anchor_mass", {{"value", 2000}, {"unit", "kg"}}},
      {"pitch", {{"value", 0.25}, {"unit", "m"}, {"description", "of the links"}}},
      {"radius",
       {{"value", 0.09}, {"unit", "m"}, {"description", "of the links, where they touch"}}},
      {"slope",
       {{"value", 0.349}, {"unit", "rad"}, {"description", "of the hull, from the vertical"}}},
      {"stiffness", {{"value", 1e6}, {"unit", "N/m^1.5"}, {"description", "of contact"}}},
      {"damping", {{"value", 0.5}, {"unit", "s/m"}, {"description", "of contact"}}},
      {"friction", {{"value", 0.3}, {"description", "on the hull"}}},
      {"speed", {{"value", 0.15}, {"unit", "m/s"}, {"description", "at which it is lifted"}}}};
}

Json link_of_chain(bool is_anchor) {
  if (is_anchor)
    return {{"mass", "anchor_mass"},
            {"com", {"0.3 - radius", 0, -0.6}},
            {"inertia",
             {{"xx", "0.06*anchor_mass"}, {"yy", "0.05*anchor_mass"}, {"zz", "0.04*anchor_mass"}}},
            {"points", {{"crown", {"0.3 - radius", 0, -0.6}}}}};
  return {{"mass", "link_mass"},
          {"com", {0, 0, "-pitch/2"}},
          {"inertia",
           {{"xx", "link_mass*pitch^2/8"},
            {"yy", "link_mass*pitch^2/8"},
            {"zz", "link_mass*pitch^2/40"}}},
          {"points", {{"middle", {0, 0, "-pitch/2"}}, {"end", {0, 0, "-pitch"}}}}};
}

// What carries link i of `size`: a swivel, the shackles of the last ones, or cardan joints whose
// first axis is across the hull or along it in turn.
Json joint_of_chain(std::size_t i, std::size_t size) {
  const std::string parent = numbered("link", i - 1) + ".end";
  const std::string child = i + 1 == size ? "anchor" : numbered("link", i);
  const double turn = i % 2 == 0 ? 0.02 : -0.02;
  if (i == 3) return hinge(parent, child, {0, 0, 1}, 0);
  if (i + 2 >= size) return hinge(parent, child, i + 1 == size ? Json{0, 1, 0} : Json{1, 0, 0}, 0);
  const bool across = i % 2 == 0;
  return {{"type", "cardan"},
          {"parent", parent},
          {"child", child},
          {"axis", across ? Json{1, 0, 0} : Json{0, 1, 0}},
          {"child_axis", across ? Json{0, 1, 0} : Json{1, 0, 0}},
          {"initial", {{"position", across ? Json{turn, 0} : Json{0, turn}}}}};
}

// A chain with a swivel and an anchor, on a hull, led upwards by its upper end. After section 7.5
// of the source of docs/theory.md.
Json anchor(std::size_t size) {
  Json m = model("anchor-" + std::to_string(size),
                 "Anchor on a chain of " + counted(size - 1, "link") + ", lifted along a hull",
                 {0, 0, -9.81});
  add_hull(m);
  m["forces"] = Json::object();
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_anchor = i + 1 == size;
    const std::string body = is_anchor ? "anchor" : numbered("link", i);
    m["bodies"][body] = link_of_chain(is_anchor);
    if (i > 0) m["joints"][numbered("joint", i)] = joint_of_chain(i, size);
    m["forces"][numbered("contact", i)] = {{"type", "contact"},
                                           {"from", "ground.hull"},
                                           {"normal", {"cos(slope)", 0, "sin(slope)"}},
                                           {"to", body + (is_anchor ? ".crown" : ".middle")},
                                           {"radius", is_anchor ? Json(0.3) : Json("radius")},
                                           {"stiffness", "stiffness"},
                                           {"damping", "damping"},
                                           {"dynamic", "friction"},
                                           {"transition_speed", 0.01}};
  }
  m["joints"]["lead"] = {
      {"type", "floating"},
      {"parent", "ground"},
      {"child", "link0"},
      {"initial", {{"position", {0, 0, 0, "cos(slope/2)", 0, "-sin(slope/2)", 0}}}}};
  m["sensors"] = {
      {"top", {{"position", "link0"}}},          {"lead", {{"velocity", "link0"}}},
      {"anchor", {{"position", "anchor"}}},      {"pull", {{"constraint_force", "lift"}}},
      {"power", {{"constraint_power", "lift"}}}, {"energy", {{"energy", "total"}}}};
  m["constraints"] = {{"ahead", {{"nonholonomic", "lead.x"}}},
                      {"aside", {{"nonholonomic", "lead.y"}}},
                      {"lift", {{"nonholonomic", "lead.z - speed*(1 - exp(-t))"}}}};
  m["objectives"] = {{"height", {{"terminal", "anchor.z"}, {"unit", "m"}}},
                     {"work", {{"integral", "power"}, {"unit", "J"}}},
                     {"most", {{"maximum", "pull"}, {"unit", "N"}}}};
  m["analysis"] = {
      {"duration", 20}, {"step", 1e-3}, {"formulation", "fully-recursive"}, {"integrator", "rk4"}};
  return m;
}

struct Maker {
  Family family;
  Json (*make)(std::size_t size);
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> all{
      {{"anchor", "links of a chain on a hull, an anchor among them", 6, 2000, 64}, anchor},
      {{"arm", "links of a manipulator whose axes are z and y in turn", 1, 10000, 7}, arm},
      {{"ladder", "four-bar linkages side by side, which swing together", 1, 2000, 10}, ladder},
      {{"pendulum", "rods of a chain in a vertical plane", 1, 10000, 10}, pendulum},
      {{"platform", "legs of a platform, with springs and dampers", 3, 200, 6}, platform},
      {{"tree", "links, of which each carries up to two others", 1, 10000, 30}, tree}};
  return all;
}

}  // namespace

std::vector<Family> families() {
  std::vector<Family> all;
  for (const Maker& maker : makers()) all.push_back(maker.family);
  return all;
}

std::string generate_model(const std::string& family, std::size_t size) {
  const auto found = std::find_if(makers().begin(), makers().end(),
                                  [&](const Maker& maker) { return maker.family.name == family; });
  if (found == makers().end()) {
    std::vector<std::string> names;
    for (const Maker& maker : makers()) names.push_back(maker.family.name);
    throw InputError("family: found " + in_quotes(family) + " (there is no such family), " +
                     suggestion(family, names));
  }
  const Family& known = found->family;
  if (size < known.least || size > known.most)
    throw InputError("size: found " + std::to_string(size) + " of the family " + in_quotes(family) +
                     " (it is the number of " + known.description + "), expected " +
                     std::to_string(known.least) + " to " + std::to_string(known.most));
  return found->make(size).dump(1) + "\n";
}

}  // namespace gradus
