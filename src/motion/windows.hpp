// Windows on splines of time: designs of a plan in which each such spline shows one polynomial at a
// time, beside the designs of the mechanism whose splines they are. docs/theory.md, section 10.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/expressions/spline.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/superposition.hpp"

namespace gradus {

// Where a window shows a spline: one of its polynomials, periods being shifted.
using Piece = kernels::SplinePlace<double>;

bool are_same(const std::vector<Piece>& a, const std::vector<Piece>& b);

// Between two instants [s].
struct Span {
  double begin = 0.0, end = 0.0;
};

// Coefficients of a polynomial of x = (t - period - begin)/unit, the unit being a power of two, so
// that these are exact. A piece is half as long as the unit or longer, but not as long.
struct Window {
  double period = 0.0, begin = 0.0, unit = 1.0;
  int left = 0, right = 0;  // knots
  double width = 0.0;       // between them
  bool bends = false, is_held = false;

  // Value and slope at both ends, x = 0 and 1, of the cubic that has these at its knots.
  std::array<double, kPieceNumbers> numbers(double left_value, double left_slope,
                                            double right_value, double right_slope) const;
};

// The splines of the mechanism, of one pack of designs: their polynomials, and how these answer to
// parameters.
class Courses {
 public:
  Courses(HostChunk<double>& whole, const Superposition& superposition,
          const kernels::Layout& layout)
      : whole_(whole), s_(superposition), layout_(layout) {}

  bool fails(int lane) const { return whole_.fails(lane); }
  kernels::Status status(int lane) const { return whole_.status(lane); }
  double parameter(int p, int lane) const { return whole_.entry(layout_.parameter + p, lane); }

  std::vector<Piece> pieces_at(double time) const;
  // Times between which pieces last, but for rounding at their ends; empty outside the knots.
  Span span_of(const std::vector<Piece>& pieces) const;
  Window window(std::size_t course, const Piece& piece) const;
  // Of x in the window.
  std::array<double, 4> polynomial(std::size_t course, const Piece& piece, int lane) const;
  // How value and slope at both ends of a window of its course change under a parameter.
  std::array<double, kPieceNumbers> change(const Superposition::Share& share, const Window& window,
                                           int lane) const;
  // How far a spline that is a guess outside its knots is left at a time; 0: it is not.
  double beyond(std::size_t course, double time) const;

  // Of a mechanism that is laid out for an adjoint: what values and slopes at both ends of a
  // window, as they lie in an element, are worth to an objective, to those at the knots of the
  // spline.
  void add_worth(std::size_t course, const Window& window, int objective, int lane,
                 const std::array<double, kPieceNumbers>& worth);

 private:
  const kernels::SplineEntry& entry(const Superposition::Course& course) const {
    return s_.of->splines[static_cast<std::size_t>(course.spline)];
  }
  kernels::SplineView view(const Superposition::Course& course) const {
    return kernels::spline_view(entry(course), s_.of->spline_numbers.data());
  }

  HostChunk<double>& whole_;
  const Superposition& s_;
  const kernels::Layout& layout_;
};

// The windows of a pack of designs, which move along the splines.
class Windows {
 public:
  Windows(HostChunk<double>& chunk, Courses& courses, const Superposition& superposition,
          const kernels::Layout& layout);

  const std::vector<Piece>& pieces() const { return pieces_; }
  // Those at the end of a step, until the next call. Notes where splines are left that are guesses
  // outside their knots.
  const std::vector<Piece>& pieces_at(double time);
  // Behind the preparation of the numbers: what has failed there fails, and windows are as at a
  // time.
  void begin(double time);
  void show(std::vector<Piece> pieces);
  Courses& courses() const { return courses_; }

 private:
  HostChunk<double>& chunk_;
  Courses& courses_;
  const Superposition& s_;
  const kernels::Layout& layout_;
  std::vector<Piece> pieces_;  // that are shown
  std::vector<Piece> found_;   // that were looked up last
  Span span_;                  // of these
};

// The request for motions through windows.
MotionRequest through_windows(const MotionRequest& request);

// The designs of the mechanism beside packs of those with windows, which only their numbers are
// asked of.
class Wholes {
 public:
  // `columns` of parameters are laid out.
  Wholes(const MotionRequest& request, int columns, int threads);

  const MotionRequest& request() const { return request_; }
  const kernels::Layout& layout() const { return setup_.layout; }
  HostChunk<double>& chunk(std::size_t thread) { return packs_[thread]->chunk; }

  // Takes the designs of a run and their vehicle.
  void take(const MotionRequest& run, const Vehicle& vehicle);
  // Makes the windows of the designs in the lanes of a chunk, `count` from `first` on; they last
  // until the thread asks for others.
  Windows& windows(std::size_t thread, std::size_t first, std::size_t count,
                   HostChunk<double>& chunk, const kernels::Layout& layout);

 private:
  struct Pack {
    Pack(const MotionRequest& request, const HostSetup& setup, const Vehicle& vehicle)
        : chunk(request, setup, vehicle), courses(chunk, *request.superposition, setup.layout) {}
    HostChunk<double> chunk;
    Courses courses;
    std::optional<Windows> windows;
  };

  MotionRequest request_;
  HostSetup setup_;
  int columns_;
  Vehicle vehicle_;
  std::vector<std::unique_ptr<Pack>> packs_;  // [thread]
};

}  // namespace gradus
