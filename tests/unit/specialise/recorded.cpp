// Formulas recorded at one point and played back at another.
#include "src/specialise/recorded.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "kernels/math/pack.hpp"
#include "kernels/math/small_solve.hpp"
#include "src/specialise/program.hpp"

// Outside the namespace of recordings, whose functions would hide those of plain numbers.
namespace gradus {
namespace {

using specialise::NodeKind;
using specialise::OperationCount;
using specialise::Program;
using specialise::Recorded;
using specialise::Recording;
using specialise::RecordingScope;
using specialise::Stretch;

using Numbers = std::vector<double>;

// Records a body that works on an array of numbers.
template <class Body>
bool add_recording(Program& program, const Numbers& sample, const Body& body) {
  Recording recording(program.graph());
  const RecordingScope scope(recording);
  std::vector<Recorded> memory(sample.size());
  std::vector<int> before, after;
  for (std::size_t p = 0; p < sample.size(); ++p) {
    before.push_back(recording.graph.memory(static_cast<int>(p)));
    memory[p] = {before[p], specialise::in_all_lanes(sample[p])};
  }
  body(memory.data());
  for (const Recorded& number : memory) after.push_back(number.node);
  return program.add(recording, before, after);
}

template <class Body>
Program record(const Numbers& sample, const Body& body) {
  Program program;
  EXPECT_TRUE(add_recording(program, sample, body));
  return program;
}

// Whether the program knows the way there; if so, it must do what the body does.
template <class Body>
bool plays(const Program& program, const Numbers& at, const Body& body) {
  Numbers played = at, values;
  if (program.run(played.data(), 0.0, values) < 0) {
    EXPECT_EQ(played, at);
    return false;
  }
  Numbers wanted = at;
  body(wanted.data());
  EXPECT_EQ(played, wanted);
  return true;
}

TEST(Recorded, ArithmeticAndFunctions) {
  const auto body = [](auto* x) {
    using namespace kernels;
    x[2] = (x[0] + x[1]) * x[0] - x[1] / x[0];
    x[3] = sqrt(absolute(x[0])) + exp(x[1]) * tanh(x[0]) - floor(x[1] * 3.0);
    x[4] = atan2(x[0], x[1]) + pow(x[0] * x[0], x[1]) - sin(x[1]) * cos(x[0]);
    const auto turn = sine_cosine(x[0]);
    x[5] = turn.sine / turn.cosine;
    x[0] += 1.0;
    x[1] *= -x[2];
  };
  const Program program = record({0.4, 1.3, 0, 0, 0, 0}, body);
  EXPECT_TRUE(plays(program, {0.4, 1.3, 0, 0, 0, 0}, body));
  EXPECT_TRUE(plays(program, {-2.7, 0.6, 9, 9, 9, 9}, body));
  EXPECT_FALSE(plays(program, {2e6, 0.6, 9, 9, 9, 9}, body));  // turned too far
}

TEST(Recorded, NumbersThatChangePlaces) {
  const auto body = [](auto* x) {
    const auto kept = x[0];
    x[0] = x[1];
    x[1] = kept;
    x[2] = x[2] + 0.0;
  };
  const Program program = record({1, 2, 3}, body);
  EXPECT_TRUE(plays(program, {5, 6, 7}, body));
  EXPECT_EQ(program.stretches()[0].stores.size(), 2u);
}

TEST(Recorded, ChoicesOfData) {
  const auto body = [](auto* x) {
    using namespace kernels;
    using Real = std::decay_t<decltype(x[0])>;
    const auto smaller = x[0] < x[1];
    const auto middle = (x[0] >= Real(0)) && !(x[1] > Real(4)) && x[0] <= x[1];
    x[2] = select(smaller || x[0] == Real(3), x[0], x[1]);
    x[3] = select(middle, Real(1), select(is_finite(x[0] / x[1]), Real(2), Real(3)));
    x[4] = select(is_zero(x[1]), Real(5), x[1]);
  };
  const Program program = record({1, 2, 0, 0, 0}, body);
  EXPECT_TRUE(program.stretches()[0].guards.empty());
  for (const double a : {-1.0, 0.0, 1.0, 3.0, 5.0})
    for (const double b : {-2.0, 0.0, 1.0, 4.0, 6.0})
      EXPECT_TRUE(plays(program, {a, b, 9, 9, 9}, body));
}

// Where data decide which way to go, the recording holds for those that go the same way.
TEST(Recorded, BranchesAreTakenForGranted) {
  const auto body = [](auto* x) {
    using namespace kernels;
    using Real = std::decay_t<decltype(x[0])>;
    for (int k = 0; k < 9 && any(x[0] > Real(1)); ++k) x[0] *= Real(0.5);
    for_each_number(x[1], [&](int place, const auto&) { x[2 + place] = x[0]; });
  };
  const Program program = record({3, 1, 0, 0}, body);  // halved twice
  EXPECT_TRUE(plays(program, {2.5, 1, 0, 0}, body));
  EXPECT_FALSE(plays(program, {1.5, 1, 0, 0}, body));
  EXPECT_FALSE(plays(program, {5, 1, 0, 0}, body));
  EXPECT_FALSE(plays(program, {3, 0, 0, 0}, body));
  EXPECT_TRUE(plays(record({1.5, 0, 0, 0}, body), {1.5, 0, 0, 0}, body));
}

// Iterations that two recordings share are computed once, and what one goes on to do is added.
TEST(Recorded, PathsShareWhatTheyHaveInCommon) {
  const auto body = [](auto* x) {
    using namespace kernels;
    using Real = std::decay_t<decltype(x[0])>;
    for (int k = 0; k < 9 && any(x[0] > Real(1)); ++k) x[0] = sqrt(x[0]) * x[1];
    x[2] = x[0] / x[1];
  };
  Program program = record({3, 0.7, 0}, body);
  EXPECT_FALSE(plays(program, {20, 0.7, 0}, body));
  EXPECT_TRUE(add_recording(program, {20, 0.7, 0}, body));
  EXPECT_FALSE(plays(program, {0.5, 0.7, 0}, body));
  EXPECT_TRUE(add_recording(program, {0.5, 0.7, 0}, body));
  EXPECT_EQ(program.path_count(), 3u);
  for (const double x : {0.1, 0.9, 2.5, 3.0, 20.0, 18.0})
    EXPECT_TRUE(plays(program, {x, 0.7, 0}, body)) << x;
  EXPECT_FALSE(plays(program, {1e6, 0.9, 0}, body));
  std::size_t roots = 0;
  for (const Stretch& stretch : program.stretches())
    for (const int node : stretch.nodes)
      roots += program.graph().nodes()[static_cast<std::size_t>(node)].kind == NodeKind::sqrt;
  EXPECT_EQ(roots, program.count(1).divisions - 1);  // those of the longest path, each once
  EXPECT_LT(program.count(0).divisions, program.count(1).divisions);
}

// Parts behind a cut have none where nothing could be recorded there.
TEST(Recorded, ProgramsAreKeptWithAndWithoutWays) {
  const auto body = [](auto* x) { x[1] = x[0] < 1.0 ? x[0] * x[0] : x[0] / 3.0; };
  Program program;
  for (const int ways : {0, 1, 2}) {
    if (ways > 0) {
      EXPECT_TRUE(add_recording(program, {ways == 1 ? 0.5 : 2.0, 0}, [](Recorded* x) {
        x[1] = any(x[0] < Recorded(1.0)) ? x[0] * x[0] : x[0] / Recorded(3.0);
      }));
    }
    specialise::ByteWriter kept;
    program.write(kept);
    specialise::ByteReader reader(kept.bytes());
    Program read;
    read.read(reader);
    EXPECT_EQ(read.path_count(), static_cast<std::size_t>(ways));
    EXPECT_EQ(plays(read, {0.25, 0}, body), ways > 0);
    EXPECT_EQ(plays(read, {7, 0}, body), ways > 1);
  }
}

// What is not told by the memory cannot be played back.
TEST(Recorded, BodiesThatDependOnSomethingElseAreRefused) {
  double unseen = 1.0;
  const auto body = [&](auto* x) {
    using namespace kernels;
    using Real = std::decay_t<decltype(x[0])>;
    if (unseen >= 0.0 && any(x[unseen > 0.0 ? 0 : 1] > Real(1))) x[1] = x[0];
  };
  Program program = record({3, 0}, body);
  for (const double other : {-1.0, 0.0}) {
    unseen = other;
    EXPECT_FALSE(add_recording(program, {3, 0}, body)) << other;
  }
  EXPECT_EQ(program.path_count(), 1u);
}

TEST(Recorded, LinearSystemsKeepTheirPivots) {
  constexpr int n = 3;
  const auto body = [](auto* x) {
    using Real = std::decay_t<decltype(x[0])>;
    const kernels::View<Real, false> a(x), pivot(x + n * n), b(x + n * n + n);
    kernels::factorise(a, pivot, n);
    kernels::solve_factorised(a, pivot, n, b, 1);
  };
  const Numbers sample{1, 2, 3, 4, 5, 7, 2, 9, 1, 0, 0, 0, 1, 2, 3};
  const Program program = record(sample, body);
  EXPECT_TRUE(plays(program, sample, body));
  EXPECT_TRUE(plays(program, {1.1, 2, 3, 4.2, 5, 7, 2, 9.3, 1, 0, 0, 0, 3, -2, 3}, body));
  EXPECT_FALSE(plays(program, {8, 2, 3, 4, 5, 7, 2, 9, 1, 0, 0, 0, 1, 2, 3}, body));
}

TEST(Recorded, WhatNothingAsksForIsGone) {
  const auto body = [](auto* x) {
    const auto unused = x[0] / x[1];
    (void)unused;
    x[2] = x[0] * x[1] + x[0] * x[1];
  };
  const Program program = record({1, 2, 0}, body);
  const OperationCount count = program.count(0);
  EXPECT_EQ(count.divisions, 0u);
  EXPECT_EQ(count.multiplications, 1u);
  EXPECT_EQ(count.additions, 1u);
  EXPECT_EQ(count.loads, 2u);
  EXPECT_EQ(count.stores, 1u);
}

TEST(Recorded, StoresThatNothingReadsMayBeLeftOut) {
  const auto body = [](auto* x) {
    x[1] = x[0] / x[0];
    x[2] = x[0] + x[0];
  };
  Program program = record({2, 0, 0}, body);
  const auto is_read = [](int, int place) { return place == 2; };
  EXPECT_FALSE(program.keep_stores(is_read));
  EXPECT_TRUE(program.keep_stores(is_read));
  Numbers memory{3, 7, 7}, values;
  EXPECT_EQ(program.run(memory.data(), 0.0, values), 0);
  EXPECT_EQ(memory, (Numbers{3, 7, 6}));
  EXPECT_EQ(program.count(0).divisions, 0u);
  EXPECT_FALSE(program.keep_stores([](int, int) { return true; }));
  EXPECT_EQ(program.run(memory.data(), 0.0, values), 0);
  EXPECT_EQ(memory, (Numbers{3, 1, 6}));
}

// Two lanes: what some of them ask for all of them do, and what lanes do at places of their own is
// done at all of these. [place, lane]
TEST(Recorded, LanesTogether) {
  using Lanes = kernels::Pack<2>;
  const auto body = [](auto* x) {
    using namespace kernels;
    using Real = std::decay_t<decltype(x[0])>;
    for (int k = 0; k < 9 && any(x[0] > Real(1)); ++k)
      x[0] = select(x[0] > Real(1), x[0] * Real(0.5), x[0]);
    for_each_number(x[1], [&](int place, const auto& where) {
      x[2 + place] = select(where, x[0], x[2 + place]);
    });
  };
  const auto plays_in_lanes = [&](const Program& program, const Numbers& at) {
    Numbers played = at, values;
    if (program.run(played.data(), 0.0, values, 2) < 0) {
      EXPECT_EQ(played, at);
      return false;
    }
    std::vector<Lanes> wanted(at.size() / 2);
    for (std::size_t i = 0; i < at.size(); ++i) wanted[i / 2].v[i % 2] = at[i];
    body(wanted.data());
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_EQ(played[i], wanted[i / 2].v[i % 2]) << i;
    return true;
  };
  const Numbers sample{3, 1.5, 0, 2, 7, 7, 7, 7, 7, 7};  // halved twice and once
  Program program;
  Recording recording(program.graph());
  recording.lanes = 2;
  const RecordingScope scope(recording);
  std::vector<Recorded> memory(sample.size() / 2);
  std::vector<int> before, after;
  for (std::size_t p = 0; p < memory.size(); ++p) {
    before.push_back(recording.graph.memory(static_cast<int>(p)));
    memory[p] = {before[p], {{sample[2 * p], sample[2 * p + 1]}}};
  }
  body(memory.data());
  for (const Recorded& number : memory) after.push_back(number.node);
  EXPECT_TRUE(program.add(recording, before, after));

  EXPECT_TRUE(plays_in_lanes(program, sample));
  EXPECT_TRUE(plays_in_lanes(program, {0.1, 2.5, 0, 2, 7, 7, 7, 7, 7, 7}));
  EXPECT_TRUE(plays_in_lanes(program, {2.5, 3.5, 2, 2, 7, 7, 7, 7, 7, 7}));   // one place of both
  EXPECT_FALSE(plays_in_lanes(program, {0.1, 1.5, 0, 2, 7, 7, 7, 7, 7, 7}));  // no lane twice
  EXPECT_FALSE(plays_in_lanes(program, {0.1, 5, 0, 2, 7, 7, 7, 7, 7, 7}));    // one three times
  EXPECT_FALSE(plays_in_lanes(program, {3, 1.5, 0, 1, 7, 7, 7, 7, 7, 7}));    // another place
}

TEST(Recorded, TheInstantIsNoConstant) {
  Program program;
  Recording recording(program.graph());
  const RecordingScope scope(recording);
  recording.mark_of_time = 0.123456789;
  recording.time = 0.5;
  const Recorded x(0.123456789);
  EXPECT_EQ(x.value.lane[0], 0.5);
  const Recorded y = x * Recorded(2.0);
  EXPECT_TRUE(program.add(recording, {recording.graph.memory(0)}, {y.node}));
  Numbers memory{0.0}, values;
  EXPECT_EQ(program.run(memory.data(), 3.0, values), 0);
  EXPECT_EQ(memory[0], 6.0);
}

}  // namespace
}  // namespace gradus
