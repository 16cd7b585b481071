// Designs of a request on a device: their memory, their kernels, what runs that go back keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "src/backend/device_plan.hpp"
#include "src/motion/column_split.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// What all chunks of a request share.
struct DeviceSetup {
  DeviceSetup(Device& on, const MotionRequest& request);
  DeviceSetup(const DeviceSetup&) = delete;
  DeviceSetup& operator=(const DeviceSetup&) = delete;

  // Scalars of a motion, and of a slice of its columns.
  std::size_t motion_size() const { return static_cast<std::size_t>(layout.shared); }
  std::size_t slice_size() const { return static_cast<std::size_t>(layout.size - layout.shared); }

  // With what a solver of its columns keeps beside them.
  std::size_t motion_room() const { return motion_size() + solver_room_.motion; }
  std::size_t slice_room() const { return slice_size() + solver_room_.slice; }

  Device& device;
  bool apart;  // the columns of stages are solved for outside the kernels
  ColumnSplit split;
  kernels::Layout layout;
  Formulation formulation;
  DevicePlan plan;
  DeviceBuffer numbers;     // of the tableau
  DeviceBuffer evaluation;  // of formulations that yield accelerations
  kernels::TableauView tableau;

 private:
  SolverRoom solver_room_;
};

class DeviceChunk {
 public:
  // `slices` of the columns of each design travel along.
  DeviceChunk(const DeviceSetup& setup, const MotionRequest& request, std::size_t designs,
              std::size_t slices = 1);

  DeviceChunk(const DeviceChunk&) = delete;
  DeviceChunk& operator=(const DeviceChunk&) = delete;

