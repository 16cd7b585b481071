// The verb `sweep`: chunks that are missing are run, then all are merged.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/objective_rows.hpp"
#include "src/motion/remarks.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/study_folders.hpp"
#include "src/study/design_runner.hpp"
#include "src/study/run_folder.hpp"
#include "src/study/sampling/sampler.hpp"
#include "src/study/study_reader.hpp"
#include "src/study/sweep/chunk_store.hpp"
#include "src/study/sweep/sweep_statistics.hpp"

namespace gradus {
namespace {

constexpr std::size_t most_lanes = 8;
constexpr std::size_t most_rounds = 16;     // of all lanes of all threads, in one chunk
constexpr std::size_t most_files = 4096;    // that are merged
constexpr double most_failed = 1e-3;        // of the designs, if first-order shares are to hold
constexpr std::size_t device_chunk = 8192;  // designs: fills a device

const Sweep& sweep_of(const Study& study) {
  if (!study.sweep)
    reject(study.name, "the study has no sweep", "it has no section of that name",
           R"(add "sweep", or use another command)");
  check_sweep(*study.sweep, study.model, study.name);
  return *study.sweep;
}

std::vector<std::size_t> varied_of(const Study& study) {
  std::vector<std::size_t> varied;
  for (const SweepParameter& parameter : study.sweep->parameters)
    varied.push_back(parameter_index(study.model, parameter.name, study.name));
  return varied;
}

// The components of the sensors that are recorded, among those of all sensors.
std::vector<std::size_t> recorded_components(const Sweep& sweep, const Result& names) {
  std::vector<std::size_t> recorded;
  std::size_t component = 0;
  for (std::size_t s = 0; s < names.sensors.size(); ++s)
    for (std::size_t k = 0; k < names.sensor_sizes[s]; ++k, ++component)
      if (std::count(sweep.record.begin(), sweep.record.end(), names.sensors[s]) > 0)
        recorded.push_back(component);
  return recorded;
}

// Times at which every design is recorded, including those after a failure.
std::vector<double> recorded_times(const StudyRun& run, std::size_t every) {
  std::vector<double> times;
  for (std::size_t step = 0; step < run.steps; step += every)
    times.push_back(static_cast<double>(step) * run.step);
  times.push_back(static_cast<double>(run.steps) * run.step);
  return times;
}

// [n_objective, n_varied] of the gradient of one design in a chunk.
std::vector<double> gradient_of(const StoredChunk& chunk, std::size_t design,
                                const std::vector<std::size_t>& varied, const SweepResult& result) {
  std::vector<double> values;
  if (chunk.gradient.empty()) return values;
  const std::size_t rows = result.objectives.size();
  for (std::size_t row = design * rows; row < (design + 1) * rows; ++row)
    for (const std::size_t k : varied)
      std::memcpy(&values.emplace_back(),
                  chunk.gradient.data() + (row * result.parameters.size() + k) * sizeof(double),
                  sizeof(double));
  return values;
}

// The values of rows of objectives where there is no passage; NaN of all that have none.
std::vector<double> values_otherwise(const Model& model) {
  std::vector<double> values;
  for (const Objective& objective : model.objectives)
    values.insert(values.end(), objective_rows(objective).size(),
                  objective.otherwise.value_or(kNaN));
  return values;
}

// Whether some designs have a passage and others do not.
bool jumps_among_designs(const SweepResult& result, std::size_t row, double otherwise) {
  bool with = false, without = false;
  for (std::size_t d = 0; d < result.designs; ++d) {
    if (!result.status[d].ok) continue;
    const bool is_without =
        result.objective_values[d * result.objectives.size() + row] == otherwise;
    (is_without ? without : with) = true;
  }
  return with && without;
}

// Derivatives know nothing of the jump from a time of passage to the value of designs without one,
// which may well be most of the variance.
void leave_out_shares_of_jumps(const std::vector<double>& otherwise, SweepResult& result) {
  for (std::size_t row = 0; row < result.statistics.size(); ++row)
    if (jumps_among_designs(result, row, otherwise[row]))
      for (Driver& driver : result.statistics[row].drivers)
        driver.first_order = driver.total_bound = driver.linear_share = {kNaN, kNaN, kNaN};
}

// Fills parameters, objectives, statuses and statistics of the result from chunks that hold all its
// designs in order. `varied`: the parameters of the sweep, by index in the model; `otherwise`: of
// each row of the objectives, as above.
void merge(const std::vector<StoredChunk>& chunks, const std::vector<std::size_t>& varied,
           const std::vector<double>& otherwise, SweepResult& result) {
  const std::size_t n_parameter = result.parameters.size(), n_objective = result.objectives.size();
  SweepStatistics statistics(result.sweep, result.objectives);
  std::vector<double> values(varied.size());
  std::size_t index = 0;
  for (const StoredChunk& chunk : chunks) {
    const Chunk& content = chunk.content;
    append(content.parameter_values, result.parameter_values);
    append(content.objective_values, result.objective_values);
    append(content.violation, result.constraint_violation);
    append(content.passage, result.singular_passage);
    append(content.splines_extrapolated, result.splines_extrapolated);
    append(content.switched, result.switched);
    result.status.insert(result.status.end(), content.status.begin(), content.status.end());
    for (std::size_t d = 0; d < content.range.count; ++d, ++index) {
      if (!content.status[d].ok) continue;
      for (std::size_t k = 0; k < varied.size(); ++k)
        values[k] = content.parameter_values[d * n_parameter + varied[k]];
      const std::span objectives(content.objective_values);
      statistics.add(index, values, objectives.subspan(d * n_objective, n_objective),
                     gradient_of(chunk, d, varied, result));
    }
  }
  result.run.stiff_designs = static_cast<std::size_t>(std::ranges::count(result.switched, 1.0));
  result.statistics = statistics.result();
  leave_out_shares_of_jumps(otherwise, result);
  // Integration by parts fails if parts of a distribution have no motion.
  if (static_cast<double>(result.failed()) <= most_failed * static_cast<double>(result.designs))
    return;
  for (ObjectiveStatistics& objective : result.statistics)
    for (Driver& driver : objective.drivers)
      driver.first_order = driver.total_bound = {kNaN, kNaN, kNaN};
}

// What motions of all chunks have met, as of one result of all designs.
class MetByMotions {
 public:
  void add(const Result& chunk, const std::string& integrator, std::size_t first,
           std::size_t designs) {
    if (all_.n_design == 0) {
      all_.n_design = designs;
      all_.status.assign(designs, {false, 0.0, ""});  // until they have run
      all_.method = chunk.method;
      all_.integrator = integrator;  // chunks whose motions are all stiff name another
      all_.adaptive = chunk.adaptive;
      all_.objectives = chunk.objectives;
      all_.extrapolating_splines = chunk.extrapolating_splines;
    }
    if (!chunk.stiff_integrator.empty()) all_.stiff_integrator = chunk.stiff_integrator;
    std::ranges::copy(chunk.status, all_.status.begin() + static_cast<std::ptrdiff_t>(first));
    for (const auto numbers : {&Result::refused, &Result::singular_passage, &Result::jump,
                               &Result::stiff_since, &Result::switched, &Result::rejected_steps,
                               &Result::extrapolation, &Result::extrapolation_start}) {
      const std::vector<double>& part = chunk.*numbers;
      const std::size_t width = part.size() / chunk.n_design;
      std::vector<double>& whole = all_.*numbers;
      whole.resize(designs * width);
      std::ranges::copy(part, whole.begin() + static_cast<std::ptrdiff_t>(first * width));
    }
  }
  const Result& result() const { return all_; }

