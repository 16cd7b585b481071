// Designs of a request on a device: their memory, their kernels, what runs that go back keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/core/cut.hpp"
#include "src/backend/device_plan.hpp"
#include "src/motion/cancellation.hpp"
#include "src/motion/column_split.hpp"
#include "src/motion/device_steps.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/motion/step_limits.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// What all chunks of a request share.
struct DeviceSetup {
  // `made`: steps go by a kernel made for the mechanism, if there can be one.
  DeviceSetup(Device& on, const MotionRequest& request, bool made = false);
  DeviceSetup(const DeviceSetup&) = delete;
  DeviceSetup& operator=(const DeviceSetup&) = delete;

  Device& device;
  bool apart;  // the columns of stages are solved for outside the kernels
  ColumnSplit split;
  kernels::Layout layout;
  Formulation formulation;
  std::unique_ptr<LoadedSteps> made_steps;  // null: general kernels do it all
  DevicePlan plan;
  DeviceBuffer numbers;     // of the tableau
  DeviceBuffer evaluation;  // of formulations that yield accelerations
  kernels::TableauView tableau;
  // Of a design: a kernel made for the mechanism keeps some numbers of its own.
  int places() const {
    return layout.size + (made_steps ? static_cast<int>(kernels::kMostKeptNumbers) : 0);
  }
  SolverRoom room;  // scalars of a motion and a slice, with what a solver keeps beside them
};

class DeviceChunk {
 public:
  // `slices` of the columns of each design travel along.
  DeviceChunk(const DeviceSetup& setup, const MotionRequest& request, std::size_t designs,
              std::size_t slices = 1);

