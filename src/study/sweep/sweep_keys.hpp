// The keys of the section "sweep" of a study file. The JSON Schema in schema/ says the same.
#pragma once

#include <array>
#include <string_view>

#include "src/model/keys.hpp"

namespace gradus::keys {

inline constexpr std::array<std::string_view, 5> samplings{"grid", "list", "latin-hypercube",
                                                           "sobol", "random"};

inline constexpr std::array sweep{
    Key{"sampling", true}, Key{"designs"}, Key{"seed"},      Key{"parameters"}, Key{"correlation"},
    Key{"covariance"},     Key{"list"},    Key{"gradients"}, Key{"record"},     Key{"statistics"},
};
// Those that belong to every sampling, and those of some.
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

inline constexpr std::array<std::string_view, 3> distributions{"uniform", "normal", "log-normal"};
inline constexpr std::array uniform{Key{"distribution"}, Key{"from", true}, Key{"to", true}};
inline constexpr std::array normal{Key{"distribution", true}, Key{"mean", true},
                                   Key{"standard_deviation"}, Key{"truncated"}};
inline constexpr std::array log_normal{Key{"distribution", true}, Key{"median", true},
                                       Key{"log_standard_deviation", true}, Key{"truncated"}};

inline constexpr std::array dependence{Key{"parameters", true}, Key{"matrix", true}};
inline constexpr std::array record{Key{"sensors", true}, Key{"every"}};
inline constexpr std::array statistics{Key{"confidence"}, Key{"quantiles"}, Key{"bins"}};

}  // namespace gradus::keys
