// Kinds of mechanisms whose constraints contradict each other, repeat each other, or lose rank.
#include "tests/verification/tied_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace gradus::test {
namespace {

std::string text(double number) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "(%.17g)", number);
  return digits;
}

double decade(Linkage& linkage, double low, double high) {
  return std::pow(10.0, linkage.draw(low, high));
}

// Angles of rod and rocker of a four-bar, both absolute, when its crank stands at an angle.
std::array<double, 2> four_bar(double ground, double crank, double rod, double rocker, double angle,
                               double side) {
  const double x = crank * std::cos(angle) - ground, y = crank * std::sin(angle);
  const double gap = std::hypot(x, y);
  const double cosine = (rocker * rocker + gap * gap - rod * rod) / (2.0 * rocker * gap);
  const double swing = std::atan2(y, x) + side * std::acos(std::clamp(cosine, -1.0, 1.0));
  return {std::atan2(rocker * std::sin(swing) - y, rocker * std::cos(swing) - x), swing};
}

// A crank that turns from `angle` at `rate`, driven or free, and the rest of a four-bar.
void add_four_bar(Linkage& linkage, double ground, double crank, double rod, double rocker,
                  double angle, double side, double rate, bool driven) {
  const auto [slope, swing] = four_bar(ground, crank, rod, rocker, angle, side);
  linkage.add_ground("A", 0, 0);
  linkage.add_ground("B", ground, 0);
  linkage.add_bar("crank", "ground.A", crank, angle, driven, rate);
  linkage.add_bar("rod", "crank.tip", rod, slope - angle, true);
  linkage.add_bar("rocker", "ground.B", rocker, swing, true);
  linkage.pin("pin", "rod.tip", "rocker.tip");
  if (driven)
    linkage.drive("driver", "hcrank", text(angle) + " + " + text(rate) + "*t",
                  [=](double t) { return angle + rate * t; });
}

TiedModel flat_parallelogram(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 1.0), rod = size * linkage.draw(0.5, 2.0);
  const bool driven = linkage.toss();
  const double angle = linkage.toss() ? 0.0 : M_PI;
  add_four_bar(linkage, rod, crank, rod, crank, angle, angle > 0.0 ? -1.0 : 1.0,
               linkage.toss() ? linkage.draw(-2.0, 2.0) : 0.0, driven);
  return linkage.finish(Demand::honesty, !driven);
}

TiedModel passing_parallelogram(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 1.0), rod = size * linkage.draw(1.1, 2.0);
  const bool driven = linkage.toss();
  const double angle = linkage.draw(0.2, 1.2);
  const double side = linkage.toss() ? 1.0 : -1.0;
  add_four_bar(linkage, rod, crank, rod, crank, angle, side, -linkage.draw(3.0, 8.0), driven);
  return linkage.finish(Demand::honesty, !driven);
}

// With a third crank, parallel and of the same length: it could be left out.
TiedModel three_cranks(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 1.0), rod = size * linkage.draw(0.8, 2.0);
  const bool driven = linkage.toss();
  const double angle = linkage.draw(1.2, 1.9);
  add_four_bar(linkage, rod, crank, rod, crank, angle, -1.0, linkage.draw(-0.5, 0.5), driven);
  linkage.add_ground("C", 0.5 * rod, 0);
  linkage.add_bar("third", "ground.C", crank, angle, true);
  linkage.pin("link", "rod.middle", "third.tip");
  if (!driven) linkage.shorten(0.15);  // it swings through no singular configuration by then
  return linkage.finish(Demand::runs, !driven);
}

