// Options of runs from keyword arguments.
#pragma once

#include <nanobind/nanobind.h>

#include "gradus/gradus.hpp"

namespace gradus::python {

namespace nb = nanobind;

// By the names of gradus::Options, in the place of those that are given. None leaves these as they
// are. Raises TypeError for a name that there is not, or a value of another kind.
Options options_of(const nb::dict& arguments, Options options = {});

// What sensors and states calls exchange: `times`, `sensors`, `start_states`, `final_state`, which
// are taken out of the arguments.
Exchange exchange_of(nb::dict& arguments);

}  // namespace gradus::python
