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

// What no design of a chunk has need of.
bool is_always_skipped(const kernels::Chunk& chunk, const kernels::StageTangent& stage) {
  constexpr auto kNone = static_cast<int>(kernels::ProjectionKind::none);
  return stage.skipped >= 0 &&
         (chunk.plan.constraint_rank == 0 || chunk.settings.projection_kind == kNone);
}

}  // namespace

DeviceSetup::DeviceSetup(Device& on, const MotionRequest& request, bool made)
    : device(on),
      apart(!made && uses_stage_solver(request, on)),
      split(made ? ColumnSplit{static_cast<int>(request.plan->nominal.size()), 1, false}
                 : split_columns(request, apart)),
      layout(make_layout(with_columns(request.plan->view(), 0, split.width), request.sensitivity,
                         request.tableau.view(nullptr),
                         {request.uses_penalty(), request.records_columns(), apart, false, false,
                          request.eliminates_ties()})),
      formulation(request.formulation->make(layout, request.settings())),
      made_steps(made ? load_steps(request, on, layout) : nullptr),
      plan(on, request.plan->view()),
      numbers(on, request.tableau.numbers().size() * sizeof(double)),
      evaluation(on, sizeof(kernels::Evaluation)),
      tableau(request.tableau.view(static_cast<const double*>(numbers.data()))),
      room(apart ? stage_solver_room(request, split.width) : SolverRoom{}) {
  room.motion += static_cast<std::size_t>(layout.shared);
  room.slice += static_cast<std::size_t>(places() - layout.shared);
  if (numbers.size() > 0)
    on.upload(numbers.data(), request.tableau.numbers().data(), numbers.size());
  if (formulation.evaluation)
    on.upload(evaluation.data(), &*formulation.evaluation, sizeof(kernels::Evaluation));
}

DeviceChunk::DeviceChunk(const DeviceSetup& setup, const MotionRequest& request,
                         std::size_t designs, std::size_t slices)
    : device_(setup.device),
      request_(request),
      count_(designs),
      motions_(setup.split.shares_motion ? designs : designs * slices),
      places_(designs * slices),
      start_plan_(with_columns(setup.plan.view(), 0, setup.split.width)),
      cancellation_(request.cancelled),
      motion_memory_(device_, motions_, 0, setup.layout.shared),
      slice_memory_(device_, places_, setup.layout.shared, setup.places()),
      status_(device_, motions_ * sizeof(kernels::Status)),
      failure_time_(device_, motions_ * sizeof(double)),
      clock_(device_, 2 * sizeof(double)) {
  arguments_.evaluation = static_cast<const kernels::Evaluation*>(setup.evaluation.data());
  auto& chunk = arguments_.chunk;
  chunk.tableau = setup.tableau;
  chunk.plan = start_plan_;
  chunk.layout = setup.layout;
  chunk.layout.size = setup.places();  // which is how far tiles are apart
  chunk.settings = request.settings();
  chunk.memory = motion_memory_.memory.data();
  chunk.columns = slice_memory_.memory.data();
  chunk.status = static_cast<kernels::Status*>(status_.data());
  chunk.failure_time = static_cast<double*>(failure_time_.data());
  chunk.design_count = static_cast<std::ptrdiff_t>(motions_);
  chunk.slice_count = static_cast<std::ptrdiff_t>(places_ / motions_);
  chunk.column_stride = static_cast<std::ptrdiff_t>(designs);
  if (setup.apart) make_solver(request);
  if (setup.made_steps) make_steps(*setup.made_steps);
}

void DeviceChunk::make_steps(LoadedSteps& loaded) {
  const auto numbers = [](const Tiles& tiles) {
    return static_cast<std::ptrdiff_t>(tiles.pitch / sizeof(double));
  };
  StepBatch designs{};
  designs.motions = static_cast<double*>(motion_memory_.memory.data());
  designs.motion_pitch = numbers(motion_memory_);
  designs.columns = static_cast<double*>(slice_memory_.memory.data());
  designs.column_pitch = numbers(slice_memory_);
  designs.length = request_.step;
  designs.count = static_cast<std::ptrdiff_t>(motions_);
  made_steps_.emplace(device_, loaded, designs);
}

// Whoever records a step looks at all that it leaves.
void DeviceChunk::take_made(std::ptrdiff_t count) {
  auto* const status = static_cast<kernels::Status*>(status_.data());
  const auto general = [this](double time, kernels::Status* of) { take_general(time, of); };
  const std::ptrdiff_t last = steps_done_ + count;
  while (steps_done_ < last) {
    std::ptrdiff_t end = steps_done_;
    while (end < last && !made_steps_->are_wrong() &&
           !is_seen(request_, static_cast<std::size_t>(end + 1)))
      ++end;
    if (end > steps_done_) made_steps_->take(steps_done_, end, status, general);
    steps_done_ = end;
    if (end == last) break;
    ++steps_done_;
    general(static_cast<double>(steps_done_) * request_.step, status);
  }
}

