// Splines of expressions: what may be asked for, the numbers that follow from knots alone, and the
// spline made of operations, the value at the first knot and what each segment adds to it, for
// those who cannot look segments up.
#include "kernels/expressions/spline.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "src/model/functions.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::expression {

using kernels::SplineEnds;
using kernels::SplineKind;
using kernels::SplineRow;

namespace {

constexpr std::array<std::string_view, 6> kind_names{"natural", "clamped",  "not-a-knot",
                                                     "linear",  "monotone", "periodic"};
constexpr std::array<std::string_view, 4> ends_names{"straight", "hold", "extend", "repeat"};

template <std::size_t N>
int place_of(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t k = 0; k < N; ++k)
    if (names[k] == name) return static_cast<int>(k);
  return -1;
}

template <std::size_t N>
std::string hint_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return suggestion(name, std::vector<std::string>(names.begin(), names.end()));
}

// A node of a graph, as the polynomials of splines want numbers; or a constant of none yet.
struct NodeNumber {
  Graph* graph = nullptr;
  Node node = -1;
  double value = 0.0;

  NodeNumber() = default;
  NodeNumber(double constant) : value(constant) {}
  NodeNumber(Graph& owner, Node of) : graph(&owner), node(of) {}

  Node in(Graph& owner) const { return graph == nullptr ? owner.constant(value) : node; }
};

NodeNumber applied(Operation operation, const NodeNumber& a, const NodeNumber& b) {
  if (a.graph == nullptr && b.graph == nullptr) {
    Graph own;  // folds constants
    return own.constant_value(own.apply(operation, a.in(own), b.in(own)));
  }
  Graph& graph = a.graph != nullptr ? *a.graph : *b.graph;
  return {graph, graph.apply(operation, a.in(graph), b.in(graph))};
}

NodeNumber operator+(const NodeNumber& a, const NodeNumber& b) {
  return applied(Operation::add, a, b);
}
NodeNumber operator-(const NodeNumber& a, const NodeNumber& b) {
  return applied(Operation::subtract, a, b);
}
NodeNumber operator*(const NodeNumber& a, const NodeNumber& b) {
  return applied(Operation::multiply, a, b);
}
NodeNumber operator/(const NodeNumber& a, const NodeNumber& b) {
  return applied(Operation::divide, a, b);
}
NodeNumber operator-(const NodeNumber& a) {
  return NodeNumber(-1.0) * a;
}
NodeNumber smaller(const NodeNumber& a, const NodeNumber& b) {
  return applied(Operation::minimum, a, b);
}
NodeNumber larger(const NodeNumber& a, const NodeNumber& b) {
  return applied(Operation::maximum, a, b);
}

// The rows of SplineRow, see kernels::SplinePolynomials.
class Rows {
 public:
  explicit Rows(const SplineShape& shape) : x_(shape.knots), n_(x_.size() - 1) {
    rows_.assign(x_.size() * kernels::kSplineRowNumbers, 0.0);
    for (std::size_t k = 0; k <= n_; ++k) row(k, SplineRow::pivot) = 1.0;
    if (shape.kind == SplineKind::natural) find_natural();
    if (shape.kind == SplineKind::clamped) find_tridiagonal();
    if (shape.kind == SplineKind::not_a_knot) find_not_a_knot();
    if (shape.kind == SplineKind::periodic) find_periodic();
  }
  std::vector<double> take() { return std::move(rows_); }

 private:
  double& row(std::size_t k, SplineRow what) {
    return rows_[k * kernels::kSplineRowNumbers + static_cast<std::size_t>(what)];
  }
  double width(std::size_t k) const { return x_[k + 1] - x_[k]; }

  void find_natural() {
    for (std::size_t k = 1; k < n_; ++k) {
      const double factor = k == 1 ? 0.0 : width(k - 1) / row(k - 1, SplineRow::pivot);
      row(k, SplineRow::below) = factor;
      row(k, SplineRow::pivot) = 2.0 * (width(k - 1) + width(k)) - factor * width(k - 1);
    }
  }

  // h(k) d(k-1) + 2 (h(k-1) + h(k)) d(k) + h(k-1) d(k+1) = 3 (h(k) s(k-1) + h(k-1) s(k)), with the
  // segments before and behind knot k.
  void state(std::size_t k, double before, double behind) {
    row(k, SplineRow::first) = 3.0 * behind;
    row(k, SplineRow::second) = 3.0 * before;
    row(k, SplineRow::below) = behind;
    row(k, SplineRow::pivot) = 2.0 * (before + behind);
    row(k, SplineRow::above) = before;
  }
  void eliminate(std::size_t k) {
    row(k, SplineRow::below) /= row(k - 1, SplineRow::pivot);
    row(k, SplineRow::pivot) -= row(k, SplineRow::below) * row(k - 1, SplineRow::above);
  }

