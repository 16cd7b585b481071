// Where numbers that are recorded lie on a spline. Of short ones recordings provide for all pieces.
// Of long ones a design alone asks its way to its piece by halves, so that recordings on other
// pieces share the questions; lanes take the pieces that the sample at hand lies on for granted.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/core/design.hpp"
#include "kernels/expressions/spline.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {

constexpr int most_knots_of_short_splines = 32;

// Polynomial `q` holds where numbers have `knots` knots up to them: behind the last knot there are
// two, see kernels::spline_place().
struct SplinePieceFound {
  int knots;
  double polynomial;

  bool operator==(const SplinePieceFound&) const = default;
};

inline RecordedMask lies_on(const kernels::SplineView& s, const Recorded& x,
                            const SplinePieceFound& piece) {
  RecordedMask lies(true);
  if (piece.knots > 0) lies = lies && Recorded(s.knot[piece.knots - 1]) <= x;
  if (piece.knots < s.knots) return lies && !(Recorded(s.knot[piece.knots]) <= x);
  if (kernels::goes_on_inside(s)) return lies;
  const RecordedMask is_last = kernels::ends_by_rounding(s, x);
  return lies && (piece.polynomial == s.knots ? !is_last : is_last);
}

inline std::vector<SplinePieceFound> all_pieces(const kernels::SplineView& s) {
  const bool is_inside = kernels::goes_on_inside(s);
  std::vector<SplinePieceFound> all;
  for (int q = 0; q < s.knots; ++q) all.push_back({q, is_inside && q == 0 ? 1.0 : q * 1.0});
  all.push_back({s.knots, s.knots - 1.0});
  if (!is_inside) all.push_back({s.knots, s.knots * 1.0});
  return all;
}

// Those that the lanes of the sample lie on.
inline std::vector<SplinePieceFound> pieces_found(const kernels::SplineView& s, const Recorded& x,
                                                  const Recorded& in_period) {
  std::vector<SplinePieceFound> found;
  for (int k = 0; k < current_recording->lanes; ++k) {
    const SplinePieceFound piece{kernels::knots_up_to(s, in_period.value.lane[k]),
                                 kernels::spline_place(s, x.value.lane[k]).polynomial};
    if (std::find(found.begin(), found.end(), piece) == found.end()) found.push_back(piece);
  }
  return found;
}

inline double polynomial_by_halves(const kernels::SplineView& s, const Recorded& in_period) {
  int least = 0, most = s.knots;  // knots up to the number
  while (least < most) {
    const int middle = (least + most) / 2;
    if (lane(Recorded(s.knot[middle]) <= in_period, 0))
      least = middle + 1;
    else
      most = middle;
  }
  if (kernels::goes_on_inside(s)) return std::clamp(least, 1, s.knots - 1);
  return least == s.knots && lane(kernels::ends_by_rounding(s, in_period), 0) ? s.knots - 1 : least;
}

// The overload of kernels/expressions/spline.hpp for recordings, with the same numbers. What is not
// a number lies on the first piece.
inline kernels::SplinePlace<Recorded> spline_place(const kernels::SplineView& s,
                                                   const Recorded& x) {
  const Recorded shift = kernels::spline_shift(s, x);
  const Recorded in_period = x - shift;
  const bool is_short = s.knots <= most_knots_of_short_splines;
  if (!is_short && current_recording->lanes == 1)
    return {Recorded(polynomial_by_halves(s, in_period)), shift};
  const auto pieces = is_short ? all_pieces(s) : pieces_found(s, x, in_period);
  Recorded polynomial(pieces.front().polynomial);
  RecordedMask is_known(false);
  std::vector<double> numbers;
  for (const SplinePieceFound& piece : pieces) {
    const RecordedMask lies = lies_on(s, in_period, piece);
    is_known = is_known || lies;
    polynomial = select(lies, Recorded(piece.polynomial), polynomial);
    if (numbers.empty() || numbers.back() != piece.polynomial) numbers.push_back(piece.polynomial);
  }
  if (!is_short)
    current_recording->take_for_granted(is_known.node, 1.0);
  else if (!graph().is_constant(polynomial.node))
    current_recording->numbers_of[polynomial.node] = numbers;
  return {polynomial, shift};
}

}  // namespace gradus::specialise
