// Gauss's rule on every piece, with as many points as its polynomial asks for.
#include "src/plan/exact_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <boost/math/special_functions/legendre.hpp>

#include "kernels/expressions/spline.hpp"
#include "src/model/functions.hpp"
#include "src/plan/degree.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using expression::SplineCall;
using kernels::Instruction;
using kernels::Operation;
using kernels::SplineEnds;
using kernels::SplineKind;

constexpr double kKnotSlack = 1e-9;          // of all knots, which no run takes for extrapolation
constexpr int kMostPoints = 16;              // of a piece
constexpr std::size_t kMostNodes = 200'000;  // that an integral may be made of

std::size_t place(int i) {
  return static_cast<std::size_t>(i);
}

// A node, as far as it is one of parameters and time.
class Piecewise {
 public:
  Piecewise(Graph& graph, Node root, int time, double duration)
      : graph_(graph),
        root_(root),
        time_(time),
        duration_(duration),
        degree_(place(root) + 1, kUnseen),
        copy_(place(root) + 1, -1) {
    mark_needed();
    for (Node node = 0; node <= root; ++node) {
      if (degree(node) == kUnseen) continue;
      degree(node) = degree_of(node);
      if (degree(node) > 0) moving_.push_back(node);
    }
  }

  std::optional<ExactIntegral> integral() {
    const int points = degree(root_) / 2 + 1;
    if (degree(root_) >= kNoPolynomial || points > kMostPoints) return std::nullopt;
    std::sort(breaks_.begin(), breaks_.end());
    breaks_.erase(std::unique(breaks_.begin(), breaks_.end()), breaks_.end());
    std::vector<double> ends{0.0};
    ends.insert(ends.end(), breaks_.begin(), breaks_.end());
    ends.push_back(duration_);
    if (ends.size() * place(points) * moving_.size() > kMostNodes) return std::nullopt;
    const std::vector<QuadraturePoint> rule = gauss_rule(points);
    Node sum = graph_.constant(0.0);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const double middle = 0.5 * (ends[k] + ends[k + 1]), half = 0.5 * (ends[k + 1] - ends[k]);
      for (const QuadraturePoint& point : rule) {
        const Node value = at(root_, middle + half * point.at);
        sum = graph_.add(sum, graph_.multiply(graph_.constant(half * point.weight), value));
      }
    }
    return ExactIntegral{sum, {points, breaks_}};
  }

 private:
  static constexpr int kUnseen = -1;

  int& degree(Node node) { return degree_[place(node)]; }

  // What a spline is made of is none of them.
  template <class Visit>
  void for_each_operand(Node node, const Visit& visit) const {
    if (const SplineCall* const call = graph_.spline_at(node)) {
      visit(call->x);
      for (const Node value : call->values) visit(value);
      return;
    }
    const Instruction& i = graph_[node];
    if (i.operation == Operation::constant || i.operation == Operation::input) return;
    visit(i.a);
    if (i.b >= 0) visit(i.b);
  }

  void mark_needed() {
    degree(root_) = 0;
    for (Node node = root_; node >= 0; --node)
      if (degree(node) != kUnseen) for_each_operand(node, [this](Node k) { degree(k) = 0; });
  }

  int degree_of(Node node) {
    if (graph_.spline_at(node) != nullptr) return degree_of_spline(node);
    const Instruction& i = graph_[node];
    if (i.operation == Operation::constant) return 0;
    if (i.operation == Operation::input) return i.a == time_ ? 1 : i.a < time_ ? 0 : kNoPolynomial;
    return polynomial_degree(graph_, i, degree(i.a), i.b < 0 ? 0 : degree(i.b));
  }

  // Of a spline of a linear function of time, by numbers alone, whose knots part pieces.
  int degree_of_spline(Node node) {
    const SplineCall& call = *graph_.spline_at(node);  // which stays where it is
    const bool is_table = std::all_of(call.values.begin(), call.values.end(),
                                      [this](Node value) { return degree(value) == 0; });
    if (!is_table || degree(call.x) > 1) return kNoPolynomial;
    if (degree(call.x) == 0) return 0;
    const Node first = at(call.x, 0.0), last = at(call.x, duration_);
    if (!graph_.is_constant(first) || !graph_.is_constant(last)) return kNoPolynomial;
    if (!part(call, graph_.constant_value(first), graph_.constant_value(last)))
      return kNoPolynomial;
    return call.shape.kind == SplineKind::linear ? 1 : 3;
  }

  // Where x, from `first` to `last` within the motion, meets knots. False where the spline is a
  // guess, of which the run shall tell, or repeats too often.
  bool part(const SplineCall& call, double first, double last) {
    const std::vector<double>& knots = call.shape.knots;
    const double low = std::min(first, last), high = std::max(first, last);
    const double period = knots.back() - knots.front(), slack = kKnotSlack * period;
    if (kernels::extrapolates(call.shape.ends) &&
        (low < knots.front() - slack || high > knots.back() + slack))
      return false;
    const bool repeats = call.shape.ends == SplineEnds::repeat;
    const double begin = repeats ? std::floor((low - knots.front()) / period) : 0.0;
    const double turns = repeats ? std::ceil((high - low) / period) + 1.0 : 1.0;
    if (!(turns * static_cast<double>(knots.size()) < static_cast<double>(kMostNodes)))
      return false;
    for (double turn = begin; turn < begin + turns; ++turn)
      for (const double knot : knots) {
        const double t = duration_ * (knot + turn * period - first) / (last - first);
        if (t > 0.0 && t < duration_) breaks_.push_back(t);
      }
    return true;
  }

  // The node with a number in the place of time. Operands come before operations.
  Node at(Node node, double time) {
    if (degree(node) == 0) return node;
    for (const Node k : moving_) {
      if (k > node) break;
      copy_[place(k)] = copied(k, time);
    }
    return copy_[place(node)];
  }
  Node copied(Node node, double time) {
    const auto copy_of = [this](Node k) { return degree(k) == 0 ? k : copy_[place(k)]; };
    if (degree(node) >= kNoPolynomial) return -1;  // nothing asks for it
    if (const SplineCall* const call = graph_.spline_at(node))
      return value_of_spline(node, graph_.constant_value(copy_of(call->x)));
    const Instruction i = graph_[node];
    if (i.operation == Operation::input) return graph_.constant(time);
    return graph_.apply(i.operation, copy_of(i.a), i.b < 0 ? -1 : copy_of(i.b));
  }

  Node value_of_spline(Node node, double x) {
    const SplineCall& call = *graph_.spline_at(node);  // which stays where it is
    const auto [entry, is_new] = polynomials_.try_emplace(node);
    if (is_new) entry->second = expression::spline_polynomials(graph_, call);
    const kernels::SplineView shape = call.shape.view();
    const double first = shape.knot[0], last = shape.knot[shape.knots - 1];
    if (call.shape.ends == SplineEnds::repeat)
      x -= (last - first) * std::floor((x - first) / (last - first));
    x = std::clamp(x, first, last);
    const int segment = std::clamp(kernels::knots_up_to(shape, x) - 1, 0, shape.knots - 2);
    const Node u = graph_.constant(x - shape.knot[segment]);
    const std::size_t begin = 4 * (place(segment) + 1);
    Node value = entry->second[begin + 3];
    for (std::size_t j = 3; j > 0; --j)
      value = graph_.add(entry->second[begin + j - 1], graph_.multiply(u, value));
    return value;
  }

  Graph& graph_;
  Node root_;
  int time_;
  double duration_;
  std::vector<int> degree_;   // [node] as a polynomial of time between breaks
  std::vector<Node> moving_;  // those of time, ascending
  std::vector<Node> copy_;    // [node] at the time at hand
  std::vector<double> breaks_;
  std::map<Node, std::vector<Node>> polynomials_;  // [polynomial, coefficient] of splines
};

}  // namespace

std::vector<QuadraturePoint> gauss_rule(int points) {
  std::vector<QuadraturePoint> rule;
  const auto add = [&](double at) {
    const double slope = boost::math::legendre_p_prime(points, at);
    rule.push_back({at, 2.0 / ((1.0 - at * at) * slope * slope)});
  };
  for (const double zero : boost::math::legendre_p_zeros<double>(points)) {
    add(zero);
    if (zero > 0.0) add(-zero);
  }
  return rule;
}

std::optional<ExactIntegral> exact_integral(Graph& graph, Node integrand, int time,
                                            double duration) {
  if (!(duration > 0.0) || !std::isfinite(duration)) return std::nullopt;
  const std::vector<int> inputs = graph.inputs_of(integrand);
  if (inputs.empty() || inputs.back() != time) return std::nullopt;
  return Piecewise(graph, integrand, time, duration).integral();
}

}  // namespace gradus