  // Slopes at the ends are known, or follow from rows stated before.
  void find_tridiagonal() {
    for (std::size_t k = 1; k < n_; ++k) state(k, width(k - 1), width(k));
    for (std::size_t k = 1; k <= n_; ++k) eliminate(k);
  }

  // The two segments at each end are one polynomial; three knots make a parabola.
  void find_not_a_knot() {
    const double a = width(0);
    const double b = width(1);
    if (n_ == 2) {
      const double turn = a / (a + b);
      const double shares[3][2] = {
          {1.0 + turn, -turn}, {1.0 - turn, turn}, {turn - 1.0, 2.0 - turn}};
      for (std::size_t k = 0; k < 3; ++k) {
        row(k, SplineRow::first) = shares[k][0];
        row(k, SplineRow::second) = shares[k][1];
      }
      return;
    }
    row(0, SplineRow::first) = (a + 2.0 * (a + b)) * b / (a + b);
    row(0, SplineRow::second) = a * a / (a + b);
    row(0, SplineRow::pivot) = b;
    row(0, SplineRow::above) = a + b;
    const double c = width(n_ - 2);
    const double d = width(n_ - 1);
    row(n_, SplineRow::first) = d * d / (c + d);
    row(n_, SplineRow::second) = (d + 2.0 * (c + d)) * c / (c + d);
    row(n_, SplineRow::pivot) = c;
    row(n_, SplineRow::below) = c + d;
    find_tridiagonal();
  }

  // Of the knots but the last, each after the one before and the first after the last: eliminated
  // from above, the last row and the last column fill up.
  void find_periodic() {
    const std::size_t m = n_;
    if (m < 3) {  // both slopes are equal
      for (std::size_t k = 0; m == 2 && k < 2; ++k) {
        row(k, SplineRow::first) = width(k) / (width(0) + width(1));
        row(k, SplineRow::second) = width(1 - k) / (width(0) + width(1));
      }
      return;
    }
    const std::size_t last = m - 1;
    for (std::size_t k = 0; k < m; ++k) state(k, width(k == 0 ? last : k - 1), width(k));
    row(0, SplineRow::last_column) = std::exchange(row(0, SplineRow::below), 0.0);
    row(0, SplineRow::last_row) = std::exchange(row(last, SplineRow::above), 0.0);
    for (std::size_t k = 1; k < last; ++k) {
      eliminate(k);
      row(k, SplineRow::last_column) =
          -row(k, SplineRow::below) * row(k - 1, SplineRow::last_column);
    }
    // The last row: its entries in the columns of those above it, one after another.
    double& pivot = row(last, SplineRow::pivot);
    double entry = row(0, SplineRow::last_row);
    for (std::size_t k = 0; k + 1 < last; ++k) {
      const double factor = entry / row(k, SplineRow::pivot);
      row(k, SplineRow::last_row) = factor;
      entry = -factor * row(k, SplineRow::above);
      pivot -= factor * row(k, SplineRow::last_column);
    }
    const std::size_t k = last - 1;  // its last column is its neighbour's as well
    double& above = row(k, SplineRow::above);
    above += std::exchange(row(k, SplineRow::last_column), 0.0);
    double& below = row(last, SplineRow::below);
    below = (below + entry) / row(k, SplineRow::pivot);
    pivot -= below * above;
  }

  const std::vector<double>& x_;
  std::size_t n_;
  std::vector<double> rows_;
};

// What arguments behind the values say.
struct Options {
  SplineKind kind = SplineKind::natural;
  SplineEnds ends = SplineEnds::straight;
  const Value* slopes = nullptr;
};

SplineEnds usual_ends(SplineKind kind, bool given_slopes) {
  if (kind == SplineKind::periodic) return SplineEnds::repeat;
  const bool holds = kind == SplineKind::linear || kind == SplineKind::monotone ||
                     (kind == SplineKind::clamped && !given_slopes);
  return holds ? SplineEnds::hold : SplineEnds::straight;
}