  // The first parameter whose column travels along.
  void see_columns(int first);

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    launch(kernel, at.time, at.weight, at.kind(), stage);
  }
  void launch(kernels::KernelId kernel, double time, double weight, int last,
              const kernels::StageTangent& stage);
  // Step k of a one-step method is taken back, 0: what came before the first.
  void launch_for_step(kernels::KernelId kernel, std::size_t k) {
    arguments_.step = static_cast<int>(k);
    launch(kernel, 0.0, 0.0, 0, no_stage());
  }

  // Returns when all that was launched is done.
  void synchronise() const { device_.synchronise(); }

  // Takes the next `count` of the steps of a motion, all by this since its start and of one length:
  // step() launches what one of them does. Nothing is sent to the device from step to step.
  template <class Step>
  void replay(std::size_t count, const Step& step) {
    cancellation_.look();
    start_clock();
    if (made_steps_) return take_made(count, step);
    steps_done_ += static_cast<std::ptrdiff_t>(count);
    if (!sequence_) {
      std::vector<DeviceLaunch> launches;
      arguments_.clock = static_cast<double*>(clock_.data());
      if (!solver_) told_ = &launches;  // solvers launch what cannot be kept in a sequence
      for (std::size_t k = 0; k < (solver_ ? count : 1); ++k) {
        run(kernels::KernelId::advance_clock);
        step();
      }
      told_ = nullptr;
      arguments_.clock = nullptr;
      if (!solver_) sequence_ = device_.make_sequence(std::move(launches));
    }
    if (sequence_) sequence_->replay(count);
  }

  // One that is not among them comes next.
  void count_step() {
    start_clock();
    ++steps_done_;
    arguments_.clock = static_cast<double*>(clock_.data());
    run(kernels::KernelId::advance_clock);
    arguments_.clock = nullptr;
  }

  // Designs whose steps a kernel made for the mechanism has taken, or has not known; null: there is
  // none.
  const MadeSteps* made_steps() const { return made_steps_ ? &*made_steps_ : nullptr; }

  // The solver of the columns of stages, if it works apart from the kernels.
  const BatchedSolver* solver() const { return solver_.get(); }

  // Numbers of every motion from `offset` on, to and from [design, size].
  void upload(int offset, std::size_t size, const double* values);
  void download(int offset, std::size_t size, double* values);
  // Columns [rows, parameter] of every design d, to [rows, all parameters] at to(d) from the first
  // parameter that travels along.
  void download_columns(int offset, std::size_t rows,
                        const std::function<double*(std::size_t)>& to);
  // One number of every slice of every design, [slice, design].
  std::vector<double> download_slices(int offset);
  // The numbers of the motions of some tiles, [tile, size, 32], to pinned memory at `to`; returns
  // where they end. See Device.
  double* download_later(int offset, std::size_t size, std::size_t first_tile, std::size_t tiles,
                         double* to);
  // Adds failures to what is known; a design that fails in one of its runs has failed.
  void download_status(kernels::Status* status, double* failure_time);

  // Steps of adaptive methods that its designs take instead of their own.
  void take_steps(const ProbedSteps& probed);
  // What time alone says of the steps of its designs, of a request from the first on.
  void limit_steps(const MotionRequest& request, std::size_t first);

  // Where the steps that follow are kept, or from where they are restored.
  void set_record(double* record, std::size_t capacity) {
    arguments_.chunk.record = record;
    arguments_.chunk.record_capacity = static_cast<std::ptrdiff_t>(capacity);
  }

  // What runs that go back ask of a chunk: room beside the memory of its designs, and copies from
  // and to that.
  using Store = DeviceBuffer;
  std::size_t count() const { return count_; }
  // Nobody looks before the end.
  bool has_failed() const { return false; }
  // Chunks that go back have one motion and one slice for each design. A store holds either whole
  // rows, one after another, or numbers that are kept and put back, all of a tile together.
  Store make_store(std::size_t numbers) {
    return {device_, numbers * motion_memory_.count * kRowBytes};
  }
  double* place(Store& store, std::size_t row) const {
    return static_cast<double*>(store.data()) + row * motion_memory_.count * kernels::kTile;
  }
  void keep(int offset, int size, Store& to, std::size_t row) {
    exchange(offset, size, to, row, true);
  }
  void put_back(int offset, int size, Store& from, std::size_t row) {
    exchange(offset, size, from, row, false);
  }
  void clear(int offset, int size) {
    const Tiles& t = tiles(offset);
    device_.clear(t.row(offset), {static_cast<std::size_t>(size) * kRowBytes, t.count, t.pitch, 0});
  }
  void duplicate(int from, int to) {
    put(Transfer::copy, to, 1, tiles(from).row(from), tiles(from).pitch);
  }
  // Of one number over all designs.
  double largest(int offset) { return std::ranges::max(download_slices(offset)); }
  double least(int offset) { return std::ranges::min(download_slices(offset)); }

 private:
  static constexpr std::size_t kRowBytes = kernels::kTile * sizeof(double);

  // The numbers of motions, or of slices of their columns, that the layout has from `begin` on.
  struct Tiles {
    Tiles(Device& device, std::size_t items, int from, int to)
        : begin(from),
          count(kernels::tiles_of(items)),
          pitch(static_cast<std::size_t>(to - from) * kRowBytes),
          memory(device, std::max(count * pitch, kRowBytes)) {}
    double* row(int offset) const {  // of the first tile
      return static_cast<double*>(memory.data()) + std::ptrdiff_t{offset - begin} * kernels::kTile;
    }

    int begin;
    std::size_t count;
    std::size_t pitch;  // bytes from one tile to the next
    DeviceBuffer memory;
  };
  const Tiles& tiles(int offset) const {
    return offset < slice_memory_.begin ? motion_memory_ : slice_memory_;
  }
  // `size` numbers of all motions or slices from `offset` on, to or from where the tiles are
  // `pitch` bytes apart.
  void get(Transfer transfer, int offset, std::size_t size, void* to, std::size_t pitch) const {
    const Tiles& t = tiles(offset);
    device_.move(transfer, to, t.row(offset), {size * kRowBytes, t.count, pitch, t.pitch});
  }
  void put(Transfer transfer, int offset, std::size_t size, const void* from, std::size_t pitch) {
    const Tiles& t = tiles(offset);
    device_.move(transfer, t.row(offset), from, {size * kRowBytes, t.count, t.pitch, pitch});
  }
  void exchange(int offset, int size, Store& store, std::size_t row, bool keeps);
  // The same to the host, in tiles that follow each other.
  std::vector<double> download_tiles(int offset, std::size_t size);

  void start_clock() {
    if (!clock_runs_) {
      device_.clear(clock_.data(), clock_.size());
      steps_done_ = 0;
    }
    clock_runs_ = true;
  }
  template <class Step>
  void take_made(std::size_t count, const Step& step) {
    if (step_launches_.empty()) {
      told_ = &step_launches_;
      step();
      told_ = nullptr;
    }
    take_made(static_cast<std::ptrdiff_t>(count));
  }
  void take_made(std::ptrdiff_t count);
  void take_general(double time, kernels::Status* status);
  void make_steps(LoadedSteps& loaded);
  void make_solver(const MotionRequest& request);
  void solve_apart(const kernels::StageTangent& stage);
  bool is_one_system() const { return motions_ == 1 && places_ > 1; }
  void run(kernels::KernelId kernel);
  // The plan of the start, or that of the motion, which lacks what holds at the start only.
  void see_plan(bool of_start);

  Device& device_;
  const MotionRequest& request_;
  std::size_t count_;    // designs
  std::size_t motions_;  // runs of them
  std::size_t places_;   // slices of these
  kernels::PlanView start_plan_;
  Cancellation cancellation_;
  bool sees_start_ = true;
  Tiles motion_memory_, slice_memory_;
  DeviceBuffer status_, failure_time_, clock_;
  std::optional<DeviceBuffer> given_steps_, given_begin_, step_limits_, limit_begin_;
  bool clock_runs_ = false;
  std::ptrdiff_t steps_done_ = 0;  // since it began
  DeviceArguments arguments_{};
  std::unique_ptr<Sequence> sequence_;         // of a step
  std::vector<DeviceLaunch>* told_ = nullptr;  // launches are only noted there, if anywhere
  std::optional<MadeSteps> made_steps_;
  std::vector<DeviceLaunch> step_launches_;  // of a step by general kernels, beside these
  std::unique_ptr<BatchedSolver> solver_;
  int columns_of_solver_ = 0;  // of a system, in one solution
  int factorised_ = -1;        // the factor whose matrix the solver has
};

}  // namespace gradus
