// One design, or a pack in lanes, whose kernels run by themselves, or on the scalar that records.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/core/arguments.hpp"
#include "kernels/launch/host.hpp"
#include "src/motion/specialised_steps.hpp"
#include "src/specialise/carried.hpp"
#include "src/specialise/program.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {

// [place, lanes], on the boundary of a vector register.
using DesignMemory = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

// By place of the memory: what it holds before and behind each part of every step, if that never
// changes.
using Invariants = std::vector<std::optional<double>>;

// What travels with the motion.
Company company_of(const StepSetup& setup);

// Columns that are worth a loop in programs; 0: there are none.
int columns_in_loops(const StepSetup& setup);

// Of steps by ali3p or parts of evaluations, with or without columns.
class RecordedDesign {
 public:
  using Arguments = kernels::KernelArguments<double, false>;

  using Launch = StepLaunch;

  // With a memory [place, lanes] whose parameters are those of designs, kMostKeptNumbers places
  // behind those of the layout.
  RecordedDesign(const StepSetup& setup, const double* memory);
  RecordedDesign(const RecordedDesign&) = delete;
  RecordedDesign& operator=(const RecordedDesign&) = delete;

  const kernels::Layout& layout() const { return arguments_.chunk.layout; }
  const kernels::PlanView& plan() const { return arguments_.chunk.plan; }
  const kernels::StepSettings& settings() const { return arguments_.chunk.settings; }
  // The first that is not ok.
  kernels::Status status() const;
  int lanes() const { return lanes_; }
  Company company() const { return company_; }
  bool has_loops() const { return has_loops_; }
  DesignMemory& memory() { return memory_; }
  const DesignMemory& memory() const { return memory_; }
  // Places of the memory, what is kept at cuts among them.
  std::size_t places() const { return fixed_.size(); }
  std::vector<double> copy() const;  // of the memory

  // By the general kernel. Of what launches are given the chunk does not count.
  void run(const Launch& launch);
  // All designs are as if they had never failed.
  void forgive();
  // Adds to a program what a launch makes of a memory; false if it is of no kernel of a step, or
  // depends on more than the memory.
  bool record(const Launch& launch, const std::vector<double>& before, Program& program);

  // Recordings of a step, or of a part of an evaluation, one from each cut to the next, of which
  // there is one before each launch of a step: ways through several do not multiply. In graphs that
  // `graph()` is asked for where they begin; where they end, ended(recording, nodes that the places
  // of the memory held before, and after, the cut) is called. False if a launch is of no kernel of
  // a step. Invariants are constants; what is `checked` of them is the first guard of the first
  // recording.
  static constexpr int no_cut = -1;         // the end of the launches
  static constexpr int before_launch = -1;  // less its number; cuts in kernels are above zero
  using Ended = std::function<void(const Recording& recording, const std::vector<int>& before,
                                   const std::vector<int>& after, int cut)>;
  struct Known {
    Invariants invariants;
    std::vector<int> checked;  // places
  };
  bool record(const StepSample& sample, const Known& known, const std::function<Graph&()>& graph,
              const Ended& ended);

 private:
  using RecordedArguments = kernels::KernelArguments<Recorded, false>;

  void find_fixed();
  // What stands for an instant in recordings, unless it is one of the numbers in the memory.
  double mark_of(double time) const;
  // The memory as kernels find it.
  void begin(Recording& recording, const Invariants& invariants,
             std::vector<Recorded>& memory) const;
  RecordedArguments recorded(const kernels::LaunchArguments& launch, std::vector<Recorded>& memory,
                             double time);

  Arguments arguments_{};
  std::optional<kernels::Evaluation> evaluation_;
  Company company_;
  bool own_clocks_, has_loops_;
  int lanes_;
  kernels::Launch launch_;
  DesignMemory memory_;
  std::vector<kernels::Status> status_;  // [lanes]
  std::vector<double> failure_time_;     // [lanes]
  kernels::Status recorded_status_ = kernels::Status::ok;
  double recorded_failure_time_ = 0.0;
  std::vector<std::optional<double>> fixed_;  // by place
};

}  // namespace gradus::specialise
