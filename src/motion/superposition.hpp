// Columns of parameters that act through splines of time alone, superposed of few: of the numbers
// that a step begins with and of the polynomials that are at hand, which hundreds of parameters
// share. docs/theory.md, section 10.
#pragma once

#include <memory>
#include <vector>

#include "kernels/core/layout.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Of each spline, in the unit of its window: value and slope at its left end and at its right one.
inline constexpr int kPieceNumbers = 4;
inline constexpr int kWindowNumbers = 3;

struct Superposition {
  // A spline whose argument is the time wherever it is looked up. In the plan of few columns a
  // window in its place shows one of its polynomials.
  struct Course {
    int spline;   // of both plans
    int numbers;  // the first of the parameters that stand for values and slopes of the window
    int window;   // the first of kWindowNumbers parameters, see kernels::SplineEntry
  };
  // How a parameter changes the values and slopes of one of them.
  struct Share {
    int course;
    kernels::PartialEntry entry;  // of the plan of the mechanism
  };

  // That of the mechanism with windows. Its parameters: those of the mechanism that do more than to
  // act through courses, then one that does nothing for each number that steps begin with, [carried
  // set, coordinate], then those of courses; all but the last, where windows are, have columns.
  Plan plan;
  const Plan* of = nullptr;     // the plan of the mechanism
  std::vector<int> own;         // [place] parameters of the mechanism that have columns
  std::vector<int> superposed;  // those that act through courses; some have a column besides
  std::vector<kernels::ColumnSet> carried;
  std::vector<Course> courses;
  std::vector<int> share_begin;  // [superposed parameter + 1]
  std::vector<Share> shares;

  int own_count() const { return static_cast<int>(own.size()); }
  int superposed_count() const { return static_cast<int>(superposed.size()); }
  int states() const { return static_cast<int>(carried.size()) * plan.coordinate_count(); }
  int first_state() const { return own_count(); }
  int pieces() const { return kPieceNumbers * static_cast<int>(courses.size()); }
  int column_count() const { return own_count() + states() + pieces(); }
};

// Null where gradients of the mechanism are not worth it, or not to be had so.
std::unique_ptr<const Superposition> superposition_of(const MotionRequest& request);

// Whether a run goes that way.
bool superposes(const MotionRequest& request);

}  // namespace gradus
