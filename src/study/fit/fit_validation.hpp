// What a fit must satisfy, whether it was read from a file or built.
#pragma once

#include "gradus/study.hpp"

namespace gradus {

// Throws InputError. Reads nothing of the study but its model, options and fit.
void check_fit(const Study& study);

// The duration of the motion that the study asks for.
double duration_of(const Study& study);

// How far beyond the motion a time may lie and still be its end.
double time_tolerance(double duration);

}  // namespace gradus