// The third crank has another length: all three are parallel at the start only.
TiedModel unequal_cranks(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 1.0), rod = size * linkage.draw(0.8, 2.0);
  const bool driven = linkage.toss();
  const double angle = linkage.draw(1.2, 1.9);
  const double other = crank * (1.0 + (linkage.toss() ? 1.0 : -1.0) * decade(linkage, -5.0, -0.5));
  add_four_bar(linkage, rod, crank, rod, crank, angle, -1.0, linkage.draw(0.1, 1.0), driven);
  linkage.add_ground("C", 0.5 * rod + (crank - other) * std::cos(angle),
                     (crank - other) * std::sin(angle));
  linkage.add_bar("third", "ground.C", other, angle, true);
  linkage.pin("link", "rod.middle", "third.tip");
  return linkage.finish(Demand::honesty, !driven);
}

TiedModel folding_slider_crank(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 1.0);
  const bool starts_there = linkage.choose(3) == 0;
  const double angle = starts_there ? 0.5 * M_PI : linkage.draw(0.5, 1.2);
  const double rate = linkage.draw(2.0, 6.0);
  const bool driven = linkage.toss();
  linkage.add_ground("A", 0, 0);
  linkage.add_bar("crank", "ground.A", crank, angle, driven, rate);
  linkage.add_bar("rod", "crank.tip", crank, -2.0 * angle, true);
  const std::string tip = linkage.watch_point("rod.tip");
  linkage.demand("rail", tip + ".y",
                 [=](const Instant& instant) { return instant.vector(tip)[1] / size; });
  if (driven)
    linkage.drive("driver", "hcrank", text(angle) + " + " + text(rate) + "*t",
                  [=](double t) { return angle + rate * t; });
  return linkage.finish(Demand::honesty, !driven);
}

// Shortest and longest bar together are as long as the other two.
TiedModel change_point(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 0.6), rocker = size * linkage.draw(0.7, 1.0);
  const double ground = size * linkage.draw(0.7, 1.2);
  const double rod = ground + rocker - crank;
  const bool driven = linkage.toss();
  const double angle = linkage.draw(0.3, 2.8);
  const double rate = (linkage.toss() ? 1.0 : -1.0) * linkage.draw(3.0, 9.0);
  add_four_bar(linkage, ground, crank, rod, rocker, angle, linkage.toss() ? 1.0 : -1.0, rate,
               driven);
  return linkage.finish(Demand::honesty, !driven);
}

TiedModel nearly_parallelogram(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 1.0), rod = size * linkage.draw(1.1, 2.0);
  const double other = crank * (1.0 - decade(linkage, -12.0, -2.0));
  const bool driven = linkage.toss();
  add_four_bar(linkage, rod, other, rod, crank, linkage.draw(0.2, 1.2), linkage.toss() ? 1.0 : -1.0,
               -linkage.draw(3.0, 8.0), driven);
  return linkage.finish(Demand::honesty, !driven);
}

TiedModel kite(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 0.6), rod = size * linkage.draw(0.8, 1.2);
  const bool driven = linkage.toss();
  add_four_bar(linkage, crank, crank, rod, rod, linkage.draw(0.3, 1.0), -1.0,
               -linkage.draw(2.0, 5.0), driven);
  return linkage.finish(Demand::honesty, !driven);
}

// A chain of bars from the origin, the first of them free to turn.
void add_chain(Linkage& linkage, int bars, double size) {
  std::string at = "ground";
  for (int k = 0; k < bars; ++k) {
    const std::string name = "bar" + std::to_string(k);
    linkage.add_bar(name, at, size * linkage.draw(0.5, 1.0), linkage.draw(-1.0, 1.0), true);
    at = name + ".tip";
  }
}

// What grows from an instant on, c (t - t0)^k, as text and as a number.
struct Growth {
  std::string law;
  std::function<double(double)> value;
};

Growth draw_growth(Linkage& linkage, double least, double most) {
  const double begins = linkage.toss() ? 0.0 : linkage.draw(0.05, 0.3);
  const double factor = (linkage.toss() ? 1.0 : -1.0) * decade(linkage, least, most);
  const int power = 1 + linkage.choose(3);
  return {text(factor) + "*max(t - " + text(begins) + ", 0)^" + std::to_string(power),
          [=](double t) { return factor * std::pow(std::max(t - begins, 0.0), power); }};
}

