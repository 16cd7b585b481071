// Learning, translating and taking steps.
#include "src/specialise/step_programs.hpp"

#include <algorithm>
#include <string>

#include "src/specialise/invariants.hpp"

namespace gradus::specialise {
namespace {

constexpr int beginning = 0;              // the cut before a step
constexpr std::size_t most_parts = 1000;  // that a step goes through
constexpr int most_beginnings = 4;        // after which nothing is taken for an invariant

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// Signs of zeros may differ; what is not a number stays so.
bool is_same(double x, double y) {
  return x == y || (x != x && y != y);
}

}  // namespace

int StepPrograms::number_of(int cut) {
  const auto [found, is_new] = numbers_.emplace(cut, static_cast<int>(parts_.size()));
  if (is_new) parts_.push_back(std::make_unique<Part>());
  return found->second;
}

bool StepPrograms::learn(RecordedDesign& design, const StepSample& sample) {
  const auto is_known = [&] {
    played_ = sample.before;
    OperationCount done;
    if (!interpret(played_.data(), sample.time, design.lanes(), done)) return false;
    done_ += done;
    ++repeated_;
    return true;
  };
  began_anew_ = false;
  if (std::exchange(looks_for_invariants_, false)) invariants_ = find_invariants(design, sample);
  knew_last_ = is_known();
  while (!knew_last_) {
    const bool is_recorded = record(design, sample);
    if (changes_invariants_) {
      forget(design);
      continue;
    }
    if (!is_recorded) return false;
    // Lanes may part where a kernel has one way for all of them; pieces of splines are looked up by
    // the mark of the instant.
    if (!is_known()) return true;
    break;
  }
  const std::vector<double> after = design.copy();
  const auto lanes = index(design.lanes());
  for (std::size_t i = 0; i < after.size(); ++i)
    if (carried_[i / lanes] != 0 && !is_same(played_[i], after[i])) return false;
  return true;
}

bool StepPrograms::record(RecordedDesign& design, const StepSample& sample) {
  const RecordedDesign::Known known = this->known();
  changes_invariants_ =
      take_away_missing(invariants_, known.checked, sample.before, design.lanes());
  if (changes_invariants_) return false;
  int now = number_of(beginning);
  std::size_t before = 0;
  ++recorded_;
  return design.record(
      sample, known,
      [&]() -> Graph& {
        Graph& graph = parts_[index(now)]->program.graph();
        before = graph.asked();
        return graph;
      },
      [&](const Recording& recording, const std::vector<int>& nodes_before,
          const std::vector<int>& nodes_after, int cut) {
        const int next = cut == RecordedDesign::no_cut ? no_part : number_of(cut);
        Part& part = *parts_[index(now)];
        asked_ += part.program.graph().asked() - before;
        if (take_away_changed(invariants_, nodes_before, nodes_after)) changes_invariants_ = true;
        if (changes_invariants_) return;
        if (!recording.is_split && part.program.add(recording, nodes_before, nodes_after))
          part.next.push_back(next);
        if (next != no_part) now = next;
      });
}

// What is not carried on needs no check: a step writes it before it reads it.
RecordedDesign::Known StepPrograms::known() const {
  RecordedDesign::Known known{invariants_, {}};
  for (std::size_t p = 0; p < carried_.size(); ++p)
    if (carried_[p] != 0 && is_invariant(p)) known.checked.push_back(static_cast<int>(p));
  return known;
}

// The invariants that are left stay.
void StepPrograms::forget(const RecordedDesign& design) {
  began_anew_ = true;
  keep_whole_rows(invariant_places(design).rows, invariants_);
  parts_.clear();
  numbers_.clear();
  if (++beginnings_ == most_beginnings) invariants_.clear();
}

bool StepPrograms::interpret(double* memory, double time, int lanes, OperationCount& done) {
  if (parts_.empty()) return false;
  int now = 0;
  for (std::size_t count = 0; count < most_parts; ++count) {
    const Part& part = *parts_[index(now)];
    const int path = part.program.run(memory, time, values_, lanes);
    if (path < 0) return false;
    done += part.program.count(path);
    now = part.next[index(path)];
    if (now == no_part) return true;
  }
  return false;
}

// By part and place: what is read by it, or behind it before it is written.
std::vector<std::vector<char>> StepPrograms::places_read() const {
  std::vector<std::vector<char>> read(parts_.size(), std::vector<char>(carried_.size(), 0));
  const auto add_behind = [&](std::size_t k) {
    bool found = false;
    for (const Stretch& stretch : parts_[k]->program.stretches()) {
      if (stretch.path < 0) continue;
      std::vector<char> behind = read_behind(k, stretch.path, read);
      for (const Store& store : stretch.stores) behind[index(store.place)] = 0;
      for (std::size_t p = 0; p < behind.size(); ++p) {
        found = found || (behind[p] != 0 && read[k][p] == 0);
        read[k][p] |= behind[p];
      }
    }
    return found;
  };
  for (std::size_t k = 0; k < parts_.size(); ++k)
    for (const Stretch& stretch : parts_[k]->program.stretches())
      for (const int n : stretch.nodes) {
        const Node& node = parts_[k]->program.graph().nodes()[index(n)];
        if (node.kind == NodeKind::memory) read[k][index(node.a)] = 1;
      }
  for (bool found = true; found;) {
    found = false;
    for (std::size_t k = parts_.size(); k-- > 0;) found = add_behind(k) || found;
  }
  return read;
}

const std::vector<char>& StepPrograms::read_behind(
    std::size_t part, int path, const std::vector<std::vector<char>>& read) const {
  const int next = parts_[part]->next[index(path)];
  return next == no_part ? carried_ : read[index(next)];
}

void StepPrograms::keep_all_stores() {
  for (const auto& part : parts_) part->program.keep_stores([](int, int) { return true; });
}

std::vector<char> StepPrograms::places_written(bool before_the_end) const {
  std::vector<char> is_written(carried_.size(), 0);
  for (const auto& part : parts_)
    for (const Stretch& stretch : part->program.stretches()) {
      if (stretch.path < 0) continue;
      if (before_the_end && part->next[index(stretch.path)] == no_part) continue;
      for (const Store& store : stretch.stores) is_written[index(store.place)] = 1;
    }
  return is_written;
}

// As far as ways are known.
void StepPrograms::carry_what_steps_read() {
  keep_all_stores();
  const std::vector<char> is_written = places_written(false);
  const std::vector<char> is_read = places_read().front();
  for (std::size_t p = 0; p < carried_.size(); ++p)
    if (is_read[p] != 0 && is_written[p] != 0) carried_[p] = 1;
}

// What is not stored is not computed, and what it is made of is not read, so that less is stored.
void StepPrograms::leave_out_stores() {
  keep_all_stores();
  for (bool is_same = false; !is_same;) {
    is_same = true;
    const std::vector<std::vector<char>> read = places_read();
    for (std::size_t k = 0; k < parts_.size(); ++k)
      is_same = parts_[k]->program.keep_stores([&](int path, int place) {
        return read_behind(k, path, read)[index(place)] != 0 && !is_invariant(index(place));
      }) && is_same;
  }
}

std::string StepPrograms::text(int lanes, int columns) {
  // Of all lanes: half a megabyte and one; threads have two at least.
  constexpr int numbers_of_loops = 1 << 16, slots = 1 << 17;
  return emitted_head(lanes, columns) +
         emitted_by(emitted_steps, {columns, numbers_of_loops / lanes, slots / lanes});
}

std::string StepPrograms::device_text(DeviceKind kind, int shared) {
  return emitted_device_head(kind, shared) + emitted_by(emitted_device_steps, {});
}

std::string StepPrograms::emitted_by(StepEmitter emit, const EmissionLimits& limits) {
  carry_what_steps_read();
  leave_out_stores();
  std::string text;
  std::vector<EmittedPart> emitted_parts;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = *parts_[k];
    emitted_parts.push_back({"part" + std::to_string(k), part.next});
    if (part.next.empty()) {  // no way through it is known
      emitted_parts.back().name.clear();
      continue;
    }
    text += emitted(part.program, emitted_parts.back().name, nodes_of_a_part, limits);
  }
  const std::vector<char> is_written = places_written(true);
  std::vector<int> undone;
  for (std::size_t p = 0; p < is_written.size(); ++p)
    if (is_written[p] != 0 && carried_[p] != 0) undone.push_back(static_cast<int>(p));
  text += emit(emitted_parts, undone, "step");
  keep_all_stores();  // parts that are yet to come may read what none does so far
  return text;
}

