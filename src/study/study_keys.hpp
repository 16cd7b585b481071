// The keys of a study file. The JSON Schema in schema/ says the same; a test compares the two.
#pragma once

#include <array>
#include <string_view>

#include "src/model/keys.hpp"

namespace gradus::keys {

inline constexpr auto study = keys_of("$schema", "schema!", "name!", "description", "model!",
                                      "plugins", "options", "set", "sweep", "optimize", "fit");

// Each replaces a setting of the model's analysis; the command line may replace "backend".
inline constexpr auto study_options =
    keys_of("backend", "method", "formulation", "integrator", "coordinates", "reference", "step",
            "duration", "tolerance", "rtol", "atol", "max_steps", "columns_in_error", "penalty",
            "projections", "stabilisation", "iteration", "singular");

inline constexpr std::array<std::string_view, 5> study_methods{
    "direct", "adjoint", "continuous-adjoint", "finite-difference", "dual"};

// "sweep". ----------------------------------------------------------------------------------------
inline constexpr auto sweep = keys_of("sampling!", "designs", "seed", "parameters", "correlation",
                                      "covariance", "list", "gradients", "record", "statistics");
// The keys of every sampling, and those of each kind.
inline constexpr std::array<std::string_view, 4> sweep_of_all{"sampling", "gradients", "record",
                                                              "statistics"};
inline constexpr std::array<std::string_view, 1> sweep_of_grids{"parameters"};
inline constexpr std::array<std::string_view, 2> sweep_of_lists{"parameters", "list"};
inline constexpr std::array<std::string_view, 5> sweep_of_samples{"designs", "seed", "parameters",
                                                                  "correlation", "covariance"};

inline constexpr auto axis_of_values = keys_of("values!");
inline constexpr auto axis_of_range = keys_of("from!", "to!", "count!", "spacing");
inline constexpr std::array<std::string_view, 2> spacings{"linear", "logarithmic"};

inline constexpr auto uniform = keys_of("distribution", "from!", "to!");
inline constexpr auto normal = keys_of("distribution!", "mean!", "standard_deviation", "truncated");
inline constexpr auto log_normal =
    keys_of("distribution!", "median!", "log_standard_deviation!", "truncated");

inline constexpr auto dependence = keys_of("parameters!", "matrix!");
inline constexpr auto record = keys_of("sensors!", "every");
inline constexpr auto statistics = keys_of("confidence", "quantiles", "bins");

// "optimize". -------------------------------------------------------------------------------------
inline constexpr auto optimization =
    keys_of("minimize", "maximize", "parameters!", "constraints", "method", "tolerance",
            "constraint_tolerance", "evaluations", "starts", "seed", "continuation");

inline constexpr auto continuation_step = keys_of("duration", "set", "tolerance", "evaluations");

// Exactly one of them.
inline constexpr auto optimization_goal = keys_of("minimize", "maximize");

inline constexpr auto objective_bound = keys_of("min", "max", "equal");

inline constexpr auto variable = keys_of("start", "lower", "upper");

// "fit". ------------------------------------------------------------------------------------------
inline constexpr auto fit = keys_of("parameters!", "data!", "deviations_known", "tolerance",
                                    "iterations", "starts", "seed", "confidence");

inline constexpr auto fit_data = keys_of("file!", "time", "columns");

inline constexpr auto fit_column = keys_of("sensor", "deviation");

}  // namespace gradus::keys