void DeviceChunk::take_general(double time, kernels::Status* status) {
  for (DeviceLaunch launch : step_launches_) {
    launch.arguments.clock = nullptr;
    launch.arguments.time = time;
    launch.arguments.chunk.status = status;
    device_.launch(launch.kernel, launch.arguments);
  }
}

// Slices of one design are right-hand sides of one system, those of a tile in one solution: there
// the rows of the slices lie side by side, as columns of a matrix do.
void DeviceChunk::make_solver(const MotionRequest& request) {
  const int width = start_plan_.column_count;
  columns_of_solver_ = is_one_system() ? width * kernels::kTile : width;
  const auto arrangement = [](const Tiles& tiles) {
    return kernels::Arrangement{true, static_cast<std::ptrdiff_t>(tiles.pitch / sizeof(double))};
  };
  LinearBatch batch;
  batch.size = kernels::after_start(start_plan_).independent_count;
  batch.count = static_cast<std::ptrdiff_t>(motions_);
  batch.matrices = arrangement(motion_memory_);
  if (!is_one_system()) batch.right_sides = arrangement(slice_memory_);
  const std::size_t columns = static_cast<std::size_t>(width) * places_ / motions_;
  solver_ = make_stage_solver(request, device_, batch, static_cast<int>(columns));
}

void DeviceChunk::take_steps(const ProbedSteps& probed) {
  if (probed.steps.empty()) return;
  given_steps_.emplace(device_, probed.steps.size() * sizeof(double));
  given_begin_.emplace(device_, probed.begin.size() * sizeof(std::ptrdiff_t));
  device_.upload(given_steps_->data(), probed.steps.data(), given_steps_->size());
  device_.upload(given_begin_->data(), probed.begin.data(), given_begin_->size());
  arguments_.chunk.given_steps = static_cast<const double*>(given_steps_->data());
  arguments_.chunk.given_begin = static_cast<const std::ptrdiff_t*>(given_begin_->data());
}

void DeviceChunk::limit_steps(const MotionRequest& request, std::size_t first) {
  if (!request.chooses_steps() || request.plan->time_laws.empty()) return;
  const std::size_t width = request.plan->nominal.size();
  std::vector<double> limits;
  std::vector<std::ptrdiff_t> begin{0};
  for (std::size_t design = first; design < first + count_; ++design) {
    const std::vector<double> own =
        step_limits(*request.plan, std::span(request.parameters).subspan(design * width, width),
                    request.settings().duration);
    limits.insert(limits.end(), own.begin(), own.end());
    begin.push_back(static_cast<std::ptrdiff_t>(limits.size() / kernels::kStepLimitNumbers));
  }
  if (limits.empty()) return;
  step_limits_.emplace(device_, limits.size() * sizeof(double));
  limit_begin_.emplace(device_, begin.size() * sizeof(std::ptrdiff_t));
  device_.upload(step_limits_->data(), limits.data(), step_limits_->size());
  device_.upload(limit_begin_->data(), begin.data(), limit_begin_->size());
  arguments_.chunk.step_limits = static_cast<const double*>(step_limits_->data());
  arguments_.chunk.limit_begin = static_cast<const std::ptrdiff_t*>(limit_begin_->data());
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
  cancellation_.look();
  arguments_.time = time;
  arguments_.weight = weight;
  arguments_.last = last;
  arguments_.stage = stage;
  see_plan(is_of_start(kernel, stage));
  if (kernel == KernelId::linearise) factorised_ = -1;
  if (kernel == KernelId::solve_columns && solver_ && is_for_stage_solver(stage) &&
      !is_always_skipped(arguments_.chunk, stage))
    return solve_apart(stage);
  if (kernel == KernelId::prepare_numbers)
    device_.clear(slice_memory_.memory.data(), slice_memory_.memory.size());
  // What the host does in the same launch is done slice by slice here.
  const bool with_columns = arguments_.chunk.settings.with_columns != 0;
  if (with_columns && kernel == KernelId::sample) run(KernelId::sample_columns);
  run(kernel);
  if (kernel == KernelId::linearise) run(KernelId::linearise_columns);  // for adjoints, too
  if (!with_columns) return;
  if (kernel == KernelId::start_partials) run(KernelId::start_columns);
  if (kernel == KernelId::linearise_rest) run(KernelId::rest_columns);
  if (kernel == KernelId::accumulate_objectives) run(KernelId::accumulate_gradients);
}

