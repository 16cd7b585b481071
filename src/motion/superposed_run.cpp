// Gradients from superposed columns: between two knots of the splines each column is the same sum
// of a few, and where a piece ends all of them are made of these at once.
#include <Eigen/Core>
#include <algorithm>
#include <utility>

#include "kernels/expressions/spline.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/superposition.hpp"

namespace gradus {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The knots at the ends of a piece; outside all knots the same one twice.
struct Piece {
  int left, right;
  bool operator==(const Piece&) const = default;
};

Piece piece_at(const kernels::SplineView& spline, double time) {
  const int q = static_cast<int>(kernels::spline_place(spline, time).polynomial);
  return {std::max(q - 1, 0), std::min(q, spline.knots - 1)};
}

// The columns of one chunk, and what is made of them. The time loop drives it like the chunk.
class SuperposedChunk {
 public:
  SuperposedChunk(HostChunk<double>& chunk, const Superposition& superposition,
                  const kernels::Layout& layout)
      : chunk_(chunk),
        s_(superposition),
        layout_(layout),
        objectives_(static_cast<int>(s_.plan.objectives.size())),
        made_(static_cast<std::size_t>(chunk.lanes())) {
    for (Made& made : made_) {
      made.columns.setZero(s_.states() + s_.pieces(), s_.superposed());
      made.gradient.setZero(objectives_, s_.superposed());
    }
  }

  bool has_failed() const { return chunk_.has_failed(); }
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (kernel == kernels::KernelId::predict) begin_step(at.time);
    chunk_.launch(kernel, at, stage);
    if (kernel == kernels::KernelId::prepare_numbers) mark(find_pieces(at.time), 1.0);
  }

  // Of all columns so far.
  void superpose() {
    for (int lane = 0; lane < chunk_.lanes(); ++lane) superpose(lane);
  }
  // [objective, superposed parameter], up to the last call of superpose()
  const Matrix& gradient(int lane) const { return made_[static_cast<std::size_t>(lane)].gradient; }

 private:
  struct Made {
    Matrix columns;  // [number that steps begin with, then value or slope of a piece; parameter]
    Matrix gradient;
  };

  void begin_step(double time) {
    const std::vector<Piece> next = find_pieces(time);
    if (has_begun_ && next == pieces_) return;
    superpose();
    begin_columns();
    mark(pieces_, 0.0);
    mark(next, 1.0);
    has_begun_ = true;
  }

  std::vector<Piece> find_pieces(double time) const {
    std::vector<Piece> found;
    for (const Superposition::Course& course : s_.courses) {
      const auto& spline = s_.plan.splines[static_cast<std::size_t>(course.spline)];
      found.push_back(piece_at(kernels::spline_view(spline, s_.plan.spline_numbers.data()), time));
    }
    return found;
  }

  // The columns of a piece are those of its values and slopes at both ends.
  void mark(const std::vector<Piece>& pieces, double size) {
    for (std::size_t c = 0; c < s_.courses.size(); ++c) {
      const Superposition::Course& course = s_.courses[c];
      const int knots = s_.plan.splines[static_cast<std::size_t>(course.spline)].knots;
      const auto [left, right] = pieces[c];
      const int places[kPieceNumbers] = {left, knots + left, right, knots + right};
      for (int k = 0; k < (left == right ? 2 : kPieceNumbers); ++k)
        for (int lane = 0; lane < chunk_.lanes(); ++lane)
          chunk_.entry(layout_.direction + course.directions[k] + places[k], lane) = size;
    }
    pieces_ = pieces;
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

  // How values and slopes at the ends of the pieces answer to the parameters.
  void weigh_pieces(int lane, Matrix& columns) {
    columns.bottomRows(s_.pieces()).setZero();
    for (int k = 0; k < s_.superposed(); ++k) {
      const auto parameter = static_cast<std::size_t>(k);
      for (int j = s_.share_begin[parameter]; j < s_.share_begin[parameter + 1]; ++j) {
        const auto& [course, entry] = s_.shares[static_cast<std::size_t>(j)];
        const auto [left, right] = pieces_[static_cast<std::size_t>(course)];
        const auto of = [&, &own = entry](int knot, int level) {
          const int at = knot - own.first;
          if (at < 0 || at >= own.count) return 0.0;
          return chunk_.entry(layout_.direction + own.direction + level * own.count + at, lane);
        };
        const int row = s_.states() + kPieceNumbers * course;
        columns.col(k).segment<kPieceNumbers>(row) << of(left, 0), of(left, 1), of(right, 0),
            of(right, 1);
      }
    }
  }

  void superpose(int lane) {
    Made& made = made_[static_cast<std::size_t>(lane)];
    const int width = s_.states() + s_.pieces();
    Matrix rows(s_.states() + objectives_, width);
    for_each_row([&](int offset, int row) {
      for (int k = 0; k < width; ++k)
        rows(row, k) = chunk_.entry(offset + s_.first_state() + k, lane);
    });
    weigh_pieces(lane, made.columns);
    const Matrix sums = rows * made.columns;
    made.columns.topRows(s_.states()) = sums.topRows(s_.states());
    made.gradient += sums.bottomRows(objectives_);
  }

  HostChunk<double>& chunk_;
  const Superposition& s_;
  const kernels::Layout& layout_;
  int objectives_;
  std::vector<Made> made_;  // [lane]
  std::vector<Piece> pieces_;
  bool has_begun_ = false;
};

// The motion of packs of designs, with the columns that those of all parameters are made of.
class SuperposedRun : public HostRun {
 public:
  SuperposedRun(const MotionRequest& request, int threads)
      : HostRun(request, threads),
        superposition_(*request.superposition),
        chunks_(static_cast<std::size_t>(threads)) {
    request_.plan = &superposition_.plan;
    setup_ =
        std::make_unique<HostSetup>(request_, request_.sensitivity, superposition_.column_count());
  }

