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
    Key{"bodies", true}, Key{"joints", true}, Key{"loops"},       Key{"forces"},
    Key{"sensors"},      Key{"objectives"},   Key{"analysis"},
};

inline constexpr std::array parameter{
    Key{"value", true},
    Key{"unit"},
    Key{"bounds"},
    Key{"description"},
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
    Key{"type", true}, Key{"parent", true}, Key{"child", true}, Key{"axis"},
    Key{"child_axis"}, Key{"zero"},         Key{"child_zero"},  Key{"initial"},
};

inline constexpr std::array loop{
    Key{"type", true}, Key{"parent", true}, Key{"child", true}, Key{"axis"},
    Key{"child_axis"}, Key{"zero"},         Key{"child_zero"},
};

inline constexpr std::array initial{Key{"position"}, Key{"velocity"}};

inline constexpr std::array guess{Key{"guess", true}};

inline constexpr std::array spring_damper{
    Key{"type", true}, Key{"from", true}, Key{"to", true},
    Key{"stiffness"},  Key{"damping"},    Key{"length"},
};

// Exactly one of these.
inline constexpr std::array sensor{
    Key{"position"},   Key{"velocity"}, Key{"acceleration"},
    Key{"coordinate"}, Key{"rate"},     Key{"coordinate_acceleration"},
    Key{"energy"},
};

// Exactly one of the first two.
inline constexpr std::array objective{
    Key{"integral"},
    Key{"terminal"},
    Key{"unit"},
    Key{"description"},
};

inline constexpr std::array analysis{
    Key{"formulation"}, Key{"reference"}, Key{"duration"}, Key{"step"}, Key{"tolerance"},
};

// Values of "schema", and of "type" of joints and of forces.
inline constexpr std::string_view schema_name = "gradus-model/1";
inline constexpr std::array<std::string_view, 2> joint_types{"revolute", "prismatic"};
inline constexpr std::array<std::string_view, 1> force_types{"spring-damper"};
inline constexpr std::array<std::string_view, 3> energies{"kinetic", "potential", "total"};
inline constexpr std::array<std::string_view, 1> formulations{"ali3p"};
inline constexpr std::array<std::string_view, 2> references{"rtdyn0", "rtdyn1"};

}  // namespace gradus::keys