TiedModel parting_drivers(Linkage& linkage, double size) {
  add_chain(linkage, 1 + linkage.choose(3), size);
  const double rate = linkage.draw(-3.0, 3.0), angle = linkage.draw(-1.0, 1.0);
  const std::string law = text(angle) + " + " + text(rate) + "*t";
  const Growth growth = draw_growth(linkage, -8.0, 1.0);
  const std::string turn = linkage.watch_turn("hbar0");
  const auto apart = [=](const Instant& instant) {
    return instant.number(turn) - angle - rate * instant.time();
  };
  // Stated on scales of their own.
  const double scale = linkage.toss() ? 1.0 : decade(linkage, -5.0, 4.0);
  linkage.demand("one", turn + " - (" + law + ")", apart);
  linkage.demand("two", text(scale) + "*(" + turn + " - (" + law + ") - " + growth.law + ")",
                 [=](const Instant& i) { return apart(i) - growth.value(i.time()); });
  return linkage.finish(Demand::honesty, false);
}

TiedModel parting_distances(Linkage& linkage, double size) {
  add_chain(linkage, 2, size);
  const double length = size * linkage.draw(0.6, 0.9);
  linkage.keep_distance("first", "ground", "bar1.tip", text(length),
                        [=](double) { return length; });
  const Growth growth = draw_growth(linkage, -8.0, 0.0);
  linkage.keep_distance("second", "ground", "bar1.tip",
                        text(length) + " + " + text(size) + "*" + growth.law,
                        [=](double t) { return length + size * growth.value(t); });
  return linkage.finish(Demand::honesty, false);
}

// A chain is pulled beyond its reach, or to it and back.
TiedModel beyond_reach(Linkage& linkage, double size) {
  add_chain(linkage, 2, size);
  const double rate = linkage.draw(1.0, 8.0);
  const std::string tip = linkage.watch_point("bar1.tip");
  const double start = linkage.draw(0.5, 0.9);
  switch (linkage.choose(3)) {
    case 0:
      linkage.keep_distance("rope", "ground", "bar1.tip",
                            text(size) + "*(" + text(start) + " + " + text(rate) + "*t)",
                            [=](double t) { return size * (start + rate * t); });
      break;
    case 1:
      linkage.demand(
          "pull", tip + ".x - " + text(size) + "*(" + text(start) + " + " + text(rate) + "*t)",
          [=](const Instant& i) { return i.vector(tip)[0] / size - start - rate * i.time(); });
      break;
    default:  // the root of what becomes negative
      linkage.demand(
          "root", tip + ".x/" + text(size) + " - sqrt(" + text(start) + " - " + text(rate) + "*t)",
          [=](const Instant& i) {
            return i.vector(tip)[0] / size - std::sqrt(start - rate * i.time());
          });
  }
  return linkage.finish(Demand::honesty, false);
}

// Equations whose gradient vanishes where they hold, always or at the start.
TiedModel vanishing_gradient(Linkage& linkage, double size) {
  const double length = size * linkage.draw(0.5, 1.0), rate = linkage.draw(0.5, 3.0);
  linkage.add_bar("bar0", "ground", length, 0.0, true);
  const std::string turn = linkage.watch_turn("hbar0");
  const std::string tip = linkage.watch_point("bar0.tip");
  switch (linkage.choose(4)) {
    case 0:
      linkage.demand("square", "(" + turn + " - " + text(rate) + "*t)^2", [=](const Instant& i) {
        return std::pow(i.number(turn) - rate * i.time(), 2);
      });
      break;
    case 1:
      linkage.demand(
          "cosine", "1 - cos(" + turn + " - " + text(rate) + "*t)",
          [=](const Instant& i) { return 1.0 - std::cos(i.number(turn) - rate * i.time()); });
      break;
    case 2:
      linkage.demand("reach", tip + ".x - " + text(length) + "*cos(" + text(rate) + "*t)",
                     [=](const Instant& i) {
                       return (i.vector(tip)[0] - length * std::cos(rate * i.time())) / size;
                     });
      break;
    default:
      linkage.keep_distance("approach", "ground", "bar0.tip", text(length),
                            [=](double) { return length; });
      linkage.demand(
          "product", turn + "*(" + turn + " - " + text(rate) + "*t)",
          [=](const Instant& i) { return i.number(turn) * (i.number(turn) - rate * i.time()); });
  }
  return linkage.finish(Demand::honesty, false);
}

