// Gradients from superposed columns: between two knots of the splines each column is the same sum
// of a few. These are kept where a piece ends, and put together behind the motion.
#include <Eigen/Core>
#include <algorithm>
#include <concepts>
#include <utility>

#include "src/motion/host_chunk.hpp"
#include "src/motion/specialised_chunk.hpp"
#include "src/motion/superposition.hpp"
#include "src/motion/windows.hpp"

namespace gradus {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// What takes steps that it is told of.
template <class Driver>
concept Tells = requires(Driver& driver) {
  driver.count_step();
};

// The columns of one chunk, and what is made of them. The time loop drives it like the chunk, or,
// where programs take its steps, like what drives these.
template <class Driver>
class SuperposedChunk {
 public:
  SuperposedChunk(Driver& driver, HostChunk<double>& chunk, Windows& windows,
                  const Superposition& superposition, const kernels::Layout& layout)
      : driver_(driver),
        chunk_(chunk),
        windows_(windows),
        s_(superposition),
        layout_(layout),
        objectives_(static_cast<int>(s_.plan.objectives.size())),
        made_(static_cast<std::size_t>(chunk.lanes())) {
    for (Made& made : made_) {
      made.columns.setZero(s_.states(), s_.superposed_count());
      made.gradient.setZero(objectives_, s_.superposed_count());
    }
  }

  bool has_failed() const { return chunk_.has_failed(); }
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (kernel == kernels::KernelId::predict && !is_telling_) begin_step(at.time);
    driver_.launch(kernel, at, stage);
    if (kernel == kernels::KernelId::prepare_numbers) begin(at.time);
  }
  void count_step() requires Tells<Driver> { driver_.count_step(); }
  template <std::invocable Step>
  void replay(std::size_t count, const Step& step) requires Tells<Driver> {
    const auto tell = [&] {
      is_telling_ = true;
      step();
      is_telling_ = false;
    };
    driver_.replay(count, tell, [&](double time) { begin_step(time); });
  }

  // Of all pieces so far: [objective, superposed parameter].
  Matrix gradient(int lane) {
    keep_piece();
    Made& made = made_[static_cast<std::size_t>(lane)];
    Matrix gradient = made.gradient;
    // Backwards from piece to piece, objectives being few: how they change with what each begins
    // with.
    Matrix worth = Matrix::Zero(objectives_, s_.states());
    for (auto piece = kept_.rbegin(); piece != kept_.rend(); ++piece) {
      const Matrix& rows = piece->rows[static_cast<std::size_t>(lane)];
      const Matrix sum = rows.bottomRows(objectives_) + worth * rows.topRows(s_.states());
      for_each_change(piece->pieces, lane, [&](int parameter, int number, double change) {
        gradient.col(parameter) += change * sum.col(s_.states() + number);
      });
      worth = sum.leftCols(s_.states());
    }
    return gradient + worth * made.columns;
  }

 private:
  // What columns have come to before the pieces that are kept.
  struct Made {
    Matrix columns;   // [number that steps begin with, parameter]
    Matrix gradient;  // [objective, parameter]
  };
  // How numbers that steps begin with, and objectives, change behind a piece with those before it,
  // and with values and slopes of the windows in it.
  struct Kept {
    std::vector<Piece> pieces;
    std::vector<Matrix> rows;  // [lane]
  };

  void begin(double time) {
    windows_.begin(time);
    is_open_ = true;
  }

  void begin_step(double time) {
    const std::vector<Piece>& next = windows_.pieces_at(time);
    if (is_stepping_ && are_same(next, windows_.pieces())) return;
    keep_piece();
    begin_columns();
    windows_.show(next);
    is_stepping_ = is_open_ = true;
  }

