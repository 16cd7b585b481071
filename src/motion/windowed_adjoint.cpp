// Adjoints of mechanisms that hundreds of parameters drive through splines of time: their steps see
// one polynomial of each through a window, forwards and back. What values and slopes at its ends
// are worth is kept where a window moves on, and handed to the parameters behind all of it.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "src/motion/adjoint_run.hpp"
#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/windows.hpp"

namespace gradus {
namespace {

// A chunk whose windows are where its steps are.
class WindowedChunk : public ReversibleChunk {
 public:
  using ReversibleChunk::ReversibleChunk;

  // From here on; `windows` live longer than the run that follows.
  void look_through(Windows& windows, const Superposition& superposition,
                    const kernels::Layout& layout) {
    windows_ = &windows;
    superposition_ = &superposition;
    layout_ = &layout;
    is_open_ = false;
  }

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    using kernels::KernelId;
    const bool of_start = is_of_start(kernel, stage);
    if (kernel == KernelId::predict || kernel == KernelId::restore_kept || of_start) move(at.time);
    if (kernel == KernelId::restore_kept || of_start) hand_over();
    ReversibleChunk::launch(kernel, at, stage);
    if (kernel != KernelId::prepare_numbers) return;
    windows_->begin(at.time);
    is_open_ = true;
  }
  using ReversibleChunk::launch;

  template <std::invocable Launches>
  void take(int part, double time, bool has_program, const Launches& launch_all) {
    move(time);
    ReversibleChunk::take(part, time, has_program, launch_all);
  }

  // States from which steps are taken once more have the windows that were there.
  void put_back(int offset, int size, Store& from, std::size_t row) {
    ReversibleChunk::put_back(offset, size, from, row);
    is_restored_ = true;
  }

  // What the pieces that were looked at on the way back are worth, to the mechanism.
  void keep_worth() {
    const kernels::PlanView plan = superposition_->plan.view();
    for (std::size_t c = 0; c < worthy_.size(); ++c) {
      const Window window = windows_->courses().window(c, worthy_[c]);
      const kernels::SplineEntry& spline = plan.splines[superposition_->courses[c].spline];
      for (int o = 0; o < plan.objective_count; ++o) {
        const int element =
            layout_->element.gradient + o * plan.element_size + plan.elements[spline.element].place;
        for (int lane = 0; lane < lanes(); ++lane) {
          std::array<double, kPieceNumbers> worth{};
          for (int i = 0; i < kPieceNumbers; ++i)
            worth[static_cast<std::size_t>(i)] =
                std::exchange(entry(element + i, lane), 0.0) + take_pooled(o, spline, i, lane);
          windows_->courses().add_worth(c, window, o, lane, worth);
        }
      }
    }
  }

 private:
  // What number i of a spline's element is worth to objective o, as pooled.
  double take_pooled(int o, const kernels::SplineEntry& spline, int i, int lane) {
    if (layout_->element.pooled == 0) return 0.0;
    const kernels::PlanView plan = superposition_->plan.view();
    const int number = plan.elements[spline.element].place + i;
    return std::exchange(entry(layout_->element.pooled + number * plan.objective_count + o, lane),
                         0.0);
  }

  void move(double time) {
    if (!is_open_) return;
    const std::vector<Piece>& pieces = windows_->pieces_at(time);
    if (!is_restored_ && are_same(pieces, windows_->pieces())) return;
    windows_->show(pieces);
    is_restored_ = false;
  }

  // Where the way back comes to other pieces. Steps that are taken once more change nothing of it,
  // so that sums have the same bits with them.
  void hand_over() {
    if (!is_open_ || are_same(worthy_, windows_->pieces())) return;
    keep_worth();
    worthy_ = windows_->pieces();
  }

  Windows* windows_ = nullptr;
  const Superposition* superposition_ = nullptr;
  const kernels::Layout* layout_ = nullptr;
  std::vector<Piece> worthy_;  // those that worth is kept of in the memory
  bool is_open_ = false;       // the numbers are prepared
  bool is_restored_ = false;   // the windows are those of another time
};

class WindowedAdjointRun : public AdjointRun<DiscreteAdjoint<WindowedChunk>, WindowedChunk> {
 public:
  WindowedAdjointRun(const MotionRequest& request, int threads)
      : AdjointRun(through_windows(request), threads),
        superposition_(*request.superposition),
        wholes_(request, request.plan->parameter_count(), threads) {}

 private:
  const MotionRequest& asked() const override { return wholes_.request(); }

  std::size_t prepare() override {
    const std::size_t jobs = AdjointRun::prepare();
    wholes_.take(request_, vehicle_);
    return jobs;
  }

  void set(WindowedChunk& chunk, std::size_t thread, std::size_t first,
           std::size_t count) override {
    chunk.look_through(wholes_.windows(thread, first, count, chunk, setup_.layout), superposition_,
                       setup_.layout);
  }

  void collect_gradients(WindowedChunk& chunk, std::size_t thread, std::size_t first,
                         std::size_t count) override {
    HostChunk<double>& whole = wholes_.chunk(thread);
    chunk.keep_worth();
    whole.launch(kernels::KernelId::gather_gradient, Instant{}, no_stage());
    const int objectives = static_cast<int>(superposition_.plan.objectives.size());
    const int parameters = asked().plan->parameter_count();
    const int own = superposition_.plan.parameter_count();
    double* row = outcome_.gradient.data() +
                  first * static_cast<std::size_t>(objectives) * asked().plan->nominal.size();
    for (int lane = 0; lane < static_cast<int>(count); ++lane)
      for (int o = 0; o < objectives; ++o, row += parameters) {
        copy_plain(whole, wholes_.layout().objective_gradient + o * parameters, parameters, lane,
                   row);
        const int from = setup_.layout.objective_gradient + o * own;
        for (int p = 0; p < superposition_.own_count(); ++p)
          row[superposition_.own[static_cast<std::size_t>(p)]] += chunk.entry(from + p, lane);
      }
  }

  const Superposition& superposition_;
  Wholes wholes_;
};

}  // namespace

std::unique_ptr<HostRun> make_windowed_adjoint_run(const MotionRequest& request, int threads) {
  return std::make_unique<WindowedAdjointRun>(request, threads);
}

}  // namespace gradus
