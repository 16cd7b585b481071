// Time loops on the host.
#include "src/motion/host_run.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <thread>
#include <utility>

#include "src/backend/host_kernels.hpp"
#include "src/motion/exact_integrals.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/smooth_extrema.hpp"
#include "src/motion/specialised_chunk.hpp"
#include "src/motion/step_probe.hpp"
#include "src/motion/stiff_designs.hpp"
#include "src/motion/superposition.hpp"

namespace gradus {
namespace {

using kernels::DualNumber;

// The same for designs that choose their own steps.
std::string_view why_alone_adaptively(const MotionRequest& request) {
  if (request.tableau.implicit) return "an implicit integrator chooses the steps of each design";
  if (is_adjoint(request.sensitivity)) return "adjoints go back by the steps of each design";
  if (request.is_probed()) return "the steps of designs are found one by one";
  if (request.record || request.notes_steps) return "designs that are recorded go alone";
  const kernels::PlanView plan = request.plan->view();
  if (plan.search_count > 0) return "designs look for instants of their own";
  if (plan.event_count > 0) return "events come in each design at a time of its own";
  if (plan.sample_time_count > 0) return "states are sampled between steps";
  return "";
}

// Starts as many threads as are asked for, or as the system has left.
template <class Run>
std::vector<std::thread> start_threads(std::size_t count, const Run& run) {
  std::vector<std::thread> team;
  team.reserve(count);
  try {
    for (std::size_t t = 1; t <= count; ++t) team.emplace_back(run, t);
  } catch (const std::exception&) {  // no room for another, or no more are allowed
  }
  return team;
}

// Calls work(thread, job) for every job, each on one of the threads, of which 0 is the caller's.
// Where the system has fewer threads left, these do it all.
template <class Work>
void for_each_job(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&](std::size_t thread) {
    try {
      for (std::size_t job = next++; job < count; job = next++) work(thread, job);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  const std::size_t useful = std::min(count, static_cast<std::size_t>(threads));
  std::vector<std::thread> team = start_threads(useful > 0 ? useful - 1 : 0, run);
  run(0);
  for (std::thread& thread : team) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// What a run holds stays in the second-level cache. More blocks where threads would stand idle.
constexpr std::size_t kBlockColumns = 256;  // of all lanes
constexpr std::size_t kWorthAThread = 64;   // columns

// Columns of a block; each block has a motion of its own.
std::size_t block_width(const MotionRequest& request, std::size_t lanes, std::size_t packs,
                        int threads) {
  const std::size_t parameters = request.column_count();
  if (!request.with_columns() || parameters == 0) return parameters;
  if (request.columns_decide()) return parameters;
  // The matrix of a sum of squares has an entry for every pair of columns.
  if (request.plan->least_squares_count > 0) return parameters;
  const std::size_t most = kBlockColumns / lanes;
  const std::size_t idle = static_cast<std::size_t>(threads) / std::max<std::size_t>(packs, 1);
  std::size_t count = (parameters + most - 1) / most;
  count = std::max(count, std::min(idle, parameters / kWorthAThread));
  // Whole groups of columns, which go through vector registers together.
  return ((parameters + count - 1) / count + 7) / 8 * 8;
}

// The part of a gradient that a block has.
void collect_gradient(HostChunk<double>& chunk, const kernels::Layout& layout,
                      const MotionRequest& request, int lane, std::size_t design, int first,
                      MotionOutcome& outcome) {
  note_failure(chunk, lane, design, outcome);
  const std::size_t parameters = request.column_count();
  const std::size_t objectives = request.plan->objectives.size();
  const int width = chunk.column_count();
  for (std::size_t o = 0; o < objectives; ++o)
    copy_plain(chunk, layout.objective_gradient + static_cast<int>(o) * width, width, lane,
               outcome.gradient.data() + (design * objectives + o) * parameters + first);
  const std::size_t matrices = gauss_newton_size(request);  // behind it, of all columns
  if (matrices == 0) return;
  copy_plain(chunk, layout.objective_gradient + static_cast<int>(objectives) * width,
             static_cast<int>(matrices), lane, outcome.gauss_newton.data() + design * matrices);
}

}  // namespace

std::string_view why_alone(const MotionRequest& request) {
  if (!request.given_steps.empty()) return "the steps of designs are given";
  // Rows of reactions ask whether a projection by penalty was skipped, once for all lanes.
  const kernels::PlanView plan = request.plan->view();
  const bool asks_for_rows =
      plan.uses_reactions != 0 || (request.records_columns() && shows_reactions(plan));
  if (request.uses_penalty() && asks_for_rows)
    return "designs skip projections by penalty, of which reactions have to know";
  if (request.sensitivity == Sensitivity::continuous)
    return "designs of continuous adjoints go alone";
  return request.is_adaptive() ? why_alone_adaptively(request) : "";
}

std::vector<int> possible_lanes() {
  std::vector<int> lanes{1};
  for (const kernels::Translation& t : kernels::translations())
    if (t.packs != nullptr) lanes.push_back(t.lanes);
  return lanes;
}

Vehicle choose_vehicle(const MotionRequest& request, int threads) {
  Vehicle vehicle{1, host_kernels()};
  if (request.lanes == 1 || !why_alone(request).empty()) return vehicle;
  const auto team = static_cast<std::size_t>(std::max(threads, 1));
  const std::size_t wanted = request.lanes > 0 ? static_cast<std::size_t>(request.lanes)
                                               : (request.n_design + team - 1) / team;
  if (wanted < 2) return vehicle;
  for (const kernels::Translation& t : kernels::translations()) {
    if (vehicle.lanes > 1 && static_cast<std::size_t>(vehicle.lanes) >= wanted) break;
    if (t.packs != nullptr) vehicle = {t.lanes, t.packs};
  }
  return vehicle;
}

HostRun::HostRun(const MotionRequest& request, int threads) : request_(request), threads_(threads) {
  request_.parameters.clear();
}

MotionOutcome& HostRun::run(std::span<const double> parameters, std::size_t designs) {
  request_.n_design = designs;
  request_.parameters.assign(parameters.begin(), parameters.end());
  jobs_ = prepare();
  done_ = 0;
  renew_outcome(asked(), outcome_);
  outcome_.lanes = vehicle_.lanes;
  TimeShare all;
  Stopwatch watch;
  for_each_job(jobs_, threads_, [&](std::size_t thread, std::size_t job) {
    const TimeShare share = run_job(thread, job);
    const std::lock_guard<std::mutex> lock(mutex_);
    all.motion += share.motion;
    all.sensitivity += share.sensitivity;
    if (request_.progress)
      request_.progress(static_cast<double>(++done_) / static_cast<double>(jobs_));
  });
  finish();
  make_smooth_extrema(request_, outcome_);
  add_exact_integrals(asked(), request_.parameters, outcome_);
  if (lanes() > 1) run_alone();
  outcome_.motion_s = outcome_.sensitivity_s = 0.0;
  run_stiff_designs(request_, outcome_, [this](const MotionRequest& request) -> MotionOutcome& {
    std::unique_ptr<HostRun>& run = request.tableau.implicit ? stiff_run_ : lasting_run_;
    if (!run) run = another(request);
    return run->run(request.parameters, request.n_design);
  });
  all.motion += threads_ * outcome_.motion_s;
  all.sensitivity += threads_ * outcome_.sensitivity_s;
  // Threads work side by side: their shares split the time that passed.
  const double wall = watch.lap();
  const double sum = std::max(all.motion + all.sensitivity, 1e-30);
  outcome_.motion_s = wall * all.motion / sum;
  outcome_.sensitivity_s = wall * all.sensitivity / sum;
  return outcome_;
}

std::unique_ptr<HostRun> HostRun::another(const MotionRequest& request) const {
  return make_host_run(request, threads_);
}

void HostRun::tell_of(const SpecialisedSteps& steps) const {
  if (!request_.log) return;
  if (const std::string text = request_.workshop->remark_on(steps); !text.empty())
    request_.log(text);
}

// Designs that need shorter steps than those that lanes have in common, and those that fail within
// steps of their own, are run once more, each alone, where they have the bits that they always
// have.
void HostRun::run_alone() {
  const bool chooses = request_.chooses_steps();
  if (!chooses && request_.settings().halves_steps == 0) return;
  std::vector<std::size_t> designs;
  std::vector<double> parameters;
  for (std::size_t design = 0; design < request_.n_design; ++design) {
    const kernels::Status status = outcome_.status[design];
    if (chooses ? status != kernels::Status::left_pack : !kernels::asks_for_half(status)) continue;
    designs.push_back(design);
    const std::span<const double> row = row_of(design);
    parameters.insert(parameters.end(), row.begin(), row.end());
  }
  if (designs.empty()) return;
  if (!alone_run_) {
    MotionRequest alone = asked();
    alone.lanes = 1;
    alone.progress = nullptr;
    alone_run_ = another(alone);
  }
  MotionOutcome& again = alone_run_->run(parameters, designs.size());
  for (std::size_t k = 0; k < designs.size(); ++k) take_design(again, k, designs[k], outcome_);
}

namespace {

// The motion of packs of designs, with blocks of their columns.
class DirectRun : public HostRun {
 public:
  DirectRun(const MotionRequest& request, int threads)
      : HostRun(request, threads),
        chunks_(static_cast<std::size_t>(threads)),
        probes_(static_cast<std::size_t>(threads)) {}

 private:
  std::size_t prepare() override {
    const Vehicle before = std::exchange(vehicle_, choose_vehicle(request_, threads_));
    const auto width = static_cast<int>(block_width(request_, lanes(), packs(), threads_));
    const bool same_setup = setup_ && width == width_;
    if (!same_setup || vehicle_.launch != before.launch)
      for (auto& chunk : chunks_) chunk.reset();
    width_ = width;
    if (!same_setup) setup_ = std::make_unique<HostSetup>(request_, request_.sensitivity, width_);
    const auto columns = static_cast<int>(request_.column_count());
    blocks_ = columns == 0 ? 1 : static_cast<std::size_t>((columns + width - 1) / width);
    steps_ = specialised_steps();
    if (request_.columns) rows_.assign(request_.n_design, std::numeric_limits<std::size_t>::max());
    return packs() * blocks_;
  }

  TimeShare run_job(std::size_t thread, std::size_t job) override {
    auto& chunk = chunks_[thread];
    if (!chunk) chunk = std::make_unique<HostChunk<double>>(request_, *setup_, vehicle_);
    const kernels::Layout& layout = setup_->layout;
    const std::size_t design = job / blocks_ * lanes();
    const std::size_t count = std::min(lanes(), request_.n_design - design);
    const int first = static_cast<int>(job % blocks_) * width_;
    set_designs(*chunk, request_, layout, design, count);
    chunk->see_columns(request_.first_column + first, width_);
    StepProbe* const probe = probed_steps(thread, design, *chunk);
    if (probe != nullptr && probe->leaves_stiff()) {
      const std::lock_guard<std::mutex> lock(mutex_);
      probe->note_findings_of(design, outcome_);
      if (request_.columns) rows_[design] = 0;
      return {};
    }
    Recorder<double> recorder(*chunk, request_, layout, design, count, first, outcome_);
    const TimeShare share = run_noted(*chunk, recorder, job == 0 && request_.notes_steps);
    if (probe != nullptr) {
      const std::lock_guard<std::mutex> lock(mutex_);
      probe->note_findings_of(design, outcome_);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t k = 0; k < count; ++k) {
      const int lane = static_cast<int>(k);
      if (request_.columns) rows_[design + k] = std::min(rows_[design + k], recorder.rows(k));
      if (first == 0) collect(*chunk, layout, *request_.plan, lane, design + k, outcome_);
      if (request_.with_columns())
        collect_gradient(*chunk, layout, request_, lane, design + k, first, outcome_);
    }
    return share;
  }

  // The probe whose steps the design takes; null if nothing is probed.
  StepProbe* probed_steps(std::size_t thread, std::size_t design, HostChunk<double>& chunk) {
    if (!request_.is_probed()) return nullptr;
    auto& probe = probes_[thread];
    if (!probe) probe = std::make_unique<StepProbe>(request_);
    chunk.take_steps(probe->steps_of(row_of(design)));
    if (probe->fails()) chunk.take_steps({});
    return probe.get();
  }

  // Null: general kernels take them. Blocks of columns have a plan each.
  std::shared_ptr<SpecialisedSteps> specialised_steps() const {
    if (request_.workshop == nullptr || blocks_ > 1) return nullptr;
    const kernels::PlanView plan =
        kernels::after_start(with_columns_of(request_.plan->view(), request_.first_column, width_));
    StepSetup setup{plan, setup_->layout, request_.settings(), vehicle_.lanes, vehicle_.launch, {}};
    if (!request_.formulation->has_stages) setup.evaluation = setup_->formulation.evaluation;
    setup.own_clocks = lanes() > 1 && request_.chooses_steps();
    return request_.workshop->steps_for(request_, setup);
  }

  TimeShare run_noted(HostChunk<double>& chunk, Recorder<double>& recorder, bool notes) {
    if (steps_ && request_.formulation->has_stages) {
      SpecialisedChunk specialised(chunk, request_, *steps_);
      return run_loop(specialised, setup_->formulation, recorder);
    }
    std::optional<SpecialisedEvaluations> evaluations;
    if (steps_) evaluations.emplace(chunk, *steps_);
    if (!notes) return run_loop(chunk, setup_->formulation, recorder);
    StepNotes noted(chunk, setup_->layout, outcome_.taken_steps);
    const TimeShare share = run_loop(noted, setup_->formulation, recorder);
    noted.close();
    return share;
  }

  // Whichever block a design failed in.
  void finish() override {
    if (steps_) tell_of(*steps_);
    for (std::size_t design = 0; design < request_.n_design; ++design) {
      judge_design(request_, design, outcome_);
      if (request_.columns) keep_rows(*request_.plan, rows_[design], outcome_.trajectories[design]);
    }
  }

  std::shared_ptr<SpecialisedSteps> steps_;
  int width_ = 0;  // columns of a block
  std::size_t blocks_ = 1;
  std::unique_ptr<HostSetup> setup_;
  std::vector<std::unique_ptr<HostChunk<double>>> chunks_;  // [thread]
  std::vector<std::unique_ptr<StepProbe>> probes_;          // [thread], where steps are probed
  std::vector<std::size_t> rows_;  // [design] recorded times that all blocks have
};

// The motion in dual numbers, a few of whose directions each run of a design seeds.
class DualRun : public HostRun {
 public:
  DualRun(const MotionRequest& request, int threads)
      : HostRun(request, threads),
        setup_(request_, Sensitivity::none, 0),
        chunks_(static_cast<std::size_t>(threads)),
        probes_(static_cast<std::size_t>(threads)) {}

 private:
  std::unique_ptr<HostRun> another(const MotionRequest& request) const override {
    return std::make_unique<DualRun>(request, threads_);
  }

  std::size_t prepare() override {
    vehicle_ = {1, check_kernels().dual};
    outcome_.gradient.assign(request_.n_design * objectives() * request_.plan->nominal.size(), 0.0);
    return request_.n_design;
  }

  TimeShare run_job(std::size_t thread, std::size_t design) override {
    auto& chunk = chunks_[thread];
    if (!chunk) chunk = std::make_unique<HostChunk<DualNumber>>(request_, setup_, vehicle_);
    auto& probe = probes_[thread];
    if (request_.is_probed()) {
      if (!probe) probe = std::make_unique<StepProbe>(request_);
      chunk->take_steps(probe->steps_of(row_of(design)));
      if (probe->leaves_stiff()) {
        const std::lock_guard<std::mutex> lock(mutex_);
        probe->note_findings_of(design, outcome_);
        return {};
      }
      if (probe->fails()) chunk->take_steps({});
    }
    chunk->limit_steps(request_, row_of(design));
    TimeShare all;
    for (int first = 0; first == 0 || first < request_.plan->parameter_count();
         first += kernels::kDualDirections) {
      seed(*chunk, design, first);
      Recorder<DualNumber> recorder(*chunk, request_, setup_.layout, design, 1, first, outcome_);
      all.motion += run_loop(*chunk, setup_.formulation, recorder).motion;
      if (request_.columns)
        keep_rows(*request_.plan, recorder.rows(0), outcome_.trajectories[design]);
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (first > 0) outcome_.events.clear();  // they are the same in all directions
        collect(*chunk, setup_.layout, *request_.plan, 0, design, outcome_);
      }
      if (chunk->fails()) break;  // whichever directions it failed in
      collect_directions(*chunk, design, first);
    }
    if (probe) {
      const std::lock_guard<std::mutex> lock(mutex_);
      probe->note_findings_of(design, outcome_);
    }
    judge_design(request_, design, outcome_);
    return all;
  }

  // Derivative directions are parameters first, first + 1, ...
  void seed(HostChunk<DualNumber>& chunk, std::size_t design, int first) const {
    const int count = request_.plan->parameter_count();
    const double* values = request_.parameters.data() + design * static_cast<std::size_t>(count);
    for (int p = 0; p < count; ++p) {
      DualNumber value(values[p]);
      if (p >= first && p < first + kernels::kDualDirections) value.derivative[p - first] = 1.0;
      chunk.at(setup_.layout.parameter)[p] = value;
    }
  }

  void collect_directions(HostChunk<DualNumber>& chunk, std::size_t design, int first) {
    const int parameters = request_.plan->parameter_count();
    const int end = std::min(parameters, first + kernels::kDualDirections);
    for (std::size_t o = 0; o < objectives(); ++o) {
      const DualNumber& value = chunk.at(setup_.layout.objective_value)[o];
      double* row = outcome_.gradient.data() +
                    (design * objectives() + o) * static_cast<std::size_t>(parameters);
      for (int p = first; p < end; ++p)
        row[p] = value.value - value.value == 0.0 ? value.derivative[p - first] : value.value;
    }
  }

  std::size_t objectives() const { return request_.plan->objectives.size(); }

  HostSetup setup_;
  std::vector<std::unique_ptr<HostChunk<DualNumber>>> chunks_;  // [thread]
  std::vector<std::unique_ptr<StepProbe>> probes_;              // [thread], where steps are probed
};

}  // namespace

void note_findings(const ProbeFindings& found, std::size_t design, MotionOutcome& outcome) {
  if (found.jump > 0.0) outcome.jump[design] = found.jump;
  if (found.stiff_since > 0.0) outcome.stiff_since[design] = found.stiff_since;
  const bool is_first = outcome.status[design] == kernels::Status::ok;
  if (found.status == kernels::Status::ok || !is_first) return;
  outcome.status[design] = found.status;
  outcome.failure_time[design] = found.time;
  outcome.blamed[design] = found.blamed;
}

std::unique_ptr<HostRun> make_host_run(const MotionRequest& request, int threads) {
  if (is_adjoint(request.sensitivity)) return make_adjoint_run(request, threads);
  if (superposes(request)) return make_superposed_run(request, threads);
  return std::make_unique<DirectRun>(request, threads);
}

MotionOutcome run_on_host(const MotionRequest& request, int threads) {
  return std::move(make_host_run(request, threads)->run(request.parameters, request.n_design));
}

ProbedSteps probe_on_host(const MotionRequest& request, std::size_t first, std::size_t count) {
  const auto threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  const std::size_t width = request.plan->nominal.size();
  std::vector<std::unique_ptr<StepProbe>> probes(static_cast<std::size_t>(threads));
  std::vector<std::vector<double>> steps(count);
  ProbedSteps probed;
  probed.found.resize(count);
  for_each_job(count, threads, [&](std::size_t thread, std::size_t design) {
    auto& probe = probes[thread];
    if (!probe) probe = std::make_unique<StepProbe>(request);
    steps[design] =
        probe->steps_of(std::span(request.parameters).subspan((first + design) * width, width));
    probed.found[design] = probe->findings();
    if (probe->fails()) steps[design].clear();
  });
  for (const std::vector<double>& own : steps) {
    probed.begin.push_back(own.empty() ? -1
                                       : static_cast<std::ptrdiff_t>(probed.steps.size() /
                                                                     kernels::kGivenStepNumbers));
    probed.steps.insert(probed.steps.end(), own.begin(), own.end());
  }
  return probed;
}

MotionOutcome run_dual_on_host(const MotionRequest& request, int threads) {
  return std::move(DualRun(request, threads).run(request.parameters, request.n_design));
}

}  // namespace gradus