  // Calls visit(offset, row) for the rows of columns that count: of what steps begin with, and of
  // objectives.
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    const int n = s_.plan.coordinate_count();
    int row = 0;
    for (const kernels::ColumnSet set : s_.carried)
      for (int c = 0; c < n; ++c) visit(layout_.columns[set] + c * s_.column_count(), row++);
    for (int o = 0; o < objectives_; ++o)
      visit(layout_.objective_gradient + o * s_.column_count(), row++);
  }

  // From here on columns are derivatives by what steps begin with here, and by pieces that come.
  void begin_columns() {
    for_each_row([&](int offset, int row) {
      const int first = offset + s_.first_state();
      chunk_.clear(first, s_.states() + s_.pieces());
      if (row < s_.states())
        for (int lane = 0; lane < chunk_.lanes(); ++lane) chunk_.entry(first + row, lane) = 1.0;
    });
  }

  // Calls visit(parameter, number, change) for how values and slopes at the ends of the windows
  // answer to the parameters.
  template <class Visit>
  void for_each_change(const std::vector<Piece>& pieces, int lane, const Visit& visit) const {
    const Courses& courses = windows_.courses();
    std::vector<Window> windows;
    for (std::size_t c = 0; c < pieces.size(); ++c) windows.push_back(courses.window(c, pieces[c]));
    for (int k = 0; k < s_.superposed_count(); ++k) {
      const auto parameter = static_cast<std::size_t>(k);
      for (int j = s_.share_begin[parameter]; j < s_.share_begin[parameter + 1]; ++j) {
        const Superposition::Share& share = s_.shares[static_cast<std::size_t>(j)];
        const Window& window = windows[static_cast<std::size_t>(share.course)];
        const auto change = courses.change(share, window, lane);
        for (int i = 0; i < kPieceNumbers; ++i)
          visit(k, kPieceNumbers * share.course + i, change[static_cast<std::size_t>(i)]);
      }
    }
  }

  void keep_piece() {
    if (!is_open_) return;
    Kept kept{windows_.pieces(), {}};
    const int width = s_.states() + s_.pieces();
    for (int lane = 0; lane < chunk_.lanes(); ++lane) {
      Matrix& rows = kept.rows.emplace_back(s_.states() + objectives_, width);
      for_each_row([&](int offset, int row) {
        for (int k = 0; k < width; ++k)
          rows(row, k) = chunk_.entry(offset + s_.first_state() + k, lane);
      });
    }
    kept_.push_back(std::move(kept));
    is_open_ = false;
    const std::size_t numbers =
        kept_.size() * static_cast<std::size_t>((s_.states() + objectives_) * width);
    if (numbers > most_kept_numbers || objectives_ > s_.states()) superpose();
  }

  // All columns, forwards.
  void superpose() {
    for (const Kept& piece : kept_)
      for (int lane = 0; lane < chunk_.lanes(); ++lane) {
        Made& made = made_[static_cast<std::size_t>(lane)];
        const Matrix& rows = piece.rows[static_cast<std::size_t>(lane)];
        Matrix weights = Matrix::Zero(s_.pieces(), s_.superposed_count());
        for_each_change(piece.pieces, lane, [&](int parameter, int number, double change) {
          weights(number, parameter) += change;
        });
        const Matrix sums =
            rows.leftCols(s_.states()) * made.columns + rows.rightCols(s_.pieces()) * weights;
        made.columns = sums.topRows(s_.states());
        made.gradient += sums.bottomRows(objectives_);
      }
    kept_.clear();
  }

  // Of a lane: a design has the same bits alone and in a pack.
  static constexpr std::size_t most_kept_numbers = 2'000'000;

  Driver& driver_;
  HostChunk<double>& chunk_;
  Windows& windows_;
  const Superposition& s_;
  const kernels::Layout& layout_;
  int objectives_;
  std::vector<Made> made_;    // [lane]
  std::vector<Kept> kept_;    // in the order in which they were
  bool is_open_ = false;      // numbers have changed since a piece was kept
  bool is_stepping_ = false;  // behind the start
  bool is_telling_ = false;
};

// The motion of packs of designs, with the columns that those of all parameters are made of.
class SuperposedRun : public HostRun {
 public:
  SuperposedRun(const MotionRequest& request, int threads)
      : HostRun(through_windows(request), threads),
        superposition_(*request.superposition),
        setup_(request_, request_.sensitivity, superposition_.column_count()),
        wholes_(request, 1, threads),
        chunks_(static_cast<std::size_t>(threads)) {}

