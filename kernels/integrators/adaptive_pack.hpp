// Steps of the designs of a pack, each of a length that its own error decides. Whatever is the same
// in all lanes is done for all of them at once: the stages of an attempt, and what follows where
// all accept theirs. What is decided for each is decided as for a design alone, by the same code.
#pragma once

#include "kernels/integrators/adaptive_step.hpp"

GRADUS_KERNELS_BEGIN

// Lanes that have come to the end of the motion go on by steps of no consequence, of so much of it.
constexpr double kWaitingStep = 1e-9;

// What a lane that waits has, which the others' steps write over.
template <class D>
GRADUS_FUNCTION void set_aside(const D& d, int i, bool back) {
  const LaneOf<D> one(d, i);
  double* const numbers = static_cast<double*>(d.aside) + std::ptrdiff_t{d.layout.size} * i;
  for (int k = 0; k < d.layout.size; ++k)
    if (back)
      one.memory[k] = numbers[k];
    else
      numbers[k] = one.memory[k];
}

// One attempt of the lanes that go. One that fails on the way stays failed: others go on to the end
// of the attempt, but alone it would have stopped there, so that it has to run alone.
template <class D>
GRADUS_CALL void adaptive_steps(const D& d, const Evaluation& evaluation, const bool* goes) {
  Attempt attempt[D::kLanes];
  Verdict verdict[D::kLanes];
  ClockOf<D> h, end;
  for (int i = 0; i < D::kLanes; ++i) {
    const double time = lane(value_of(d.at(d.layout.integrator.time)[0]), i);
    const double wait = kWaitingStep * d.settings.duration;
    attempt[i] = goes[i] ? next_attempt(LaneOf<D>(d, i)) : Attempt{time, wait, time + wait};
    set_lane(h, i, attempt[i].h);
    set_lane(end, i, attempt[i].end);
  }
  begin_integrals(d);
  attempt_step(d, evaluation, h, end);
  const ClockOf<D> errors = step_error(d, h, columns_decide(d));
  const auto error = [&](int i) { return lane(errors, i); };
  bool all_take = true;
  for (int i = 0; i < D::kLanes; ++i) {
    verdict[i] = Verdict::failed;
    if (!goes[i] || d.status[i] != Status::ok) continue;
    const LaneOf<D> one(d, i);
    verdict[i] = judge_attempt(one, attempt[i], Status::ok, error(i));
    all_take = all_take && verdict[i] != Verdict::rejected && verdict[i] != Verdict::divided;
  }
  if (all_take) take_attempt(d, evaluation, h, end);
  for (int i = 0; i < D::kLanes; ++i) {
    if (verdict[i] == Verdict::failed) continue;
    const LaneOf<D> one(d, i);
    if (!all_take && is_taken(verdict[i]))
      take_attempt(one, evaluation, attempt[i].h, attempt[i].end);
    close_attempt(one, attempt[i].h, error(i), verdict[i]);
  }
}

// Steps until all lanes have come to time `goal` or beyond.
template <class D>
GRADUS_CALL void advance_lanes(const D& d, const Evaluation& evaluation, double goal) {
  bool goes[D::kLanes];
  bool waits[D::kLanes] = {};
  const auto time = [&](int i) { return lane(value_of(d.at(d.layout.integrator.time)[0]), i); };
  for (;;) {
    bool is_short = false;
    for (int i = 0; i < D::kLanes; ++i)
      is_short = is_short || (d.status[i] == Status::ok && !waits[i] && time(i) < goal);
    if (!is_short) break;
    for (int i = 0; i < D::kLanes; ++i) {
      goes[i] = d.status[i] == Status::ok && !waits[i] && time(i) < d.settings.duration;
      if (goes[i] || waits[i] || d.status[i] != Status::ok) continue;
      waits[i] = true;
      set_aside(d, i, false);
    }
    adaptive_steps(d, evaluation, goes);
    for (int i = 0; i < D::kLanes; ++i)
      if (waits[i]) LaneOf<D>(d, i).forgive(true);
  }
  for (int i = 0; i < D::kLanes; ++i)
    if (waits[i]) set_aside(d, i, true);
}

GRADUS_KERNELS_END
