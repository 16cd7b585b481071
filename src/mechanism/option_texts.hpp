// Options given as texts.
#pragma once

#include <string>

#include "gradus/run.hpp"

namespace gradus {

// Sets the option of that name, as the command line calls it without dashes; "set:NAME" is the
// value of a parameter. Throws InputError for unknown names, and texts that are no numbers where
// numbers are expected.
void set_option(Options& options, const std::string& name, const std::string& value);

}  // namespace gradus
