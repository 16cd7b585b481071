// The methods behind the verb `gradient`.
#pragma once

#include <memory>
#include <string>

#include "src/motion/design_run.hpp"
#include "src/sensitivity/evidence.hpp"

namespace gradus {

// The verbs. Throw InputError, BackendError.
Result compute_motion(const std::shared_ptr<const CompiledMechanism>& mechanism,
                      const Options& options);
Result compute_gradient(const std::shared_ptr<const CompiledMechanism>& mechanism,
                        const Options& options);
CheckReport compute_check(const std::shared_ptr<const CompiledMechanism>& mechanism,
                          const Options& options);

// One run with a gradient, whose errors nobody looks at.
Result run_gradient(const std::shared_ptr<const CompiledMechanism>& mechanism,
                    const Options& options);

// What a check is concluded from.
CheckFindings gather_findings(const std::shared_ptr<const CompiledMechanism>& mechanism,
                              const Options& options);

// Whether options may ask for a method. Throws InputError.
void check_method(const std::string& method);

// The method that the options ask for, or what `auto` makes of it.
std::string chosen_method(const DesignRun& run, const Options& options);

// Runs a method by its name. Throws InputError if there is none, or it cannot serve.
MotionOutcome run_method(const DesignRun& run, const Options& options, const std::string& method);

// The request of a run with the motion alone ("none"), direct differentiation or one of the
// adjoints. Throws InputError for what these refuse.
MotionRequest request_of(const DesignRun& run, const std::string& method);

// Fills objectives and gradient of an outcome for the designs of the run.
MotionOutcome dual_gradient(const DesignRun& run);

}  // namespace gradus
