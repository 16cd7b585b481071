// A fixed point of recordings: what each of them changes is none.
#include "src/specialise/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace gradus::specialise {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// What the sample has in all lanes.
Invariants candidates(const RecordedDesign& design, const StepSample& sample,
                      const InvariantPlaces& places) {
  const std::size_t lanes = index(design.lanes());
  Invariants found(places.allowed.size());
  for (std::size_t p = 0; p < found.size(); ++p) {
    const auto begin = sample.before.begin() + static_cast<std::ptrdiff_t>(p * lanes);
    const bool is_one = std::all_of(begin, begin + static_cast<std::ptrdiff_t>(lanes),
                                    [&](double number) { return number == *begin; });
    if (places.allowed[p] != 0 && is_one && std::isfinite(*begin)) found[p] = *begin;
  }
  return found;
}

struct Trial {
  bool is_recorded = false;
  bool changes_some = false;
  std::vector<char> is_written;
};

Trial try_on(RecordedDesign& design, const StepSample& sample, Invariants& invariants) {
  std::deque<Graph> graphs;
  Trial trial;
  trial.is_written.resize(design.places());
  const Invariants assumed = invariants;
  trial.is_recorded = design.record(
      sample, {assumed, {}}, [&]() -> Graph& { return graphs.emplace_back(); },
      [&](const Recording&, const std::vector<int>& before, const std::vector<int>& after, int) {
        for (std::size_t p = 0; p < before.size(); ++p)
          if (before[p] != after[p]) trial.is_written[p] = 1;
        if (take_away_changed(invariants, before, after)) trial.changes_some = true;
      });
  return trial;
}

}  // namespace

void keep_whole_rows(const std::vector<Span>& rows, Invariants& invariants) {
  for (const Span& row : rows) {
    const auto begin = invariants.begin() + row.begin;
    const auto end = begin + row.count;
    if (std::any_of(begin, end, [&](const auto& number) { return number != *begin; }))
      std::fill(begin, end, std::nullopt);
  }
}

bool take_away_missing(Invariants& invariants, const std::vector<int>& places,
                       const std::vector<double>& memory, int lanes) {
  bool found = false;
  for (const int place : places) {
    std::optional<double>& number = invariants[index(place)];
    for (int k = 0; k < lanes && number; ++k)
      if (memory[index(place * lanes + k)] != *number) {
        number.reset();
        found = true;
      }
  }
  return found;
}

bool take_away_changed(Invariants& invariants, const std::vector<int>& before,
                       const std::vector<int>& after) {
  bool found = false;
  for (std::size_t p = 0; p < invariants.size(); ++p)
    if (invariants[p] && before[p] != after[p]) {
      invariants[p].reset();
      found = true;
    }
  return found;
}

InvariantPlaces invariant_places(const RecordedDesign& design) {
  InvariantPlaces places{std::vector<char>(design.places(), 0), {}};
  std::fill_n(places.allowed.begin(), design.layout().size, 1);
  for (const Span& span :
       numbers_that_are_no_invariants(design.layout(), design.plan(), design.company()))
    std::fill_n(places.allowed.begin() + span.begin, span.count, 0);
  if (!design.has_loops()) return places;
  const int columns = design.plan().column_count;
  for (const Span& span : arrays_of_columns(design.layout(), design.plan()))
    for (int begin = span.begin; begin < span.begin + span.count; begin += columns)
      places.rows.push_back({begin, columns});
  return places;
}

Invariants find_invariants(RecordedDesign& design, const StepSample& sample) {
  const InvariantPlaces places = invariant_places(design);
  Invariants invariants(places.allowed.size());
  const std::vector<char> is_written = try_on(design, sample, invariants).is_written;
  invariants = candidates(design, sample, places);
  // Numbers that nobody writes are those of this design, unless they are zero.
  for (std::size_t p = 0; p < invariants.size(); ++p)
    if (is_written[p] == 0 && invariants[p] != 0.0) invariants[p].reset();
  for (;;) {
    keep_whole_rows(places.rows, invariants);
    const Trial trial = try_on(design, sample, invariants);
    if (!trial.is_recorded) return {};
    if (!trial.changes_some) return invariants;
  }
}

}  // namespace gradus::specialise