// Everything is said twice.
TiedModel repeated_four_bar(Linkage& linkage, double size) {
  const double crank = size * linkage.draw(0.3, 0.5), rocker = size * linkage.draw(0.8, 1.0);
  const double ground = size * linkage.draw(0.9, 1.0), rod = size * linkage.draw(0.9, 1.0);
  const bool driven = linkage.toss();
  const double angle = linkage.draw(0.5, 2.0), rate = linkage.draw(-1.0, 1.0);
  add_four_bar(linkage, ground, crank, rod, rocker, angle, 1.0, rate, driven);
  linkage.pin("again", "rod.tip", "rocker.tip");
  if (linkage.toss()) linkage.pin("once more", "rocker.tip", "rod.tip");
  const std::string turn = linkage.watch_turn("hcrank");
  if (driven)
    linkage.demand("twice", "2*" + turn + " - 2*(" + text(angle) + " + " + text(rate) + "*t)",
                   [=](const Instant& i) { return i.number(turn) - angle - rate * i.time(); });
  return linkage.finish(Demand::runs, !driven);
}

// A chain hangs at both ends, by bars that are rods as well.
TiedModel repeated_chain(Linkage& linkage, double size) {
  const int bars = 2 + linkage.choose(3);
  std::string at = "ground";
  double x = 0.0, y = 0.0, slope = linkage.draw(-0.5, 0.0), last = 0.0;
  std::vector<double> lengths;
  for (int k = 0; k < bars; ++k) {
    const std::string name = "bar" + std::to_string(k);
    lengths.push_back(size * linkage.draw(0.5, 1.0));
    linkage.add_bar(name, at, lengths.back(), slope - last, k != 0);
    x += lengths.back() * std::cos(slope);
    y += lengths.back() * std::sin(slope);
    last = slope;
    slope += linkage.draw(0.3, 0.6);
    at = name + ".tip";
  }
  const double across = size * linkage.draw(0.3, 0.6), down = size * linkage.draw(0.3, 0.6);
  linkage.add_ground("E", x + across, y + down);
  const double rope = std::hypot(across, down);
  for (const char* name : {"rope", "copy"})
    linkage.keep_distance(name, "ground.E", at, text(rope), [=](double) { return rope; });
  const std::string tip = linkage.watch_point(at);
  linkage.demand("square",
                 "((" + tip + ".x - " + text(x + across) + ")^2 + (" + tip + ".y - " +
                     text(y + down) + ")^2 - " + text(rope * rope) + ")/" + text(size * size),
                 [](const Instant&) { return 0.0; });
  linkage.refine(0.0005);  // its end whips
  return linkage.finish(Demand::runs, true);
}