 private:
  Result all_;
};

class SweepRun {
 public:
  SweepRun(const Study& study, const StudySettings& settings)
      : settings_(settings),
        sweep_(sweep_of(study)),
        sampler_(sweep_),
        varied_(varied_of(study)),
        otherwise_(values_otherwise(study.model)),
        runner_(study, varied_, sampler_.designs()),
        folder_(study, settings, "sweep", runner_.backend_kind()),
        store_(folder_.complete() ? std::filesystem::path() : folder_.work()) {}

  SweepResult result() {
    SweepResult result;
    result.run = runner_.info();
    result.sweep = sweep_;
    result.designs = sampler_.designs();
    if (folder_.complete()) {
      require_asked_files();
      result.complete = true;
      result.done = result.designs;
      return result;
    }
    drop_damaged();
    run_missing();
    if (settings_.log) remark_on_sweep();
    agree(settings_.processes, [&] {
      if (is_first(settings_.processes)) finish(result);
    });
    result.complete = any_of(settings_.processes, result.complete);
    return result;
  }

 private:
  // Large enough to give every lane work, small enough for processes to share and for an
  // interruption to take effect soon.
  std::size_t chunk_size() const {
    if (settings_.chunk > 0) return settings_.chunk;
    if (runner_.backend_kind() == "cuda") return device_chunk;
    const std::size_t round = most_lanes * runner_.threads();
    const auto processes = static_cast<std::size_t>(settings_.processes.count);
    return round *
           std::clamp<std::size_t>(sampler_.designs() / (8 * round * processes), 1, most_rounds);
  }

