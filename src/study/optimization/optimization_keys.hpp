// The keys of the section "optimize" of a study. The JSON Schema in schema/ says the same.
#pragma once

#include <array>

#include "src/model/keys.hpp"

namespace gradus::keys {

inline constexpr std::array optimization{
    Key{"minimize"}, Key{"maximize"},  Key{"parameters", true},     Key{"constraints"},
    Key{"method"},   Key{"tolerance"}, Key{"constraint_tolerance"}, Key{"evaluations"},
    Key{"starts"},   Key{"seed"},
};

// Exactly one of them.
inline constexpr std::array optimization_goal{Key{"minimize"}, Key{"maximize"}};

inline constexpr std::array objective_bound{Key{"min"}, Key{"max"}, Key{"equal"}};

inline constexpr std::array variable{Key{"start"}, Key{"lower"}, Key{"upper"}};

}  // namespace gradus::keys
