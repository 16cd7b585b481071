// Steps of one mechanism, or a part of its evaluations, as programs: of the parts between cuts, so
// that loops stay loops.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/specialise/emit.hpp"
#include "src/specialise/recorded_design.hpp"

namespace gradus::specialise {

class StepPrograms {
 public:
  // `carried`: by place of the memory, whether later steps find it, or what looks at them from
  // outside. What steps write and later ones read is carried in any case.
  // `has_invariants`: they are whole steps, and numbers that none of their parts changes are
  // constants.
  explicit StepPrograms(std::vector<char> carried, bool has_invariants = false)
      : carried_(std::move(carried)), looks_for_invariants_(has_invariants) {}

  // Adds the ways of what general kernels have done, whose memory behind it `design` has, as far as
  // they are not known yet. Returns false if it cannot be recorded, or if programs do not repeat
  // what is carried on of it.
  bool learn(RecordedDesign& design, const StepSample& sample);
  // Whether the last sample did not have all that was taken for invariants, or changed some: then
  // everything known before it is forgotten.
  bool began_anew() const { return began_anew_; }

  // C for steps in lanes: a function `int step(double *memory, double time)`, which takes a step,
  // or returns 0, with what is carried as it was, where a way is not known. What is carried is
  // stored at the end of steps, and what parts read at cuts before them. Of so many columns; 0:
  // without loops over these.
  std::string text(int lanes, int columns);
  // The same for designs of a device, `void step(StepBatch)`; places from `shared` on are columns.
  std::string device_text(DeviceKind kind, int shared);

  void write(ByteWriter& to) const;
  // What others have written, in place of all that these have.
  void read(ByteReader& from);

  std::size_t places() const { return carried_.size(); }
  bool is_carried(std::size_t place) const { return carried_[place] != 0; }
  // Whether the last step learnt was known already.
  bool knew_last() const { return knew_last_; }
  // On average of the samples that were learnt, of a design; of general kernels if they were not
  // known. Zero: there were none.
  StepWork work() const;
  std::size_t way_count() const;
  std::size_t node_count() const;

 private:
  static constexpr int no_part = -1;

  // What a step does from one cut to the next; by path of the program the part that follows.
  struct Part {
    Program program;
    std::vector<int> next;
  };

  using StepEmitter = std::string (*)(const std::vector<EmittedPart>& parts,
                                      const std::vector<int>& undone, const std::string& name);

  int number_of(int cut);
  std::string emitted_by(StepEmitter emit, const EmissionLimits& limits);
  bool record(RecordedDesign& design, const StepSample& sample);
  RecordedDesign::Known known() const;
  void forget(const RecordedDesign& design);
  bool is_invariant(std::size_t place) const {
    return !invariants_.empty() && invariants_[place].has_value();
  }
  // False where a way is not known: then the memory is of no use any more.
  bool interpret(double* memory, double time, int lanes, OperationCount& done);
  std::vector<std::vector<char>> places_read() const;
  const std::vector<char>& read_behind(std::size_t part, int path,
                                       const std::vector<std::vector<char>>& read) const;
  void keep_all_stores();
  // By ways that others follow, or by all.
  std::vector<char> places_written(bool before_the_end) const;
  void carry_what_steps_read();
  void leave_out_stores();

  std::vector<char> carried_;
  bool looks_for_invariants_;
  Invariants invariants_;
  int beginnings_ = 0;
  bool began_anew_ = false, changes_invariants_ = false;
  std::vector<std::unique_ptr<Part>> parts_;  // the first is where steps begin
  std::map<int, int> numbers_;                // of parts, by cut
  bool knew_last_ = false;
  std::size_t asked_ = 0, recorded_ = 0, repeated_ = 0;  // arithmetic, and samples
  OperationCount done_;                                  // of those that were repeated
  std::vector<double> played_, values_;
};

}  // namespace gradus::specialise
