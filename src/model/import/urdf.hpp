// Robots as URDF describes them.
#pragma once

#include "gradus/import.hpp"
#include "src/model/import/mechanism.hpp"
#include "src/model/import/xml.hpp"

namespace gradus::importing {

// Of the element <robot>. Throws InputError.
ImportedMechanism read_urdf(const XmlElement& robot, const ImportOptions& options);

}  // namespace gradus::importing
