// The keys of the section "fit" of a study file. The JSON Schema in schema/ says the same.
#pragma once

#include <array>

#include "src/model/keys.hpp"

namespace gradus::keys {

inline constexpr std::array fit{
    Key{"parameters", true},
    Key{"data", true},
    Key{"deviations_known"},
    Key{"tolerance"},
    Key{"iterations"},
    Key{"starts"},
    Key{"seed"},
    Key{"confidence"},
};

inline constexpr std::array fit_data{Key{"file", true}, Key{"time"}, Key{"columns"}};

inline constexpr std::array fit_column{Key{"sensor"}, Key{"deviation"}};

}  // namespace gradus::keys