 private:
  std::size_t prepare() override {
    const Vehicle before = std::exchange(vehicle_, choose_vehicle(request_, threads_));
    if (vehicle_.launch != before.launch)
      for (auto& chunk : chunks_) chunk.reset();
    // In the order of the plan.
    const std::size_t parameters = superposition_.order.size();
    std::vector<double> row(parameters);
    for (std::size_t design = 0; design < request_.n_design; ++design) {
      double* const own = request_.parameters.data() + design * parameters;
      row.assign(own, own + parameters);
      for (std::size_t k = 0; k < parameters; ++k)
        own[k] = row[static_cast<std::size_t>(superposition_.order[k])];
    }
    return packs();
  }

  TimeShare run_job(std::size_t thread, std::size_t job) override {
    auto& chunk = chunks_[thread];
    if (!chunk) chunk = std::make_unique<HostChunk<double>>(request_, *setup_, vehicle_);
    const kernels::Layout& layout = setup_->layout;
    const std::size_t design = job * lanes();
    const std::size_t count = std::min(lanes(), request_.n_design - design);
    set_designs(*chunk, request_, layout, design, count);
    chunk->see_columns(0, superposition_.column_count());
    Recorder<double> recorder(*chunk, request_, layout, design, count, 0, outcome_);
    SuperposedChunk superposed(*chunk, superposition_, layout);
    const TimeShare share = run_loop(superposed, setup_->formulation, recorder);
    superposed.superpose();
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t k = 0; k < count; ++k) {
      const int lane = static_cast<int>(k);
      collect(*chunk, layout, *request_.plan, lane, design + k, outcome_);
      collect_gradient(*chunk, superposed, lane, design + k);
    }
    return share;
  }

  void collect_gradient(HostChunk<double>& chunk, const SuperposedChunk& superposed, int lane,
                        std::size_t design) {
    const std::size_t objectives = request_.plan->objectives.size();
    const std::size_t parameters = request_.column_count();
    for (std::size_t o = 0; o < objectives; ++o) {
      double* const row = outcome_.gradient.data() + (design * objectives + o) * parameters;
      const int from =
          setup_->layout.objective_gradient + static_cast<int>(o) * superposition_.column_count();
      for (int k = 0; k < superposition_.own; ++k) row[parameter(k)] = chunk.entry(from + k, lane);
      for (int k = 0; k < superposition_.superposed(); ++k)
        row[parameter(superposition_.own + k)] =
            superposed.gradient(lane)(static_cast<Eigen::Index>(o), k);
    }
  }
  std::size_t parameter(int place) const {
    return static_cast<std::size_t>(superposition_.order[static_cast<std::size_t>(place)]);
  }

  void finish() override {
    for (std::size_t design = 0; design < request_.n_design; ++design)
      judge_design(request_, design, outcome_);
  }

  const Superposition& superposition_;
  std::unique_ptr<HostSetup> setup_;
  std::vector<std::unique_ptr<HostChunk<double>>> chunks_;  // [thread]
};

}  // namespace

std::unique_ptr<HostRun> make_superposed_run(const MotionRequest& request, int threads) {
  return std::make_unique<SuperposedRun>(request, threads);
}

}  // namespace gradus