  // Files that a complete folder lacks cannot be made later, since its chunks are gone.
  void require_asked_files() const {
    const auto require = [&](bool asked, const std::string& file, const std::string& option) {
      if (!asked || std::filesystem::exists(folder_.path() / file)) return;
      reject(folder_.path().string(), "holds complete results without " + file,
             "they were computed without " + option, "use --overwrite to run it again");
    };
    require(settings_.hdf5, "designs.h5", "--hdf5");
    require(settings_.csv, "trajectories.csv", "--csv");
  }

  // Keeps only readable chunks of earlier runs. All processes must see the same before any
  // continues, so that they distribute the same chunks.
  void drop_damaged() {
    agree(settings_.processes, [&] {
      if (!is_first(settings_.processes)) return;
      store_.verify([&](const std::string& problem) {
        if (settings_.log) settings_.log(problem + "; its designs are run again");
      });
    });
    agree(settings_.processes, [&] { store_.look_again(); });
  }

  // Every process runs its share.
  void run_missing() {
    agree(settings_.processes, [&] {
      std::vector<DesignRange> own;
      const std::vector<DesignRange> missing = store_.missing(sampler_.designs());
      for (const DesignRange& range : missing) missing_ += range.count;
      const std::vector<DesignRange> all = cut(missing, chunk_size());
      const auto rank = static_cast<std::size_t>(settings_.processes.rank);
      const auto count = static_cast<std::size_t>(settings_.processes.count);
      std::size_t designs = 0;
      for (std::size_t i = rank; i < all.size(); i += count) {
        own.push_back(all[i]);
        designs += all[i].count;
      }
      meter_ = Meter(settings_, "designs", designs);
      for (const DesignRange& range : own) {
        if (settings_.interrupted && settings_.interrupted()) return;
        try {
          store_.add(run(range));
        } catch (const Cancelled&) {
          return;
        }
        ran_ += range.count;
        meter_.show(static_cast<double>(ran_));
      }
    });
  }

  Chunk run(const DesignRange& range) {
    std::vector<double> rows(range.count * varied_.size());
    for (std::size_t d = 0; d < range.count; ++d)
      sampler_.sample(range.first + d, std::span(rows).subspan(d * varied_.size(), varied_.size()));
    Options options = runner_.options();
    options.record = !sweep_.record.empty();
    options.record_every = sweep_.record_every;
    options.cancelled = settings_.cancelled;
    std::vector<std::string> remarks;
    if (options.log) options.log = [&](const std::string& text) { remarks.push_back(text); };
    options.progress = [&](double part) {
      meter_.show(static_cast<double>(ran_) + part * static_cast<double>(range.count));
    };
    Result result = runner_.run(rows, sweep_.gradients, options);
    if (options.log) {
      remark_on_chunk(result, range, std::move(remarks));
      met_.add(result, runner_.info().integrator, range.first, sampler_.designs());
    }
    Chunk chunk;
    chunk.range = range;
    if (options.record) record(result, chunk);
    chunk.parameter_values = std::move(result.parameter_values);
    chunk.objective_values = std::move(result.objective_values);
    chunk.gradient = std::move(result.gradient);
    chunk.status = std::move(result.status);
    chunk.violation = std::move(result.constraint_violation);
    chunk.passage = std::move(result.singular_passage);
    chunk.splines_extrapolated = result.splines_extrapolated();
    chunk.switched = std::move(result.switched);
    return chunk;
  }

  // What is said of the designs of a chunk but not again of all designs.
  void remark_on_chunk(const Result& result, const DesignRange& range,
                       std::vector<std::string> remarks) const {
    remark_on_motions(result, [&](const std::string& text) { std::erase(remarks, text); });
    const bool is_all = range.count == sampler_.designs();
    for (const std::string& text : remarks)
      settings_.log(is_all ? text
                           : "designs " + std::to_string(range.first) + " to " +
                                 std::to_string(range.first + range.count - 1) + " (0 to " +
                                 std::to_string(range.count - 1) + " in what follows): " + text);
  }

  // One remark for all designs, or for those that this process ran now.
  void remark_on_sweep() const {
    const bool is_all = ran_ == sampler_.designs();
    remark_on_motions(met_.result(), [&](const std::string& text) {
      settings_.log(is_all ? text : "of " + std::to_string(ran_) + " designs run now, " + text);
    });
  }

