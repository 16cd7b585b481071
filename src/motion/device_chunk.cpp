// Chunks of designs on a device.
#include "src/motion/device_chunk.hpp"

#include <algorithm>

#include "src/plan/layout.hpp"

namespace gradus {

namespace {

kernels::PlanView with_columns(kernels::PlanView view, int first, int count) {
  view.column_begin = first;
  view.column_count = count;
  return view;
}

// Where number k of design or place `index` lies in tiles of `size` numbers each.
std::size_t in_tiles(std::size_t index, std::size_t size, std::size_t k) {
  return kernels::offset_in_tiles(index, size * kernels::kTile) + k * kernels::kTile;
}

// Room that is never empty.
std::size_t bytes_of(std::size_t numbers) {
  return std::max<std::size_t>(numbers, 1) * sizeof(double);
}

// What no design of a chunk has need of.
bool is_always_skipped(const kernels::Chunk& chunk, const kernels::StageTangent& stage) {
  constexpr auto kNone = static_cast<int>(kernels::ProjectionKind::none);
  return stage.skipped >= 0 &&
         (chunk.plan.constraint_rank == 0 || chunk.settings.projection_kind == kNone);
}

}  // namespace

DeviceSetup::DeviceSetup(Device& on, const MotionRequest& request)
    : device(on),
      apart(uses_stage_solver(request, on)),
      split(split_columns(request, apart)),
      layout(make_layout(with_columns(request.plan->view(), 0, split.width), request.sensitivity,
                         request.tableau.view(nullptr),
                         {request.uses_penalty(), request.records_columns(), apart})),
      formulation(request.formulation->make(layout, request.settings())),
      plan(on, request.plan->view()),
      numbers(on, bytes_of(request.tableau.numbers().size())),
      evaluation(on, sizeof(kernels::Evaluation)),
      tableau(request.tableau.view(static_cast<const double*>(numbers.data()))),
      solver_room_(apart ? stage_solver_room(request, split.width) : SolverRoom{}) {
  const std::vector<double> values = request.tableau.numbers();
  if (!values.empty()) on.upload(numbers.data(), values.data(), values.size() * sizeof(double));
  if (formulation.evaluation)
    on.upload(evaluation.data(), &*formulation.evaluation, sizeof(kernels::Evaluation));
}

DeviceChunk::DeviceChunk(const DeviceSetup& setup, const MotionRequest& request,
                         std::size_t designs, std::size_t slices)
    : device_(setup.device),
      count_(designs),
      motions_(setup.split.shares_motion ? designs : designs * slices),
      places_(designs * slices),
      motion_tiles_(kernels::tiles_of(motions_)),
      place_tiles_(kernels::tiles_of(places_)),
      shared_(setup.layout.shared),
      motion_size_(setup.motion_size()),
      slice_size_(setup.slice_size()),
      start_plan_(with_columns(setup.plan.view(), 0, setup.split.width)),
      memory_(device_, bytes_of(motion_tiles_ * kernels::kTile * motion_size_)),
      columns_(device_, bytes_of(place_tiles_ * kernels::kTile * slice_size_)),
      status_(device_, motions_ * sizeof(kernels::Status)),
      failure_time_(device_, bytes_of(motions_)),
      clock_(device_, 2 * sizeof(double)) {
  arguments_.evaluation = static_cast<const kernels::Evaluation*>(setup.evaluation.data());
  auto& chunk = arguments_.chunk;
  chunk.tableau = setup.tableau;
  chunk.plan = start_plan_;
  chunk.layout = setup.layout;
  chunk.settings = request.settings();
  chunk.memory = static_cast<double*>(memory_.data());
  chunk.columns = static_cast<double*>(columns_.data());
  chunk.status = static_cast<kernels::Status*>(status_.data());
  chunk.failure_time = static_cast<double*>(failure_time_.data());
  chunk.design_count = static_cast<std::ptrdiff_t>(motions_);
  chunk.slice_count = static_cast<std::ptrdiff_t>(places_ / motions_);
  chunk.column_stride = static_cast<std::ptrdiff_t>(designs);
  if (setup.apart) make_solver(request);
}

// Slices of one design are right-hand sides of one system, those of a tile in one solution: there
// the rows of the slices lie side by side, as columns of a matrix do.
void DeviceChunk::make_solver(const MotionRequest& request) {
  const int width = start_plan_.column_count;
  columns_of_solver_ = is_one_system() ? width * kernels::kTile : width;
  LinearBatch batch;
  batch.size = kernels::after_start(start_plan_).independent_count;
  batch.count = static_cast<std::ptrdiff_t>(motions_);
  batch.matrices = {true, static_cast<std::ptrdiff_t>(motion_size_) * kernels::kTile};
  if (!is_one_system())
    batch.right_sides = {true, static_cast<std::ptrdiff_t>(slice_size_) * kernels::kTile};
  solver_ =
      make_stage_solver(request, device_, batch,
                        static_cast<int>(static_cast<std::size_t>(width) * places_ / motions_));
}

void DeviceChunk::see_columns(int first) {
  start_plan_.column_begin = first;
  arguments_.chunk.plan = start_plan_;
  sees_start_ = true;
  clock_runs_ = false;
  sequence_.reset();
}

void DeviceChunk::launch(kernels::KernelId kernel, double time, double weight, int last,
                         const kernels::StageTangent& stage) {
  using kernels::KernelId;
  arguments_.time = time;
  arguments_.weight = weight;
  arguments_.last = last;
  arguments_.stage = stage;
  see_plan(is_of_start(kernel, stage));
  if (kernel == KernelId::linearise) factorised_ = -1;
  if (kernel == KernelId::solve_columns && solver_ && is_for_stage_solver(stage) &&
      !is_always_skipped(arguments_.chunk, stage))
    return solve_apart(stage);
  if (kernel == KernelId::prepare_numbers) device_.clear(columns_.data(), columns_.size());
  run(kernel);
  if (arguments_.chunk.settings.with_columns == 0) return;
  // What the host does in the same launch is done slice by slice here.
  if (kernel == KernelId::start_partials) run(KernelId::start_columns);
  if (kernel == KernelId::linearise) run(KernelId::linearise_columns);
  if (kernel == KernelId::accumulate_objectives) run(KernelId::accumulate_gradients);
}

// Stages one after another may share their leading matrix.
void DeviceChunk::solve_apart(const kernels::StageTangent& stage) {
  using kernels::KernelId;
  const kernels::Layout& l = arguments_.chunk.layout;
  const kernels::PlanView& plan = arguments_.chunk.plan;
  if (factorised_ != stage.leading.factor) {
    run(KernelId::reduce_matrix);
    solver_->factorise(row(l.reduced));
    factorised_ = stage.leading.factor;
  }
  const int unknowns = l.column_scratch + plan.coordinate_count * plan.column_count;
  // What no slice fills is solved for as well.
  if (is_one_system() && places_ % kernels::kTile != 0)
    clear(unknowns, plan.independent_count * plan.column_count);
  run(KernelId::prepare_columns);
  const std::size_t solutions = is_one_system() ? place_tiles_ : 1;
  for (std::size_t t = 0; t < solutions; ++t)
    solver_->solve(row(unknowns) + t * slice_size_ * kernels::kTile, columns_of_solver_, false);
  run(KernelId::finish_columns);
}

void DeviceChunk::run(kernels::KernelId kernel) {
  if (told_ != nullptr)
    told_->push_back({kernel, arguments_});
  else
    device_.launch(kernel, arguments_);
}

double* DeviceChunk::row(int offset) const {
  const bool of_motion = offset < shared_;
  return static_cast<double*>((of_motion ? memory_ : columns_).data()) +
         static_cast<std::size_t>(of_motion ? offset : offset - shared_) * kernels::kTile;
}

std::size_t DeviceChunk::pitch(int offset) const {
  return (offset < shared_ ? motion_size_ : slice_size_) * kRowBytes;
}

// What is copied may lie on both sides of where the columns begin.
void DeviceChunk::keep(int offset, int size, Store& to, std::size_t row) {
  const int before = std::clamp(shared_ - offset, 0, size);
  const std::size_t pitch = to.size() / motion_tiles_;
  auto* place = static_cast<double*>(to.data()) + row * kernels::kTile;
  device_.copy(place, this->row(offset),
               pieces_from(offset, static_cast<std::size_t>(before), pitch));
  place += static_cast<std::size_t>(before) * kernels::kTile;
  device_.copy(place, this->row(offset + before),
               pieces_from(offset + before, static_cast<std::size_t>(size - before), pitch));
}

void DeviceChunk::put_back(int offset, int size, Store& from, std::size_t row) {
  const int before = std::clamp(shared_ - offset, 0, size);
  const std::size_t pitch = from.size() / motion_tiles_;
  const auto* place = static_cast<const double*>(from.data()) + row * kernels::kTile;
  device_.copy(this->row(offset), place, pieces(offset, static_cast<std::size_t>(before), pitch));
  place += static_cast<std::size_t>(before) * kernels::kTile;
  device_.copy(this->row(offset + before), place,
               pieces(offset + before, static_cast<std::size_t>(size - before), pitch));
}

void DeviceChunk::see_plan(bool of_start) {
  if (start_plan_.start_constraints == 0 || sees_start_ == of_start) return;
  arguments_.chunk.plan = of_start ? start_plan_ : kernels::after_start(start_plan_);
  sees_start_ = of_start;
}

void DeviceChunk::upload(int offset, std::size_t size, const double* values) {
  std::vector<double> block(motion_tiles_ * kernels::kTile * size);
  for (std::size_t m = 0; m < motions_; ++m)
    for (std::size_t k = 0; k < size; ++k)
      block[in_tiles(m, size, k)] = values[m % count_ * size + k];
  device_.upload(row(offset), block.data(), pieces(offset, size, size * kRowBytes));
}

std::vector<double> DeviceChunk::download_tiles(int offset, std::size_t size) {
  std::vector<double> block(tiles(offset) * kernels::kTile * size);
  device_.download(block.data(), row(offset), pieces_from(offset, size, size * kRowBytes));
  return block;
}

void DeviceChunk::download(int offset, std::size_t size, double* values) {
  const std::vector<double> block = download_tiles(offset, size);
  for (std::size_t d = 0; d < count_; ++d)
    for (std::size_t k = 0; k < size; ++k) values[d * size + k] = block[in_tiles(d, size, k)];
}

double* DeviceChunk::download_later(int offset, std::size_t size, std::size_t first_tile,
                                    std::size_t tiles, double* to) {
  const std::size_t pitch = this->pitch(offset);
  device_.download_later(to, row(offset) + first_tile * pitch / sizeof(double),
                         {size * kRowBytes, tiles, size * kRowBytes, pitch});
  return to + tiles * size * kernels::kTile;
}

void DeviceChunk::download_columns(int offset, std::size_t rows, double* values) {
  const auto width = static_cast<std::size_t>(start_plan_.column_count);
  const auto first = static_cast<std::size_t>(start_plan_.column_begin);
  const auto all = static_cast<std::size_t>(start_plan_.parameter_count);
  const std::vector<double> block = download_tiles(offset, rows * width);
  for (std::size_t place = 0; place < places_; ++place) {
    const std::size_t begin = first + place / count_ * width;
    const std::size_t filled = std::min(begin + width, std::max(begin, all)) - begin;
    double* design = values + place % count_ * rows * all;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < filled; ++c)
        design[r * all + begin + c] = block[in_tiles(place, rows * width, r * width + c)];
  }
}

std::vector<double> DeviceChunk::download_slices(int offset) {
  std::vector<double> values = download_tiles(offset, 1);  // which are in order
  values.resize(places_);
  return values;
}

void DeviceChunk::download_status(kernels::Status* status, double* failure_time) {
  std::vector<kernels::Status> statuses(motions_);
  std::vector<double> times(motions_);
  device_.download(statuses.data(), status_.data(), status_.size());
  device_.download(times.data(), failure_time_.data(), motions_ * sizeof(double));
  for (std::size_t m = 0; m < motions_; ++m) {
    const std::size_t d = m % count_;
    if (status[d] != kernels::Status::ok || statuses[m] == kernels::Status::ok) continue;
    status[d] = statuses[m];
    failure_time[d] = times[m];
  }
}

}  // namespace gradus
