// Another source file of the same plug-in.
#include "drag.hpp"

GRADUS_PLUGIN_FORCE("drag", Drag)
