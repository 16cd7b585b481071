// What a record of times must say about where they were measured.
#pragma once

#include <nlohmann/json.hpp>

namespace gradus::bench {

// Processor, hardware threads, memory, system, compiler, flags, version of gradus. No name of a
// host.
nlohmann::ordered_json machine_record();

}  // namespace gradus::bench
