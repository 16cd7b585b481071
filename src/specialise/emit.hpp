// Programs as C for the compiler of the host, for one design or for packs that go through it in
// lanes.
#pragma once

#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "src/specialise/program.hpp"

namespace gradus::specialise {

// Most nodes of a function: compilers take more than their share of time for longer ones.
inline constexpr int nodes_of_a_part = 1000;

// What emitted text begins with; of 1, 2, 4 or 8 lanes, and programs with so many columns.
std::string emitted_head(int lanes, int columns = 0);

// The same for designs of a device, in tiles, one after another on the host or each by a thread of
// a GPU: places from `shared` on have a memory of their own. See StepBatch.
enum class DeviceKind { host, gpu };
std::string emitted_device_head(DeviceKind kind, int shared);

// What all columns do alike is a loop over so many; 0: nothing is. Loops pass each other numbers on
// the stack, at most so many of each lane, and so do functions.
struct EmissionLimits {
  int columns = 0;
  int most_numbers_of_loops = 1 << 13;
  int most_slots = 1 << 14;
};

struct TooManySlots : Error {
  using Error::Error;
};

// A function `int name(Number *memory, double time)` with the head before it, which has to know the
// columns: memory is [place, lanes], aligned to a pack. It returns 1 plus the number of the path
// that the lanes take together, or 0 where there is none, and has written nothing then. Throws
// TooManySlots where the stack has no room for what functions pass each other.
std::string emitted(const Program& program, const std::string& name, int part = nodes_of_a_part,
                    const EmissionLimits& limits = {});

// A program of a step: the function emitted for it, and by number of the path it takes the program
// that follows, or -1 at the end of the step. Without a name: nothing is known of it.
struct EmittedPart {
  std::string name;
  std::vector<int> next;
};

// A function `int name(double *memory, double time)` that takes a step, from the first part on. It
// returns 1, or 0 where a way is not known, and puts back what the places `undone` held before.
// Of lanes like the head before it.
std::string emitted_steps(const std::vector<EmittedPart>& parts, const std::vector<int>& undone,
                          const std::string& name);

// A function `void name(StepBatch)`, or a kernel, of a device like the head before it.
std::string emitted_device_steps(const std::vector<EmittedPart>& parts,
                                 const std::vector<int>& undone, const std::string& name);

}  // namespace gradus::specialise