  // The first parameter whose column travels along.
  void see_columns(int first);

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    launch(kernel, at.time, at.weight, at.last ? 1 : 0, stage);
  }
  void launch(kernels::KernelId kernel, double time, double weight, int last,
              const kernels::StageTangent& stage);
  // Step k of a one-step method is taken back, 0: what came before the first.
  void launch_for_step(kernels::KernelId kernel, std::size_t k) {
    arguments_.step = static_cast<int>(k);
    launch(kernel, 0.0, 0.0, 0, no_stage());
  }

  // Takes the next `count` of the steps of a motion, all by this since its start and of one length:
  // step() launches what one of them does. Nothing is sent to the device from step to step.
  template <class Step>
  void replay(std::size_t count, const Step& step) {
    if (!clock_runs_) device_.clear(clock_.data(), clock_.size());
    clock_runs_ = true;
    if (solver_) return repeat(count, step);
    if (!sequence_) sequence_ = device_.make_sequence(launches_of(step));
    sequence_->replay(count);
  }

  // The solver of the columns of stages, if it works apart from the kernels.
  const BatchedSolver* solver() const { return solver_.get(); }

  // Numbers of every motion from `offset` on, to and from [design, size].
  void upload(int offset, std::size_t size, const double* values);
  void download(int offset, std::size_t size, double* values);
  // Columns [rows, parameter] of every design, to [design, rows, all parameters] from the first
  // parameter that travels along.
  void download_columns(int offset, std::size_t rows, double* values);
  // One number of every slice of every design, [slice, design].
  std::vector<double> download_slices(int offset);
  // The numbers of the motions of some tiles, [tile, size, 32], to pinned memory at `to`; returns
  // where they end. See Device.
  double* download_later(int offset, std::size_t size, std::size_t first_tile, std::size_t tiles,
                         double* to);
  void mark(int number) { device_.mark(number); }
  void wait_for(int number) { device_.wait(number); }
  // Adds failures to what is known; a design that fails in one of its runs has failed.
  void download_status(kernels::Status* status, double* failure_time);
  void synchronise() { device_.synchronise(); }

  // Where the steps that follow are kept, or from where they are restored.
  void set_record(double* record, std::size_t capacity) {
    arguments_.chunk.record = record;
    arguments_.chunk.record_capacity = static_cast<std::ptrdiff_t>(capacity);
  }

  // What runs that go back ask of a chunk: room beside the memory of its designs, and copies from
  // and to that.
  using Store = DeviceBuffer;
  std::size_t count() const { return count_; }
  std::size_t motions() const { return motions_; }
  // Nobody looks before the end.
  bool has_failed() const { return false; }
  // Chunks that go back have one motion and one slice for each design. A store holds either whole
  // rows, one after another, or numbers that are kept and put back, all of a tile together.
  Store make_store(std::size_t numbers) { return {device_, numbers * row_bytes()}; }
  double* place(Store& store, std::size_t row) const {
    return static_cast<double*>(store.data()) + row * row_bytes() / sizeof(double);
  }
  void keep(int offset, int size, Store& to, std::size_t row);
  void put_back(int offset, int size, Store& from, std::size_t row);
  void clear(int offset, int size) { device_.clear(row(offset), pieces(offset, size)); }
  void duplicate(int from, int to) { device_.copy(row(to), row(from), pieces(to, 1, pitch(from))); }
  // Of one number over all designs.
  double largest(int offset) { return std::ranges::max(download_slices(offset)); }
  double least(int offset) { return std::ranges::min(download_slices(offset)); }

 private:
  // While one lives, launches go by the clock of the device.
  class ByClock {
   public:
    explicit ByClock(DeviceChunk& chunk) : chunk_(chunk) {
      chunk_.arguments_.clock = static_cast<double*>(chunk_.clock_.data());
    }
    ~ByClock() {
      chunk_.arguments_.clock = nullptr;
      chunk_.told_ = nullptr;
    }
    ByClock(const ByClock&) = delete;
    ByClock& operator=(const ByClock&) = delete;

   private:
    DeviceChunk& chunk_;
  };
  // What a step launches, without running it.
  template <class Step>
  std::vector<DeviceLaunch> launches_of(const Step& step) {
    std::vector<DeviceLaunch> launches;
    const ByClock clock(*this);
    told_ = &launches;
    run(kernels::KernelId::advance_clock);
    step();
    return launches;
  }
  // Solvers launch what cannot be kept in a sequence.
  template <class Step>
  void repeat(std::size_t count, const Step& step) {
    const ByClock clock(*this);
    for (std::size_t k = 0; k < count; ++k) {
      run(kernels::KernelId::advance_clock);
      step();
    }
  }
  void make_solver(const MotionRequest& request);
  void solve_apart(const kernels::StageTangent& stage);
  bool is_one_system() const { return motions_ == 1 && places_ > 1; }
  // Of the first tile. Numbers of the motion lie before those of its columns.
  double* row(int offset) const;
  std::size_t pitch(int offset) const;  // bytes from one tile to the next
  std::size_t tiles(int offset) const { return offset < shared_ ? motion_tiles_ : place_tiles_; }
  // `size` numbers of all tiles from `offset` on, to or from what has another pitch.
  Pieces pieces(int offset, std::size_t size, std::size_t other_pitch = 0) const {
    return {size * kRowBytes, tiles(offset), pitch(offset), other_pitch};
  }
  Pieces pieces_from(int offset, std::size_t size, std::size_t other_pitch) const {
    return {size * kRowBytes, tiles(offset), other_pitch, pitch(offset)};
  }
  std::size_t row_bytes() const { return motion_tiles_ * kRowBytes; }
  // `size` numbers of all motions or places, in tiles that follow each other.
  std::vector<double> download_tiles(int offset, std::size_t size);
  void run(kernels::KernelId kernel);
  // The plan of the start, or that of the motion, which lacks what holds at the start only.
  void see_plan(bool of_start);

  static constexpr std::size_t kRowBytes = kernels::kTile * sizeof(double);

  Device& device_;
  std::size_t count_;    // designs
  std::size_t motions_;  // runs of them
  std::size_t places_;   // slices of these
  std::size_t motion_tiles_, place_tiles_;
  int shared_;                            // scalars of a motion
  std::size_t motion_size_, slice_size_;  // scalars
  kernels::PlanView start_plan_;
  bool sees_start_ = true;
  DeviceBuffer memory_, columns_, status_, failure_time_, clock_;
  bool clock_runs_ = false;
  DeviceArguments arguments_{};
  std::unique_ptr<Sequence> sequence_;         // of a step
  std::vector<DeviceLaunch>* told_ = nullptr;  // launches are only noted there, if anywhere
  std::unique_ptr<BatchedSolver> solver_;
  int columns_of_solver_ = 0;  // of a system, in one solution
  int factorised_ = -1;        // the factor whose matrix the solver has
};

}  // namespace gradus
