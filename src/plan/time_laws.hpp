// What a model says of time alone, in its laws and objectives: known before the motion, so that
// steps need not find it. See src/motion/step_limits.hpp.
#pragma once

#include <set>
#include <vector>

#include "src/model/graph.hpp"

namespace gradus {

// Numbers of outputs are those of the program, whose inputs are the parameters and time.
struct TimeLaws {
  // Where an output passes zero: the argument of a function that has a kink there, or the middle
  // of what may be narrow.
  struct Passage {
    int output;
    bool is_kink;
    bool is_fixed;  // whether no parameter has a part in it
  };
  // The argument of a spline of time.
  struct Knots {
    int output;
    int spline;
    bool is_fixed;  // whether no parameter has a part in it
  };

  expression::Program program;  // looks its splines up
  std::vector<expression::SplineShape> splines;
  expression::Program spline_values;  // of parameters: those of all splines, one after another
  std::vector<Passage> passages;
  std::vector<Knots> knots;
  std::vector<int> courses;  // outputs that may vary fast between passages

  bool empty() const { return passages.empty() && knots.empty() && courses.empty(); }
};

class TimeLawWriter {
 public:
  // Notes what an expression has of time alone. Inputs of its graph are so many parameters, time,
  // then what moves.
  void add(const expression::Graph& from, expression::Node root, int parameters);

  TimeLaws finish() const;

 private:
  struct Passage {
    expression::Node node;
    bool is_kink;
    bool is_fixed;
  };
  struct Knots {
    expression::Node node;
    int spline;
    bool is_fixed;
  };
  void note(const Passage& passage);

  expression::Graph graph_;
  std::vector<Passage> passages_;
  std::vector<Knots> knots_;
  std::vector<expression::SplineCall> splines_;  // whose arguments do not count
  std::set<expression::Node> courses_;
};

}  // namespace gradus