Problem read_options(const std::vector<Value>& arguments, Options& options) {
  if (arguments.size() > 3) {
    const Value& kind = arguments[3];
    if (kind.text.empty())
      return {"argument 4 is " + kind_of(kind) + ", expected a kind", 3,
              "write a text such as 'linear'"};
    const int place = place_of(kind_names, kind.text);
    if (place < 0)
      return {"there is no kind " + in_quotes(kind.text), 3, hint_of(kind_names, kind.text)};
    options.kind = static_cast<SplineKind>(place);
  }
  std::size_t next = 4;
  if (arguments.size() > next && arguments[next].text.empty()) {
    const Value& slopes = arguments[next];
    if (options.kind != SplineKind::clamped)
      return {"argument 5 is " + kind_of(slopes) + ", and only clamped splines take slopes", 4,
              "write what it does beyond its ends, such as 'hold'"};
    if (!slopes.is_list || slopes.components.size() != 2)
      return {"argument 5 is " + kind_of(slopes) + ", expected the slopes at both ends", 4,
              "write [first, last]"};
    options.slopes = &slopes;
    ++next;
  }
  options.ends = usual_ends(options.kind, options.slopes != nullptr);
  if (arguments.size() > next) {
    const int at = static_cast<int>(next);
    const Value& ends = arguments[next++];
    const int place = place_of(ends_names, ends.text);
    if (ends.text.empty())
      return {"argument " + std::to_string(at + 1) + " is " + kind_of(ends) +
                  ", expected what the spline does beyond its ends",
              at, "write a text such as 'hold'"};
    if (place < 0)
      return {"nothing beyond its ends is called " + in_quotes(ends.text), at,
              hint_of(ends_names, ends.text)};
    options.ends = static_cast<SplineEnds>(place);
    if (options.kind == SplineKind::periodic && options.ends != SplineEnds::repeat)
      return {"periodic splines repeat", at, "leave " + in_quotes(ends.text) + " out"};
  }
  if (arguments.size() > next)
    return {"found " + std::to_string(arguments.size()) + ", expected at most " +
            std::to_string(next)};
  return {};
}

Problem knots_problem(const Graph& graph, const Value& knots) {
  double last = -HUGE_VAL;
  for (std::size_t k = 0; k < knots.components.size(); ++k) {
    const std::string which = "knot " + std::to_string(k);
    if (!graph.is_constant(knots.components[k])) return {which + " is not a plain number"};
    const double knot = graph.constant_value(knots.components[k]);
    if (!std::isfinite(knot) || !(knot > last))
      return {which + " is " + to_text(knot) + (k == 0 ? "" : " after " + to_text(last)) +
              ", expected finite and ascending numbers"};
    last = knot;
  }
  return {};
}

std::vector<NodeNumber> polynomials_of(Graph& graph, const SplineCall& call) {
  std::vector<NodeNumber> values;
  for (const Node value : call.values) values.emplace_back(graph, value);
  std::vector<NodeNumber> polynomials(4 * (call.shape.knots.size() + 1));
  kernels::find_polynomials<NodeNumber>(call.shape.view(), values, polynomials);
  return polynomials;
}

// The spline made of operations.
class Sum {
 public:
  Sum(Graph& graph, const SplineCall& call)
      : graph_(graph), call_(call), x_(graph, call.x), polynomials_(polynomials_of(graph, call)) {
    if (call.shape.ends == SplineEnds::repeat) begin_anew();
  }

  Node node() const {
    const std::size_t segments = call_.shape.knots.size() - 1;
    NodeNumber sum(graph_, call_.values.front());
    sum = sum + part(0, before(), outside());
    for (std::size_t k = 0; k < segments; ++k) sum = sum + part(k + 1, within(k), 4);
    if (call_.shape.ends == SplineEnds::extend)
      sum = sum + extended_part(behind());
    else
      sum = sum + part(segments + 1, behind(), outside());
    return sum.in(graph_);
  }

 private:
  double knot(std::size_t k) const { return call_.shape.knots[k]; }
  const NodeNumber& number(std::size_t q, std::size_t j) const { return polynomials_[4 * q + j]; }

  // How many coefficients the part before the first knot has.
  int outside() const {
    return call_.shape.ends == SplineEnds::straight ? 2
           : call_.shape.ends == SplineEnds::extend ? 4
                                                    : 0;
  }

  void begin_anew() {
    const NodeNumber first(knot(0));
    const double period = call_.shape.knots.back() - knot(0);
    const Node turns =
        graph_.apply(Operation::floor, ((x_ - first) / NodeNumber(period)).in(graph_));
    x_ = x_ - NodeNumber(period) * NodeNumber(graph_, turns);
  }