void StepPrograms::write(ByteWriter& to) const {
  to.put_all(carried_, [&](char is_carried) { to.put(is_carried); });
  to.put_all(invariants_, [&](const std::optional<double>& number) {
    to.put(number.has_value());
    to.put(number.value_or(0.0));
  });
  to.put_all(parts_, [&](const std::unique_ptr<Part>& part) {
    part->program.write(to);
    to.put_all(part->next, [&](int next) { to.put(next); });
  });
  to.put(static_cast<std::uint64_t>(numbers_.size()));
  for (const auto& [cut, number] : numbers_) {
    to.put(cut);
    to.put(number);
  }
}

void StepPrograms::read(ByteReader& from) {
  carried_ = from.get_all<char>([&] { return from.get<char>(); });
  invariants_ = from.get_all<std::optional<double>>([&] {
    const bool is_known = from.get<bool>();
    const double number = from.get<double>();
    return is_known ? std::optional(number) : std::nullopt;
  });
  if (!invariants_.empty() && invariants_.size() != carried_.size())
    throw FileError("it is of another layout");
  looks_for_invariants_ = false;
  parts_ = from.get_all<std::unique_ptr<Part>>([&] {
    auto part = std::make_unique<Part>();
    part->program.read(from);
    part->next = from.get_all<int>([&] { return from.get<int>(); });
    return part;
  });
  numbers_.clear();
  for (auto count = from.get<std::uint64_t>(); count > 0; --count) {
    const int cut = from.get<int>();
    numbers_[cut] = from.get<int>();
  }
}

StepWork StepPrograms::work() const {
  StepWork work;
  if (recorded_ > 0)
    work.general_operations = static_cast<double>(asked_) / static_cast<double>(recorded_);
  if (repeated_ == 0) return work;
  const auto samples = static_cast<double>(repeated_);
  work.operations = static_cast<double>(done_.arithmetic()) / samples;
  work.numbers = static_cast<double>(done_.loads + done_.stores) / samples;
  return work;
}

std::size_t StepPrograms::way_count() const {
  std::size_t count = 0;
  for (const auto& part : parts_) count += part->program.path_count();
  return count;
}

std::size_t StepPrograms::node_count() const {
  std::size_t count = 0;
  for (const auto& part : parts_)
    for (const Stretch& stretch : part->program.stretches()) count += stretch.nodes.size();
  return count;
}

}  // namespace gradus::specialise
