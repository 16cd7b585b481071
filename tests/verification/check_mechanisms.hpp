// Random mechanisms with parameters and objectives, for the verb `check`.
#pragma once

#include "gradus/model.hpp"

namespace gradus::test {

// Trees and loops, of all joints and of two kinds, some with forces of every kind; formulations,
// integrators and eight parameters at random. The last objective is a constant but for the
// parameters that say it: most of its derivatives are zero.
Model random_model_to_check(unsigned seed);

}  // namespace gradus::test