 private:
  std::size_t prepare() override {
    const Vehicle before = std::exchange(vehicle_, choose_vehicle(request_, threads_));
    if (vehicle_.launch != before.launch)
      for (auto& chunk : chunks_) chunk.reset();
    wholes_.take(request_, vehicle_);
    steps_ = specialised_steps();
    return packs();
  }

  const MotionRequest& asked() const override { return wholes_.request(); }

  // Null: general kernels take them.
  std::shared_ptr<SpecialisedSteps> specialised_steps() const {
    if (request_.workshop == nullptr) return nullptr;
    const kernels::PlanView plan = kernels::after_start(
        with_columns_of(request_.plan->view(), 0, superposition_.column_count()));
    return request_.workshop->steps_for(
        request_, {plan, setup_.layout, request_.settings(), vehicle_.lanes, vehicle_.launch, {}});
  }

  TimeShare run_job(std::size_t thread, std::size_t job) override {
    auto& chunk = chunks_[thread];
    if (!chunk) chunk = std::make_unique<HostChunk<double>>(request_, setup_, vehicle_);
    const std::size_t design = job * lanes();
    const std::size_t count = std::min(lanes(), request_.n_design - design);
    chunk->see_columns(0, superposition_.column_count());
    Windows& windows = wholes_.windows(thread, design, count, *chunk, setup_.layout);
    Recorder<double> recorder(*chunk, request_, setup_.layout, design, count, 0, outcome_);
    if (!steps_) return run(*chunk, *chunk, windows, recorder, design, count);
    SpecialisedChunk specialised(*chunk, request_, *steps_);
    return run(specialised, *chunk, windows, recorder, design, count);
  }

  template <class Driver>
  TimeShare run(Driver& driver, HostChunk<double>& chunk, Windows& windows,
                Recorder<double>& recorder, std::size_t design, std::size_t count) {
    SuperposedChunk<Driver> superposed(driver, chunk, windows, superposition_, setup_.layout);
    TimeShare share = run_loop(superposed, setup_.formulation, recorder);
    Stopwatch watch;
    std::vector<Matrix> gradients;
    for (int lane = 0; lane < chunk.lanes(); ++lane) gradients.push_back(superposed.gradient(lane));
    share.sensitivity += watch.lap();
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t k = 0; k < count; ++k) {
      const int lane = static_cast<int>(k);
      collect(chunk, setup_.layout, *request_.plan, lane, design + k, outcome_);
      collect_gradient(chunk, gradients[k], lane, design + k);
    }
    return share;
  }

  void collect_gradient(HostChunk<double>& chunk, const Matrix& superposed, int lane,
                        std::size_t design) {
    const std::size_t objectives = request_.plan->objectives.size();
    const std::size_t parameters = superposition_.of->nominal.size();
    for (std::size_t o = 0; o < objectives; ++o) {
      double* const row = outcome_.gradient.data() + (design * objectives + o) * parameters;
      std::fill(row, row + parameters, 0.0);
      const int from =
          setup_.layout.objective_gradient + static_cast<int>(o) * superposition_.column_count();
      for (int k = 0; k < superposition_.own_count(); ++k)
        row[superposition_.own[static_cast<std::size_t>(k)]] += chunk.entry(from + k, lane);
      for (int k = 0; k < superposition_.superposed_count(); ++k)
        row[superposition_.superposed[static_cast<std::size_t>(k)]] +=
            superposed(static_cast<Eigen::Index>(o), k);
    }
  }

  void finish() override {
    if (steps_) tell_of(*steps_);
    for (std::size_t design = 0; design < request_.n_design; ++design)
      judge_design(asked(), design, outcome_);
  }

  const Superposition& superposition_;
  std::shared_ptr<SpecialisedSteps> steps_;
  HostSetup setup_;
  Wholes wholes_;
  std::vector<std::unique_ptr<HostChunk<double>>> chunks_;  // [thread]
};

}  // namespace

std::unique_ptr<HostRun> make_superposed_run(const MotionRequest& request, int threads) {
  return std::make_unique<SuperposedRun>(request, threads);
}

}  // namespace gradus
