// Options given as texts.
#pragma once

#include <string>

#include "gradus/mechanism.hpp"
#include "gradus/run.hpp"

namespace gradus {

// Sets the option of that name, as the command line calls it without dashes; "set:NAME" is the
// value of a parameter. What is exchanged is "start-states", "sensor-times", "sensors" and
// "final-state"; lists are separated by commas. Throws InputError for unknown names, and texts that
// are no numbers where numbers are expected.
void set_option(Options& options, Exchange& exchange, const std::string& name,
                const std::string& value);

}  // namespace gradus
