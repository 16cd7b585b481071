// Windows on splines of time.
#include "src/motion/windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/stages/watch_splines.hpp"

namespace gradus {
namespace {

Window window_at(const kernels::SplineView& s, const Piece& piece) {
  const int q = static_cast<int>(piece.polynomial);
  Window window;
  window.period = piece.shift;
  window.begin = kernels::spline_base(s, q);
  window.left = window.right = std::max(q - 1, 0);
  window.is_held = kernels::is_held(s, q);
  if (q == 0 || q == s.knots) return window;
  window.right = q;
  window.width = s.knot[q] - s.knot[q - 1];
  window.bends = s.kind != kernels::SplineKind::linear;
  int exponent = 0;
  std::frexp(window.width, &exponent);
  window.unit = std::ldexp(1.0, exponent);
  return window;
}

}  // namespace

bool are_same(const std::vector<Piece>& a, const std::vector<Piece>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Piece& x, const Piece& y) {
    return x.polynomial == y.polynomial && x.shift == y.shift;
  });
}

std::array<double, kPieceNumbers> Window::numbers(double left_value, double left_slope,
                                                  double right_value, double right_slope) const {
  double c[4] = {left_value, is_held ? 0.0 : left_slope, 0.0, 0.0};
  if (bends) {
    const double secant = (right_value - c[0]) / width;
    c[2] = (3.0 * secant - 2.0 * c[1] - right_slope) / width;
    c[3] = (c[1] + right_slope - 2.0 * secant) / (width * width);
  }
  c[1] *= unit;
  c[2] *= unit * unit;
  c[3] *= unit * unit * unit;
  return {c[0], c[1], c[0] + c[1] + c[2] + c[3], c[1] + 2.0 * c[2] + 3.0 * c[3]};
}

std::vector<Piece> Courses::pieces_at(double time) const {
  std::vector<Piece> pieces;
  for (const Superposition::Course& course : s_.courses)
    pieces.push_back(kernels::spline_place(view(course), time));
  return pieces;
}

Span Courses::span_of(const std::vector<Piece>& pieces) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  Span span{-never, never};
  for (std::size_t c = 0; c < pieces.size(); ++c) {
    const kernels::SplineView s = view(s_.courses[c]);
    const int q = static_cast<int>(pieces[c].polynomial);
    if (q == 0 || q == s.knots) return {};
    const double rounding =
        1e-9 * (s.knot[q] - s.knot[q - 1]) + 1e-15 * std::abs(pieces[c].shift + s.knot[q]);
    span.begin = std::max(span.begin, pieces[c].shift + s.knot[q - 1] + rounding);
    span.end = std::min(span.end, pieces[c].shift + s.knot[q] - rounding);
  }
  return span;
}

Window Courses::window(std::size_t course, const Piece& piece) const {
  return window_at(view(s_.courses[course]), piece);
}

std::array<double, 4> Courses::polynomial(std::size_t course, const Piece& piece, int lane) const {
  const kernels::SplineEntry& spline = entry(s_.courses[course]);
  const int q = static_cast<int>(piece.polynomial);
  const double unit = window(course, piece).unit;
  std::array<double, 4> c{};
  double power = 1.0;
  for (int j = 0; j < (kernels::is_held(view(s_.courses[course]), q) ? 1 : 4); ++j) {
    c[static_cast<std::size_t>(j)] =
        power * whole_.entry(layout_.polynomial + spline.polynomial + 4 * q + j, lane);
    power *= unit;
  }
  return c;
}

std::array<double, kPieceNumbers> Courses::change(const Superposition::Share& share,
                                                  const Window& window, int lane) const {
  const auto of = [&](int knot, int level) {
    const int at = knot - share.entry.first;
    if (at < 0 || at >= share.entry.count) return 0.0;
    return whole_.entry(layout_.direction + share.entry.direction + level * share.entry.count + at,
                        lane);
  };
  return window.numbers(of(window.left, 0), of(window.left, 1), of(window.right, 0),
                        of(window.right, 1));
}

double Courses::beyond(std::size_t course, double time) const {
  const kernels::SplineView s = view(s_.courses[course]);
  if (!kernels::extrapolates(s.ends)) return 0.0;
  const double first = s.knot[0], last = s.knot[s.knots - 1];
  const double beyond = std::max(first - time, time - last);
  return beyond > kernels::kKnotTolerance * (last - first) ? beyond : 0.0;
}

