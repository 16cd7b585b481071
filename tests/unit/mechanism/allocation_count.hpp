// How often the program has allocated memory by `new`.
#pragma once

namespace gradus::test {

long allocation_count();

}  // namespace gradus::test