  // How far x lies before the first knot (negative), in segment k, and behind the last knot. Of
  // equal operands min and max follow the first, so that at a knot the segment behind it moves, at
  // the last knot that before it, and none besides. What repeats has no ends: rounding may bring it
  // beyond them.
  NodeNumber before() const { return smaller(knot(0), x_) - NodeNumber(knot(0)); }
  NodeNumber within(std::size_t k) const {
    const bool repeats = call_.shape.ends == SplineEnds::repeat;
    const bool last = k + 2 == call_.shape.knots.size();
    const NodeNumber from_begin = repeats && k == 0 ? x_ : larger(x_, knot(k));
    if (repeats && last) return from_begin - NodeNumber(knot(k));
    const NodeNumber end(knot(k + 1));
    return (last ? smaller(from_begin, end) : smaller(end, from_begin)) - NodeNumber(knot(k));
  }
  NodeNumber behind() const {
    const NodeNumber last(call_.shape.knots.back());
    return larger(last, x_) - last;
  }

  // What polynomial q adds to the value it begins with.
  NodeNumber part(std::size_t q, const NodeNumber& u, int coefficients) const {
    if (coefficients == 0) return 0.0;
    if (coefficients == 2) return number(q, 1) * u;
    const std::size_t segment = q == 0 ? 1 : q;
    return u * (number(segment, 1) + u * (number(segment, 2) + u * number(segment, 3)));
  }
  // The last polynomial beyond its end.
  NodeNumber extended_part(const NodeNumber& u) const {
    const std::size_t n = call_.shape.knots.size() - 1;
    const NodeNumber width(knot(n) - knot(n - 1));
    const NodeNumber second = number(n, 2) + NodeNumber(3.0) * width * number(n, 3);
    return u * (number(n + 1, 1) + u * (second + u * number(n, 3)));
  }

  Graph& graph_;
  const SplineCall& call_;
  NodeNumber x_;
  std::vector<NodeNumber> polynomials_;
};

}  // namespace

Problem spline_problem(const Graph& graph, const std::vector<Value>& arguments) {
  Options options;
  if (Problem problem = read_options(arguments, options); !problem.text.empty()) return problem;
  const Value& knots = arguments[1];
  const std::vector<Node>& values = arguments[2].components;
  const std::size_t count = knots.components.size();
  if (count < 2) return {"found 1 knot, expected at least 2"};
  const bool repeats = options.ends == SplineEnds::repeat;
  if (values.size() != count && !(repeats && values.size() + 1 == count))
    return {"found " + std::to_string(count) + " knots and " + std::to_string(values.size()) +
            " values, expected as many" + (repeats ? ", or one value less" : "")};
  if (repeats && values.size() == count && values.front() != values.back())
    return {"a spline that repeats ends with another value than it begins with", 2,
            "leave the last value out, which is the first"};
  return knots_problem(graph, knots);
}

std::vector<Node> spline_polynomials(Graph& graph, const SplineCall& call) {
  std::vector<Node> nodes;
  for (const NodeNumber& number : polynomials_of(graph, call)) nodes.push_back(number.in(graph));
  return nodes;
}

std::vector<double> spline_rows(const SplineShape& shape) {
  return Rows(shape).take();
}

Node spline(Graph& graph, const std::vector<Value>& arguments) {
  Options options;
  read_options(arguments, options);
  SplineCall call;
  call.x = arguments[0].components[0];
  call.values = arguments[2].components;
  for (const Node knot : arguments[1].components)
    call.shape.knots.push_back(graph.constant_value(knot));
  if (call.values.size() < call.shape.knots.size()) call.values.push_back(call.values.front());
  call.shape.kind = options.kind;
  call.shape.ends = options.ends;
  call.shape.given_slopes = options.slopes != nullptr;
  if (options.slopes != nullptr)
    call.values.insert(call.values.end(), options.slopes->components.begin(),
                       options.slopes->components.end());
  // Two knots make a line.
  if (call.shape.kind == SplineKind::not_a_knot && call.shape.knots.size() == 2)
    call.shape.kind = SplineKind::natural;
  call.shape.rows = spline_rows(call.shape);
  const Node node = Sum(graph, call).node();
  graph.note_spline(node, std::move(call));
  return node;
}

}  // namespace gradus::expression
