// The keys of a model file. The JSON Schema in schema/ says the same; a test compares the two.
#pragma once

#include <array>
#include <string_view>

namespace gradus::keys {

struct Key {
  std::string_view name;
  bool required = false;
};

inline constexpr std::array model{
    Key{"$schema"},      Key{"schema", true}, Key{"name", true},  Key{"description"},
    Key{"gravity"},      Key{"parameters"},   Key{"definitions"}, Key{"ground"},
    Key{"bodies", true}, Key{"joints", true}, Key{"loops"},       Key{"constraints"},
    Key{"forces"},       Key{"sensors"},      Key{"objectives"},  Key{"analysis"},
};

inline constexpr std::array parameter{
    Key{"value", true}, Key{"size"}, Key{"unit"}, Key{"bounds"}, Key{"description"},
};

inline constexpr std::array ground{Key{"points"}, Key{"vectors"}};

inline constexpr std::array body{
    Key{"mass", true}, Key{"com", true}, Key{"inertia", true}, Key{"points"}, Key{"vectors"},
};

inline constexpr std::array inertia{
    Key{"xx", true}, Key{"yy", true}, Key{"zz", true}, Key{"xy"},
    Key{"xz"},       Key{"yz"},       Key{"about"},
};

inline constexpr std::array joint{
    Key{"type", true}, Key{"parent", true}, Key{"child", true}, Key{"axis"},    Key{"child_axis"},
    Key{"zero"},       Key{"child_zero"},   Key{"cut"},         Key{"initial"},
};

inline constexpr std::array loop{
    Key{"type", true}, Key{"parent", true}, Key{"child", true}, Key{"axis"},
    Key{"child_axis"}, Key{"zero"},         Key{"child_zero"},
};

inline constexpr std::array initial{Key{"position"}, Key{"velocity"}};

inline constexpr std::array guess{Key{"guess", true}};

inline constexpr std::array spring_damper{
    Key{"type", true}, Key{"from", true}, Key{"to", true}, Key{"stiffness"},
    Key{"damping"},    Key{"length"},     Key{"law"},
};

inline constexpr std::array torsional_spring_damper{
    Key{"type", true}, Key{"joint", true}, Key{"stiffness"}, Key{"damping"}, Key{"angle"},
};

inline constexpr std::array force{
    Key{"type", true},
    Key{"at", true},
    Key{"components", true},
    Key{"axes"},
};

inline constexpr std::array torque{
    Key{"type", true},
    Key{"body", true},
    Key{"components", true},
    Key{"axes"},
};

inline constexpr std::array joint_force{
    Key{"type", true},
    Key{"joint", true},
    Key{"value", true},
};

inline constexpr std::array bushing{
    Key{"type", true}, Key{"from", true},          Key{"to", true},          Key{"stiffness"},
    Key{"damping"},    Key{"torsional_stiffness"}, Key{"torsional_damping"},
};

// Exactly one of the first five, in the order of ConstraintKind.
inline constexpr std::array constraint{
    Key{"distance"},   Key{"dot"},   Key{"coincident"}, Key{"coordinate"},
    Key{"expression"}, Key{"value"}, Key{"at"},
};

// Exactly one of these, in the order of SensorKind.
inline constexpr std::array sensor{
    Key{"position"},   Key{"velocity"},       Key{"acceleration"},
    Key{"coordinate"}, Key{"rate"},           Key{"coordinate_acceleration"},
    Key{"energy"},     Key{"vector"},         Key{"angular_velocity"},
    Key{"distance"},   Key{"reaction_force"}, Key{"reaction_moment"},
    Key{"momentum"},
};

// Exactly one of the first five: the kinds in the order of ObjectiveKind, then integrals and
// values at the end of sums of squares.
inline constexpr std::array objective{
    Key{"integral"},           Key{"terminal"}, Key{"value"}, Key{"residuals"},
    Key{"terminal_residuals"}, Key{"at"},       Key{"unit"},  Key{"description"},
};

inline constexpr std::array analysis{
    Key{"formulation"},
    Key{"integrator"},
    Key{"reference"},
    Key{"duration"},
    Key{"step"},
    Key{"tolerance"},
    Key{"rtol"},
    Key{"atol"},
    Key{"penalty"},
    Key{"frequency"},
    Key{"damping_ratio"},
    Key{"projections"},
    Key{"stabilisation"},
    Key{"iteration"},
    Key{"spectral_radius"},
    Key{"columns_in_error"},
    Key{"projection_tolerance"},
    Key{"penalties"},
};

// Values of "schema", of "type" of joints (in the order of JointType), loops and forces, and of
// other keys with fixed names.
inline constexpr std::string_view schema_name = "gradus-model/1";
inline constexpr std::array<std::string_view, 8> joint_types{
    "revolute", "prismatic", "cardan", "cylindrical", "spherical", "floating", "planar", "fixed"};
inline constexpr std::array<std::string_view, 7> loop_types{
    "revolute", "prismatic", "cardan", "cylindrical", "spherical", "planar", "fixed"};
inline constexpr std::array<std::string_view, 6> force_types{
    "spring-damper", "torsional-spring-damper", "force", "torque", "joint-force", "bushing"};
inline constexpr std::array<std::string_view, 2> instants{"always", "start"};
inline constexpr std::array<std::string_view, 2> axes{"global", "body"};
inline constexpr std::array<std::string_view, 3> energies{"kinetic", "potential", "total"};
inline constexpr std::array<std::string_view, 2> momenta{"linear", "angular"};
inline constexpr std::array<std::string_view, 7> formulations{
    "ali3p", "semi-recursive", "fully-recursive", "matrix-r", "penalty", "index1", "kinematic"};
inline constexpr std::string_view newmark = "newmark", generalised_alpha = "generalised-alpha";
inline constexpr std::array<std::string_view, 8> integrators{
    newmark,  generalised_alpha, "rk4",         "dopri5",
    "dop853", "implicit-euler",  "trapezoidal", "radau5"};
inline constexpr std::array<std::string_view, 2> references{"rtdyn0", "rtdyn1"};
inline constexpr std::array<std::string_view, 4> projections{"exact", "iterative", "penalty",
                                                             "none"};
inline constexpr std::array<std::string_view, 3> stabilisations{"projection", "baumgarte", "none"};
inline constexpr std::string_view fixed_point = "fixed-point";
inline constexpr std::array<std::string_view, 2> iterations{"newton", fixed_point};

// Names that laws of springs give to the spring's own length and its time derivative.
inline constexpr std::array<std::string_view, 2> law_names{"length", "rate"};

}  // namespace gradus::keys