// An element has values, then slopes; numbers() is linear in what is at the knots.
void Courses::add_worth(std::size_t course, const Window& window, int objective, int lane,
                        const std::array<double, kPieceNumbers>& worth) {
  const auto worth_of = [&](const std::array<double, kPieceNumbers>& numbers) {
    return worth[0] * numbers[0] + worth[2] * numbers[1] + worth[1] * numbers[2] +
           worth[3] * numbers[3];
  };
  const kernels::SplineEntry& spline = entry(s_.courses[course]);
  const kernels::PlanView plan = s_.of->view();
  const int element = layout_.element.gradient + objective * plan.element_size +
                      plan.elements[spline.element].place;
  const auto add = [&](int knot, int level, const std::array<double, kPieceNumbers>& numbers) {
    whole_.entry(element + level * spline.knots + knot, lane) += worth_of(numbers);
  };
  add(window.left, 0, window.numbers(1.0, 0.0, 0.0, 0.0));
  add(window.left, 1, window.numbers(0.0, 1.0, 0.0, 0.0));
  if (window.right == window.left) return;
  add(window.right, 0, window.numbers(0.0, 0.0, 1.0, 0.0));
  add(window.right, 1, window.numbers(0.0, 0.0, 0.0, 1.0));
}

// Windows come when the numbers are prepared; until then there is nothing to look through.
Windows::Windows(HostChunk<double>& chunk, Courses& courses, const Superposition& superposition,
                 const kernels::Layout& layout)
    : chunk_(chunk), courses_(courses), s_(superposition), layout_(layout) {
  for (std::size_t p = 0; p < s_.plan.nominal.size(); ++p)
    for (int lane = 0; lane < chunk_.lanes(); ++lane)
      chunk_.entry(layout_.parameter + static_cast<int>(p), lane) =
          p < s_.own.size() ? courses_.parameter(s_.own[p], lane) : s_.plan.nominal[p];
}

const std::vector<Piece>& Windows::pieces_at(double time) {
  if (span_.begin < time && time < span_.end) return found_;
  for (std::size_t c = 0; c < s_.courses.size(); ++c) {
    const double beyond = courses_.beyond(c, time);
    if (!(beyond > 0.0)) continue;
    const int place = layout_.extrapolation + 2 * s_.courses[c].spline;
    for (int lane = 0; lane < chunk_.lanes(); ++lane) {
      if (chunk_.fails(lane) || !(beyond > chunk_.entry(place, lane))) continue;
      if (chunk_.entry(place, lane) == 0.0) chunk_.entry(place + 1, lane) = time;
      chunk_.entry(place, lane) = beyond;
    }
  }
  found_ = courses_.pieces_at(time);
  span_ = courses_.span_of(found_);
  return found_;
}

void Windows::begin(double time) {
  for (int lane = 0; lane < chunk_.lanes(); ++lane)
    if (courses_.fails(lane)) chunk_.fail(lane, courses_.status(lane), 0.0);
  show(pieces_at(time));
}

void Windows::show(std::vector<Piece> pieces) {
  pieces_ = std::move(pieces);
  for (std::size_t c = 0; c < s_.courses.size(); ++c) {
    const kernels::SplineEntry& spline =
        s_.plan.splines[static_cast<std::size_t>(s_.courses[c].spline)];
    const Window window = courses_.window(c, pieces_[c]);
    for (int lane = 0; lane < chunk_.lanes(); ++lane) {
      const int slot = layout_.slot + spline.window;
      chunk_.entry(slot, lane) = window.period;
      chunk_.entry(slot + 1, lane) = window.begin;
      chunk_.entry(slot + 2, lane) = 1.0 / window.unit;
      const std::array<double, 4> polynomial = courses_.polynomial(c, pieces_[c], lane);
      for (int j = 0; j < 4; ++j)  // that between the knots
        chunk_.entry(layout_.polynomial + spline.polynomial + 4 + j, lane) =
            polynomial[static_cast<std::size_t>(j)];
    }
  }
}

MotionRequest through_windows(const MotionRequest& request) {
  MotionRequest windowed = request;
  windowed.plan = &request.superposition->plan;
  return windowed;
}

Wholes::Wholes(const MotionRequest& request, int columns, int threads)
    : request_(request),
      setup_(request_, request_.sensitivity, columns),
      columns_(columns),
      packs_(static_cast<std::size_t>(threads)) {}

void Wholes::take(const MotionRequest& run, const Vehicle& vehicle) {
  request_.parameters.assign(run.parameters.begin(), run.parameters.end());
  request_.n_design = run.n_design;
  const Vehicle before = std::exchange(vehicle_, vehicle);
  if (vehicle_.launch != before.launch)
    for (auto& pack : packs_) pack.reset();
}

Windows& Wholes::windows(std::size_t thread, std::size_t first, std::size_t count,
                         HostChunk<double>& chunk, const kernels::Layout& layout) {
  auto& pack = packs_[thread];
  if (!pack) pack = std::make_unique<Pack>(request_, setup_, vehicle_);
  set_designs(pack->chunk, request_, setup_.layout, first, count);
  pack->chunk.see_columns(0, columns_);
  pack->chunk.launch(kernels::KernelId::prepare_numbers, Instant{}, no_stage());
  return pack->windows.emplace(chunk, pack->courses, *request_.superposition, layout);
}

}  // namespace gradus
