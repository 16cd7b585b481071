// The spline is the value at the first knot and what each segment adds to it, a cubic of the part
// of the segment that lies below x. Coefficients are linear in the values, so that those of
// parameters alone are numbers of a design.
#include "src/model/functions.hpp"

#include <cmath>
#include <vector>

#include "src/model/message.hpp"

namespace gradus::expression {
namespace {

class Spline {
 public:
  Spline(Graph& graph, const Value& knots, const Value& values)
      : graph_(graph), y_(values.components), segments_(y_.size() - 1) {
    for (const Node knot : knots.components) x_.push_back(graph.constant_value(knot));
    for (std::size_t k = 0; k < segments_; ++k) {
      width_.push_back(x_[k + 1] - x_[k]);
      slope_.push_back(graph.divide(graph.subtract(y_[k + 1], y_[k]), number(width_[k])));
    }
    find_curvatures();
  }

  Node at(Node x) const {
    Node sum = graph_.add(y_.front(), graph_.multiply(slope_at_start(0), part_before(x)));
    for (std::size_t k = 0; k < segments_; ++k) sum = graph_.add(sum, increment(k, x));
    return graph_.add(sum, graph_.multiply(slope_at_end(), part_behind(x)));
  }

 private:
  Node number(double value) const { return graph_.constant(value); }
  Node scaled(double factor, Node node) const { return graph_.multiply(number(factor), node); }

  // Halves c of the second derivatives at the knots, with none at the ends:
  // h(k-1) c(k-1) + 2 (h(k-1) + h(k)) c(k) + h(k) c(k+1) = 3 (slope(k) - slope(k-1)),
  // by elimination.
  void find_curvatures() {
    curvature_.assign(segments_ + 1, number(0.0));
    std::vector<double> pivot(segments_ + 1, 1.0);
    for (std::size_t k = 1; k < segments_; ++k) {
      const double factor = k == 1 ? 0.0 : width_[k - 1] / pivot[k - 1];
      pivot[k] = 2.0 * (width_[k - 1] + width_[k]) - factor * width_[k - 1];
      const Node bend = scaled(3.0, graph_.subtract(slope_[k], slope_[k - 1]));
      curvature_[k] = graph_.subtract(bend, scaled(factor, curvature_[k - 1]));
    }
    for (std::size_t k = segments_ - 1; k >= 1; --k) {
      const Node rest = graph_.subtract(curvature_[k], scaled(width_[k], curvature_[k + 1]));
      curvature_[k] = graph_.divide(rest, number(pivot[k]));
    }
  }

  // Of segment k at its first knot.
  Node slope_at_start(std::size_t k) const {
    const Node bend = graph_.add(scaled(2.0, curvature_[k]), curvature_[k + 1]);
    return graph_.subtract(slope_[k], scaled(width_[k] / 3.0, bend));
  }
  Node slope_at_end() const {
    return graph_.add(slope_.back(), scaled(width_.back() / 3.0, curvature_[segments_ - 1]));
  }

  // How far x lies before the first knot (negative), in segment k, and behind the last knot. Of
  // equal operands min and max follow the first, so that at a knot the segment behind it moves, and
  // none besides.
  Node part_before(Node x) const {
    const Node first = number(x_.front());
    return graph_.subtract(graph_.apply(Operation::minimum, first, x), first);
  }
  Node part_within(std::size_t k, Node x) const {
    const Node begin = number(x_[k]);
    const Node from_begin = graph_.apply(Operation::maximum, x, begin);
    const Node to_end = graph_.apply(Operation::minimum, number(x_[k + 1]), from_begin);
    return graph_.subtract(to_end, begin);
  }
  Node part_behind(Node x) const {
    const Node last = number(x_.back());
    return graph_.subtract(graph_.apply(Operation::maximum, x, last), last);
  }

  Node increment(std::size_t k, Node x) const {
    const Node u = part_within(k, x);
    const Node change = graph_.subtract(curvature_[k + 1], curvature_[k]);
    const Node third = graph_.divide(change, number(3.0 * width_[k]));
    const Node second = graph_.add(curvature_[k], graph_.multiply(u, third));
    const Node first = graph_.add(slope_at_start(k), graph_.multiply(u, second));
    return graph_.multiply(u, first);
  }

  Graph& graph_;
  std::vector<double> x_;
  const std::vector<Node>& y_;
  std::size_t segments_;
  std::vector<double> width_;
  std::vector<Node> slope_;      // [segment] of the straight line
  std::vector<Node> curvature_;  // [knot] half of the second derivative
};

}  // namespace

std::string spline_problem(const Graph& graph, const Value& knots, const Value& values) {
  const std::size_t count = knots.components.size();
  if (count < 2) return "found 1 knot, expected at least 2";
  if (values.components.size() != count)
    return "found " + std::to_string(count) + " knots and " +
           std::to_string(values.components.size()) + " values, expected as many";
  double last = -HUGE_VAL;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string which = "knot " + std::to_string(k);
    if (!graph.is_constant(knots.components[k])) return which + " is not a plain number";
    const double knot = graph.constant_value(knots.components[k]);
    if (!std::isfinite(knot) || !(knot > last))
      return which + " is " + to_text(knot) + (k == 0 ? "" : " after " + to_text(last)) +
             ", expected finite and ascending numbers";
    last = knot;
  }
  return "";
}

Node spline(Graph& graph, Node x, const Value& knots, const Value& values) {
  return Spline(graph, knots, values).at(x);
}

}  // namespace gradus::expression
