// Steps of the designs of a pack, each of a length that its own error decides. Whatever is the same
// in all lanes is done for all of them at once: the stages of an attempt, and what follows where
// all accept theirs. What is decided for each is decided as for a design alone, by the same code.
#pragma once

#include "kernels/integrators/adaptive_step.hpp"

GRADUS_KERNELS_BEGIN

// Lanes that have come to the end of the motion, or failed, go on by steps of no consequence, of so
// much of it.
constexpr double kWaitingStep = 1e-9;

// A pack takes as long for one lane as for all. So if no more than one in so many goes on for so
// many attempts, each goes on alone; but where programs evaluate, which only packs have.
constexpr int kFewLanes = 4;
constexpr int kFewAttempts = 16;

// Room for lane i, where it is set aside.
template <class D>
GRADUS_FUNCTION double* room_of(const D& d, int i) {
  return static_cast<double*>(d.aside) + std::ptrdiff_t{d.layout.size} * i;
}
template <class D>
GRADUS_FUNCTION void set_aside(const D& d, int i) {
  const LaneOf<D> one(d, i);
  for (int k = 0; k < d.layout.size; ++k) room_of(d, i)[k] = one.memory[k];
}
template <class D>
GRADUS_FUNCTION void put_back(const D& d, int i) {
  const LaneOf<D> one(d, i);
  for (int k = 0; k < d.layout.size; ++k) one.memory[k] = room_of(d, i)[k];
}

// One attempt of the lanes that go. One that fails on the way leaves the pack: others go on to the
// end of the attempt, but alone it would have stopped there. So does one that fails together with
// others where the attempt is taken.
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
  explicit_step(d, evaluation, h, end);
  const ClockOf<D> errors = step_error(d, h, columns_decide(d));
  const auto error = [&](int i) { return lane(errors, i); };
  bool all_take = true;
  for (int i = 0; i < D::kLanes; ++i) {
    verdict[i] = Verdict::failed;
    if (!goes[i]) continue;
    if (d.status[i] != Status::ok) {
      d.status[i] = Status::left_pack;
      continue;
    }
    const LaneOf<D> one(d, i);
    verdict[i] = judge_attempt(one, attempt[i], Status::ok, error(i));
    all_take = all_take && is_taken(verdict[i]);
  }
  if (all_take) take_attempt(d, evaluation, h, end);
  for (int i = 0; i < D::kLanes; ++i) {
    if (verdict[i] == Verdict::failed) continue;
    if (all_take && d.status[i] != Status::ok) {
      d.status[i] = Status::left_pack;
      continue;
    }
    const LaneOf<D> one(d, i);
    if (!all_take && is_taken(verdict[i]))
      take_attempt(one, evaluation, attempt[i].h, attempt[i].end);
    close_attempt(one, attempt[i].h, error(i), verdict[i]);
  }
}

// Steps until all lanes have come to time `goal` or beyond.
template <class D>
GRADUS_CALL void advance_lanes(const D& d, const Evaluation& evaluation, double goal) {
  bool goes[D::kLanes], waits[D::kLanes] = {};
  Status status[D::kLanes];  // of those that wait
  const auto time = [&](const auto& one) { return one.at(d.layout.integrator.time)[0]; };
  int few = 0;
  for (;;) {
    int going = 0;
    bool is_short = false;
    for (int i = 0; i < D::kLanes; ++i) {
      const LaneOf<D> one(d, i);
      goes[i] = !waits[i] && !one.failed() && time(one) < d.settings.duration;
      going += goes[i] ? 1 : 0;
      is_short = is_short || (goes[i] && time(one) < goal);
    }
    const bool has_programs = d.programs != nullptr && !d.has_failed_lane();
    few = !has_programs && kFewLanes * going <= D::kLanes ? few + 1 : 0;
    if (!is_short || few > kFewAttempts) break;
    for (int i = 0; i < D::kLanes; ++i) {
      if (goes[i] || waits[i]) continue;
      waits[i] = true;
      status[i] = d.status[i];
      set_aside(d, i);
    }
    adaptive_steps(d, evaluation, goes);
    for (int i = 0; i < D::kLanes; ++i)
      if (waits[i]) d.status[i] = status[i];
  }
  for (int i = 0; i < D::kLanes; ++i) {
    if (goes[i] && few > kFewAttempts) {
      set_aside(d, i);
      const Design<double, false> one(d, i, room_of(d, i));
      while (!one.failed() && time(one) < goal)
        adaptive_step(one, evaluation,
                      [&](double h, double end) { explicit_step(one, evaluation, h, end); });
    }
    if (waits[i] || (goes[i] && few > kFewAttempts)) put_back(d, i);
  }
}

GRADUS_KERNELS_END
