// Numbers of a design's memory that no step changes: zeros of matrices and poses, most of them.
// Programs take them for constants, whichever part wrote them, once they have made sure that those
// which steps find are there.
#pragma once

#include <optional>
#include <vector>

#include "src/specialise/carried.hpp"
#include "src/specialise/recorded_design.hpp"

namespace gradus::specialise {

// Places that may hold invariants of steps. Not what only happens to be the same: parameters and
// what is made of them alone, orders of pivots, what motions are watched for.
struct InvariantPlaces {
  std::vector<char> allowed;  // by place
  // Where there are loops over columns, rows [column]: all of one are the same, or none is one, so
  // that columns go on alike.
  std::vector<Span> rows;
};
InvariantPlaces invariant_places(const RecordedDesign& design);

// The largest set of places that every part of this step leaves as they are if it takes them for
// constants. Empty if the step cannot be recorded.
Invariants find_invariants(RecordedDesign& design, const StepSample& sample);

// Of a row that is not the same number throughout, none is an invariant.
void keep_whole_rows(const std::vector<Span>& rows, Invariants& invariants);

// Takes from them which of these places do not hold what they should in all lanes; whether there
// was one.
bool take_away_missing(Invariants& invariants, const std::vector<int>& places,
                       const std::vector<double>& memory, int lanes);

// Takes from them what is not the same behind a recording; whether there was something.
bool take_away_changed(Invariants& invariants, const std::vector<int>& before,
                       const std::vector<int>& after);

}  // namespace gradus::specialise