// A bar on two rails, which are parallel or nearly so.
TiedModel two_rails(Linkage& linkage, double size) {
  const bool parallel = linkage.toss();
  const double skew = parallel ? 0.0 : decade(linkage, -9.0, -0.5);
  const double slope = linkage.draw(-1.0, 1.0);
  const double length = size * linkage.draw(0.5, 1.0);
  linkage.add_bar("bar", "ground", length, slope, true);
  linkage.make_planar(slope);
  const double turned = linkage.draw(-1.0, 1.0);
  const std::string origin = linkage.watch_point("bar.origin");
  const std::string tip = linkage.watch_point("bar.tip");
  const double direction = slope + turned;
  for (const auto& [name, point, angle, x, y] :
       {std::tuple{"lower", origin, direction, 0.0, 0.0},
        std::tuple{"upper", tip, direction + skew, length * std::cos(slope),
                   length * std::sin(slope)},
        std::tuple{"lower again", origin, direction, 0.0, 0.0}}) {
    const double s = std::sin(angle), c = std::cos(angle);
    linkage.demand(name,
                   "(" + point + ".x - " + text(x) + ")*" + text(s) + " - (" + point + ".y - " +
                       text(y) + ")*" + text(c),
                   [=, point = point, x = x, y = y](const Instant& i) {
                     const auto r = i.vector(point);
                     return ((r[0] - x) * s - (r[1] - y) * c) / size;
                   });
  }
  linkage.refine(0.0005);
  return linkage.finish(parallel ? Demand::runs : Demand::honesty, true);
}

// A bar on a ball, tied to the ground by rods: one, said twice; or two that cross at its axis.
TiedModel ball(Linkage& linkage, double size) {
  const bool said_twice = linkage.toss();
  const double length = size * linkage.draw(0.5, 1.0);
  linkage.add_bar("bar", "ground", length, 0.0, true);
  linkage.make_ball();
  const std::array<double, 3> anchor{size * linkage.draw(0.3, 1.0), size * linkage.draw(0.3, 1.0),
                                     size * linkage.draw(0.3, 1.0)};
  linkage.add_ground("P", anchor[0], anchor[1], anchor[2]);
  linkage.add_ground("Q", length * 1.7, 0.0, 0.0);
  const double rod = std::hypot(anchor[0] - length, anchor[1], anchor[2]);
  linkage.keep_distance("rod", "ground.P", "bar.tip", text(rod), [=](double) { return rod; });
  if (said_twice)
    linkage.keep_distance("copy", "ground.P", "bar.tip", text(rod), [=](double) { return rod; });
  else
    linkage.keep_distance("other", "ground.Q", "bar.tip", text(0.7 * length),
                          [=](double) { return 0.7 * length; });
  return linkage.finish(said_twice ? Demand::runs : Demand::honesty, true);
}

using Kind = TiedModel (*)(Linkage&, double);

struct NamedKind {
  const char* name;
  Kind draw;
};

constexpr std::array kKinds{
    NamedKind{"flat parallelogram", flat_parallelogram},
    NamedKind{"passing parallelogram", passing_parallelogram},
    NamedKind{"three cranks", three_cranks},
    NamedKind{"unequal cranks", unequal_cranks},
    NamedKind{"folding slider-crank", folding_slider_crank},
    NamedKind{"change point", change_point},
    NamedKind{"nearly parallelogram", nearly_parallelogram},
    NamedKind{"kite", kite},
    NamedKind{"parting drivers", parting_drivers},
    NamedKind{"parting distances", parting_distances},
    NamedKind{"beyond reach", beyond_reach},
    NamedKind{"vanishing gradient", vanishing_gradient},
    NamedKind{"repeated four-bar", repeated_four_bar},
    NamedKind{"repeated chain", repeated_chain},
    NamedKind{"two rails", two_rails},
    NamedKind{"ball", ball},
};

}  // namespace

TiedModel draw_tied_model(std::size_t number) {
  std::mt19937_64 generator(1000 + number);
  const NamedKind& kind = kKinds[number % kKinds.size()];
  Linkage linkage(kind.name, generator);
  const double size = linkage.choose(3) > 0 ? 1.0 : decade(linkage, -3.0, 2.0);
  linkage.set_size(size);
  return kind.draw(linkage, size);
}

std::size_t tied_kinds() {
  return kKinds.size();
}

}  // namespace gradus::test
