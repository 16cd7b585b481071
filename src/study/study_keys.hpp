// The keys of a study file that concern all verbs. The JSON Schema in schema/ says the same.
#pragma once

#include <array>
#include <string_view>

#include "src/model/keys.hpp"

namespace gradus::keys {

inline constexpr std::string_view study_schema_name = "gradus-study/1";

inline constexpr std::array study{
    Key{"$schema"}, Key{"schema", true}, Key{"name", true}, Key{"description"}, Key{"model", true},
    Key{"options"}, Key{"set"},          Key{"sweep"},      Key{"optimize"},    Key{"fit"},
};

// Each replaces what the model's analysis says; "backend" may be replaced on the command line.
inline constexpr std::array study_options{
    Key{"backend"},     Key{"method"},        Key{"formulation"},      Key{"integrator"},
    Key{"reference"},   Key{"step"},          Key{"duration"},         Key{"tolerance"},
    Key{"rtol"},        Key{"atol"},          Key{"columns_in_error"}, Key{"penalty"},
    Key{"projections"}, Key{"stabilisation"}, Key{"iteration"},
};

inline constexpr std::array<std::string_view, 5> study_methods{
    "direct", "adjoint", "continuous-adjoint", "finite-difference", "dual"};

}  // namespace gradus::keys
