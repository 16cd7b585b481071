// Programs as C for the compiler of the host, for one design or for packs that go through it in
// lanes.
#pragma once

#include <string>

#include "src/specialise/program.hpp"

namespace gradus::specialise {

// Most nodes of a function: compilers take more than their share of time for longer ones.
inline constexpr int nodes_of_a_part = 1000;

// What emitted text begins with; of 1, 2, 4 or 8 lanes.
std::string emitted_head(int lanes);

// A function `int name(double *memory, double time)` with the head before it: memory is
// [place, lanes], aligned to a pack. It returns 1 plus the number of the path that all lanes take,
// or 0 where there is none, and has written nothing then.
std::string emitted(const Program& program, const std::string& name, int part = nodes_of_a_part);

}  // namespace gradus::specialise
