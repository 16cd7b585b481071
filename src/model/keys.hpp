// The keys of a model file. The JSON Schema in schema/ says the same; a test compares the two.
#pragma once

#include <array>
#include <string_view>

namespace gradus::keys {

struct Key {
  std::string_view name;
  bool required = false;
};

// The keys of these names; of those that end in "!" without it: they are required.
template <class... Names>
constexpr std::array<Key, sizeof...(Names)> keys_of(Names... names) {
  const auto key_of = [](std::string_view name) {
    const bool required = name.back() == '!';
    return Key{name.substr(0, name.size() - (required ? 1 : 0)), required};
  };
  return {key_of(names)...};
}

inline constexpr auto model =
    keys_of("$schema", "schema!", "name!", "description", "gravity", "parameters", "definitions",
            "drawing", "ground", "bodies!", "joints!", "loops", "constraints", "forces", "states",
            "events", "start", "sensors", "objectives", "analysis");
inline constexpr auto parameter = keys_of("value!", "size", "unit", "bounds", "description");
inline constexpr auto drawing = keys_of("points", "vectors", "lines", "planes");
inline constexpr auto drawn_line = keys_of("through!", "along!");
inline constexpr auto drawn_plane = keys_of("through!", "normal!");
inline constexpr auto ground = keys_of("drawn", "points", "vectors", "shapes");
inline constexpr auto state =
    keys_of("rate", "next", "every", "offset", "initial", "unit", "description");
inline constexpr auto event =
    keys_of("when!", "direction", "while", "set", "impact", "description");
inline constexpr auto impact = keys_of("restitution", "impulse", "along");
inline constexpr auto body =
    keys_of("mass!", "com", "inertia!", "drawn", "points", "vectors", "shapes");
// Those that all shapes have; src/model/shape_reader.cpp has those of each type.
inline constexpr auto shape = keys_of("type!", "at", "axis", "zero", "color");
inline constexpr auto inertia = keys_of("xx!", "yy!", "zz!", "xy", "xz", "yz", "about");
inline constexpr auto slender = keys_of("slender!");
inline constexpr auto joint = keys_of("type!", "parent!", "child!", "axis", "child_axis", "zero",
                                      "child_zero", "cut", "initial");
// Of a joint that a drawing says the type of.
inline constexpr auto drawn_joint = keys_of("parent!", "child!", "cut", "initial");
inline constexpr auto loop =
    keys_of("type!", "parent!", "child!", "axis", "child_axis", "zero", "child_zero");
inline constexpr auto initial = keys_of("position", "velocity");
inline constexpr auto guess = keys_of("guess!");
// Beside the one that is its kind.
inline constexpr auto constraint = keys_of("value", "at");
// Exactly one of the first eight: the kinds in the order of ObjectiveKind, then integrals and
// values at the end of sums of squares.
inline constexpr auto objective =
    keys_of("integral", "terminal", "value", "maximum", "minimum", "time_when", "residuals",
            "terminal_residuals", "at", "from", "to", "smooth", "direction", "passage", "otherwise",
            "unit", "description");
inline constexpr std::size_t objective_kinds = 8;
inline constexpr std::array<std::string_view, 3> passages{"either", "rising", "falling"};
inline constexpr auto analysis = keys_of(
    "formulation", "integrator", "coordinates", "reference", "duration", "step", "tolerance",
    "rtol", "atol", "max_steps", "penalty", "frequency", "damping_ratio", "projections",
    "stabilisation", "iteration", "singular", "beta", "gamma", "spectral_radius",
    "columns_in_error", "projection_tolerance", "penalties", "independent");

// Values of "schema", of "type" of joints (in the order of JointType) and loops, and of
// other keys with fixed names.
inline constexpr std::string_view schema_name = "gradus-model/1";
inline constexpr std::string_view study_schema_name = "gradus-study/1";
inline constexpr std::array<std::string_view, 8> joint_types{
    "revolute", "prismatic", "cardan", "cylindrical", "spherical", "floating", "planar", "fixed"};
inline constexpr std::array<std::string_view, 6> shape_types{"box",     "sphere",    "cylinder",
                                                             "capsule", "ellipsoid", "mesh"};
inline constexpr std::array<std::string_view, 7> loop_types{
    "revolute", "prismatic", "cardan", "cylindrical", "spherical", "planar", "fixed"};
// What "start" may be: positions as stated, or those of a static equilibrium.
inline constexpr std::string_view stated = "stated", equilibrium = "equilibrium";
inline constexpr std::array<std::string_view, 2> starts{stated, equilibrium};
inline constexpr std::array<std::string_view, 2> instants{"always", "start"};
// What suits the mechanism: that is for the plan to say.
inline constexpr std::string_view automatic = "auto";
inline constexpr std::array<std::string_view, 8> formulations{
    automatic,  "ali3p",   "semi-recursive", "fully-recursive",
    "matrix-r", "penalty", "index1",         "kinematic"};
inline constexpr std::string_view newmark = "newmark", generalised_alpha = "generalised-alpha",
                                  hht = "hht";
inline constexpr std::array<std::string_view, 13> integrators{
    newmark,          generalised_alpha, hht,      "explicit-euler", "rk4",     "dopri5", "dop853",
    "implicit-euler", "trapezoidal",     "radau5", "radau9",         "rodas5p", automatic};
inline constexpr std::string_view of_joints = "joint", of_bodies = "reference-point";
inline constexpr std::array<std::string_view, 2> coordinates{of_joints, of_bodies};
inline constexpr std::array<std::string_view, 2> references{"rtdyn0", "rtdyn1"};
inline constexpr std::array<std::string_view, 4> projections{"exact", "iterative", "penalty",
                                                             "none"};
inline constexpr std::array<std::string_view, 3> stabilisations{"projection", "baumgarte", "none"};
inline constexpr std::array<std::string_view, 3> singular{"fail", "warn", "continue"};
inline constexpr std::string_view fixed_point = "fixed-point";
inline constexpr std::array<std::string_view, 2> iterations{"newton", fixed_point};

}  // namespace gradus::keys
