// The keys of a study file. The JSON Schema in schema/ says the same; a test compares the two.
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

// Each replaces a setting of the model's analysis; the command line may replace "backend".
inline constexpr std::array study_options{
    Key{"backend"},     Key{"method"},        Key{"formulation"},      Key{"integrator"},
    Key{"reference"},   Key{"step"},          Key{"duration"},         Key{"tolerance"},
    Key{"rtol"},        Key{"atol"},          Key{"columns_in_error"}, Key{"penalty"},
    Key{"projections"}, Key{"stabilisation"}, Key{"iteration"},
};

inline constexpr std::array<std::string_view, 5> study_methods{
    "direct", "adjoint", "continuous-adjoint", "finite-difference", "dual"};

// "sweep". ----------------------------------------------------------------------------------------
inline constexpr std::array sweep{
    Key{"sampling", true}, Key{"designs"}, Key{"seed"},      Key{"parameters"}, Key{"correlation"},
    Key{"covariance"},     Key{"list"},    Key{"gradients"}, Key{"record"},     Key{"statistics"},
};
// The keys of every sampling, and those of each kind.
inline constexpr std::array<std::string_view, 4> sweep_of_all{"sampling", "gradients", "record",
                                                              "statistics"};
inline constexpr std::array<std::string_view, 1> sweep_of_grids{"parameters"};
inline constexpr std::array<std::string_view, 2> sweep_of_lists{"parameters", "list"};
inline constexpr std::array<std::string_view, 5> sweep_of_samples{"designs", "seed", "parameters",
                                                                  "correlation", "covariance"};

inline constexpr std::array axis_of_values{Key{"values", true}};
inline constexpr std::array axis_of_range{Key{"from", true}, Key{"to", true}, Key{"count", true},
                                          Key{"spacing"}};
inline constexpr std::array<std::string_view, 2> spacings{"linear", "logarithmic"};

inline constexpr std::array uniform{Key{"distribution"}, Key{"from", true}, Key{"to", true}};
inline constexpr std::array normal{Key{"distribution", true}, Key{"mean", true},
                                   Key{"standard_deviation"}, Key{"truncated"}};
inline constexpr std::array log_normal{Key{"distribution", true}, Key{"median", true},
                                       Key{"log_standard_deviation", true}, Key{"truncated"}};

inline constexpr std::array dependence{Key{"parameters", true}, Key{"matrix", true}};
inline constexpr std::array record{Key{"sensors", true}, Key{"every"}};
inline constexpr std::array statistics{Key{"confidence"}, Key{"quantiles"}, Key{"bins"}};

// "optimize". -------------------------------------------------------------------------------------
inline constexpr std::array optimization{
    Key{"minimize"}, Key{"maximize"},  Key{"parameters", true},     Key{"constraints"},
    Key{"method"},   Key{"tolerance"}, Key{"constraint_tolerance"}, Key{"evaluations"},
    Key{"starts"},   Key{"seed"},
};

// Exactly one of them.
inline constexpr std::array optimization_goal{Key{"minimize"}, Key{"maximize"}};

inline constexpr std::array objective_bound{Key{"min"}, Key{"max"}, Key{"equal"}};

inline constexpr std::array variable{Key{"start"}, Key{"lower"}, Key{"upper"}};

// "fit". ------------------------------------------------------------------------------------------
inline constexpr std::array fit{Key{"parameters", true},
                                Key{"data", true},
                                Key{"deviations_known"},
                                Key{"tolerance"},
                                Key{"iterations"},
                                Key{"starts"},
                                Key{"seed"},
                                Key{"confidence"}};

inline constexpr std::array fit_data{Key{"file", true}, Key{"time"}, Key{"columns"}};

inline constexpr std::array fit_column{Key{"sensor"}, Key{"deviation"}};

}  // namespace gradus::keys
