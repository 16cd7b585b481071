// Options given as texts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "gradus/mechanism.hpp"
#include "gradus/run.hpp"

namespace gradus {

// A whole number of bytes, perhaps with k, M or G behind it: "64k"; nothing if it is none.
std::optional<std::size_t> read_bytes(std::string_view text);

// Sets the option of that name, as the command line calls it without dashes; "set:NAME" is the
// value of a parameter. What is exchanged is "start-states", "sensor-times", "sensors" and
// "final-state"; lists are separated by commas. Throws InputError for unknown names, and texts that
// are no numbers where numbers are expected.
void set_option(Options& options, Exchange& exchange, const std::string& name,
                const std::string& value);

}  // namespace gradus