  // [n_time, n_recorded] of each design; NaN after the time at which it failed.
  void record(const Result& result, Chunk& chunk) const {
    const std::vector<std::size_t> recorded = recorded_components(sweep_, result);
    const std::size_t width = result.sensor_components.size();
    chunk.time = recorded_times(runner_.info(), sweep_.record_every);
    for (const Trajectory& motion : result.trajectories)
      for (std::size_t row = 0; row < chunk.time.size(); ++row)
        for (const std::size_t k : recorded)
          chunk.sensors.push_back(row < motion.time.size() ? motion.sensors[row * width + k]
                                                           : kNaN);
  }

  void finish(SweepResult& result) {
    store_.look_again();
    result.done = result.designs;
    for (const DesignRange& gap : store_.missing(result.designs)) result.done -= gap.count;
    if (result.done < result.designs) return;
    store_.compact(most_files);
    const std::vector<StoredChunk> chunks = store_.load();
    result.parameters = runner_.names().parameters;
    result.objectives = runner_.names().objectives;
    merge(chunks, varied_, otherwise_, result);
    remark_on_failures(result);
    remark_on_jumps(result);
    result.run.step_errors = runner_.step_errors(sampled_rows(result), sweep_.gradients);
    if (folder_.exists()) {
      results::SweepPieces pieces;
      for (const StoredChunk& chunk : chunks) {
        pieces.gradient.push_back(chunk.gradient);
        pieces.sensors.push_back(chunk.sensors);
      }
      pieces.time = chunks.front().content.time;
      for (const std::size_t k : recorded_components(sweep_, runner_.names()))
        pieces.sensor_components.push_back(runner_.names().sensor_components[k]);
      results::write_sweep(folder_.path(), result, pieces, {settings_.hdf5, settings_.csv});
      folder_.finish(
          {"designs", missing_, meter_.seconds(), runner_.backend(), settings_.processes.count});
    } else {
      for (const StoredChunk& chunk : chunks) append(chunk.content.gradient, result.gradient);
    }
    result.complete = true;
  }

  // Of some designs that succeeded, far apart: a 64th of all, 16 at most.
  std::vector<double> sampled_rows(const SweepResult& result) const {
    const std::size_t count = std::clamp<std::size_t>(result.designs / 64, 1, 16);
    const std::size_t width = result.parameters.size();
    std::vector<double> rows;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t d = k * result.designs / count;
      for (std::size_t p = 0; result.status[d].ok && p < varied_.size(); ++p)
        rows.push_back(result.parameter_values[d * width + varied_[p]]);
    }
    return rows;
  }

  void remark_on_failures(const SweepResult& result) const {
    if (!settings_.log || result.failed() == 0 || !sweep_.is_sample() || !sweep_.gradients) return;
    settings_.log(std::to_string(result.failed()) + " of " + std::to_string(result.designs) +
                  " designs failed; statistics are those of the others, and first-order shares "
                  "and bounds of totals are given only if no more than 1 in 1000 fail");
  }

  void remark_on_jumps(const SweepResult& result) const {
    if (!settings_.log || !sweep_.gradients || !sweep_.is_sample()) return;
    std::vector<std::string> names;
    for (std::size_t row = 0; row < result.objectives.size(); ++row)
      if (jumps_among_designs(result, row, otherwise_[row]))
        names.push_back(result.objectives[row].name);
    if (!names.empty())
      settings_.log("statistics: " + quoted_list(names) + (names.size() > 1 ? " jump" : " jumps") +
                    " to \"otherwise\" in some designs, of which derivatives know nothing; the "
                    "parts of parameters in the variance are left out");
  }

  const StudySettings& settings_;
  const Sweep& sweep_;
  Sampler sampler_;
  std::vector<std::size_t> varied_;
  std::vector<double> otherwise_;  // [row of objectives]
  DesignRunner runner_;
  RunFolder folder_;
  ChunkStore store_;
  MetByMotions met_;
  Meter meter_{settings_, "designs", 0};
  std::size_t missing_ = 0;  // designs, when this run began
  std::size_t ran_ = 0;      // of these, by this process
};

}  // namespace

std::size_t SweepResult::failed() const {
  return static_cast<std::size_t>(std::count_if(
      status.begin(), status.end(), [](const DesignStatus& design) { return !design.ok; }));
}

SweepResult sweep(const Study& study, const StudySettings& settings) {
  if (settings.hdf5) results::require_hdf5("HDF5");
  if (settings.csv && sweep_of(study).record.empty())
    reject(study.name, "the sweep records no motions",
           "--csv writes recorded motions, and \"record\" names no sensors",
           "name some, or leave out --csv");
  return SweepRun(study, settings).result();
}

}  // namespace gradus
