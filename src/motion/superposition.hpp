// Columns of parameters that act through splines of time alone, superposed of few: of the numbers
// that a step begins with and of the polynomials that are at hand, which hundreds of parameters
// share. docs/theory.md, section 10.
#pragma once

#include <memory>
#include <vector>

#include "kernels/core/layout.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Of each spline: value and slope at the left end of the piece at hand, and at the right end.
inline constexpr int kPieceNumbers = 4;

struct Superposition {
  // A spline whose argument is the time wherever it is looked up.
  struct Course {
    int spline;
    int first_column;
    int directions[kPieceNumbers];  // where it is said how they change values and slopes at knots
  };
  // How a parameter changes the values and slopes of one of them.
  struct Share {
    int course;
    kernels::PartialEntry entry;
  };

  // That of the mechanism with other columns: first those of parameters that have their own, then
  // one of each number that steps begin with, [carried set, coordinate], then those of courses.
  // Its parameters are in the order below.
  Plan plan;
  const Plan* of = nullptr;  // the plan of the mechanism
  std::vector<int>
      order;    // [place] parameters of the mechanism: their own columns, then superposed
  int own = 0;  // how many have their own
  std::vector<kernels::ColumnSet> carried;
  std::vector<Course> courses;
  std::vector<int> share_begin;  // [superposed parameter + 1]
  std::vector<Share> shares;

  int superposed() const { return static_cast<int>(order.size()) - own; }
  int states() const { return static_cast<int>(carried.size()) * plan.coordinate_count(); }
  int first_state() const { return own; }
  int pieces() const { return kPieceNumbers * static_cast<int>(courses.size()); }
  int column_count() const { return own + states() + pieces(); }
};

// Null where gradients of the mechanism are not worth it, or not to be had so.
std::unique_ptr<const Superposition> superposition_of(const MotionRequest& request);

// Whether a run goes that way.
bool superposes(const MotionRequest& request);

}  // namespace gradus