// Stages one after another may share their leading matrix.
void DeviceChunk::solve_apart(const kernels::StageTangent& stage) {
  using kernels::KernelId;
  const kernels::Layout& l = arguments_.chunk.layout;
  const kernels::PlanView& plan = arguments_.chunk.plan;
  if (factorised_ != stage.leading.factor) {
    run(KernelId::reduce_matrix);
    solver_->factorise(motion_memory_.row(l.reduced));
    factorised_ = stage.leading.factor;
  }
  const int unknowns = l.column_scratch + plan.coordinate_count * plan.column_count;
  // What no slice fills is solved for as well.
  if (is_one_system() && places_ % kernels::kTile != 0)
    clear(unknowns, plan.independent_count * plan.column_count);
  run(KernelId::prepare_columns);
  const std::size_t solutions = is_one_system() ? slice_memory_.count : 1;
  for (std::size_t t = 0; t < solutions; ++t)
    solver_->solve(slice_memory_.row(unknowns) + t * slice_memory_.pitch / sizeof(double),
                   columns_of_solver_, false);
  run(KernelId::finish_columns);
}

void DeviceChunk::run(kernels::KernelId kernel) {
  if (told_ != nullptr)
    told_->push_back({kernel, arguments_});
  else
    device_.launch(kernel, arguments_);
}

// What is copied may lie on both sides of where the columns begin.
void DeviceChunk::exchange(int offset, int size, Store& store, std::size_t row, bool keeps) {
  const std::size_t pitch = store.size() / motion_memory_.count;
  auto* place = static_cast<double*>(store.data()) + row * kernels::kTile;
  const int border = std::clamp(slice_memory_.begin, offset, offset + size);
  for (const auto& [begin, end] : {std::pair{offset, border}, std::pair{border, offset + size}}) {
    const auto numbers = static_cast<std::size_t>(end - begin);
    if (keeps)
      get(Transfer::copy, begin, numbers, place, pitch);
    else
      put(Transfer::copy, begin, numbers, place, pitch);
    place += numbers * kernels::kTile;
  }
}

void DeviceChunk::see_plan(bool of_start) {
  if (start_plan_.start_constraints == 0 || sees_start_ == of_start) return;
  arguments_.chunk.plan = of_start ? start_plan_ : kernels::after_start(start_plan_);
  sees_start_ = of_start;
}

void DeviceChunk::upload(int offset, std::size_t size, const double* values) {
  std::vector<double> block(motion_memory_.count * kernels::kTile * size);
  for (std::size_t m = 0; m < motions_; ++m)
    for (std::size_t k = 0; k < size; ++k)
      block[in_tiles(m, size, k)] = values[m % count_ * size + k];
  put(Transfer::upload, offset, size, block.data(), size * kRowBytes);
}

std::vector<double> DeviceChunk::download_tiles(int offset, std::size_t size) {
  std::vector<double> block(tiles(offset).count * kernels::kTile * size);
  get(Transfer::download, offset, size, block.data(), size * kRowBytes);
  return block;
}

void DeviceChunk::download(int offset, std::size_t size, double* values) {
  const std::vector<double> block = download_tiles(offset, size);
  for (std::size_t d = 0; d < count_; ++d)
    for (std::size_t k = 0; k < size; ++k) values[d * size + k] = block[in_tiles(d, size, k)];
}

double* DeviceChunk::download_later(int offset, std::size_t size, std::size_t first_tile,
                                    std::size_t tiles, double* to) {
  const std::size_t pitch = motion_memory_.pitch;
  device_.move(Transfer::download_later, to,
               motion_memory_.row(offset) + first_tile * pitch / sizeof(double),
               {size * kRowBytes, tiles, size * kRowBytes, pitch});
  return to + tiles * size * kernels::kTile;
}

void DeviceChunk::download_columns(int offset, std::size_t rows,
                                   const std::function<double*(std::size_t)>& to) {
  const auto width = static_cast<std::size_t>(start_plan_.column_count);
  const auto first = static_cast<std::size_t>(start_plan_.column_begin);
  const auto all = static_cast<std::size_t>(start_plan_.parameter_count);
  const std::vector<double> block = download_tiles(offset, rows * width);
  for (std::size_t place = 0; place < places_; ++place) {
    const std::size_t begin = first + place / count_ * width;
    const std::size_t filled = std::min(begin + width, std::max(begin, all)) - begin;
    double* design = to(place % count_);
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
  device_.download(times.data(), failure_time_.data(), failure_time_.size());
  for (std::size_t m = 0; m < motions_; ++m) {
    const std::size_t d = m % count_;
    if (status[d] != kernels::Status::ok || statuses[m] == kernels::Status::ok) continue;
    status[d] = statuses[m];
    failure_time[d] = times[m];
  }
}

}  // namespace gradus
