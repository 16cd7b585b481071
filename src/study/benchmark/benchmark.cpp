// The verb `benchmark`: every batch on every backend, and where a GPU overtakes the CPU.
#include "gradus/benchmark.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/backend/choice.hpp"
#include "src/backend/stored_tables.hpp"
#include "src/study/benchmark/measurement.hpp"

namespace gradus {
namespace {

// Of gradients on different backends, which differ by round-off alone.
constexpr double kDeviation = 1e-8;
constexpr std::size_t kMostOfAnything = 100'000'000;

template <class Value>
void require_some(const std::vector<Value>& values, const char* what) {
  if (values.empty())
    throw InputError(std::string("bench: ") + what + " is an empty list, expected at least one");
}

void require_counts(const std::vector<std::size_t>& counts, std::size_t smallest,
                    const char* what) {
  require_some(counts, what);
  for (const std::size_t count : counts)
    if (count < smallest || count > kMostOfAnything)
      throw InputError(std::string("bench: ") + what + ": found " + std::to_string(count) +
                       ", expected " + std::to_string(smallest) + " to " +
                       std::to_string(kMostOfAnything));
}

void check_settings(const BenchmarkSettings& s) {
  require_counts(s.designs, 1, "designs");
  require_counts({s.steps}, 1, "steps");
  require_counts({s.repeats}, 1, "repeats");
  require_some(s.backends, "backends");
  require_some(s.methods, "methods");
  if (!s.model) {
    require_counts(s.bodies, 1, "bodies");
    require_counts(s.parameters, 0, "parameters");
  }
  if (!std::isfinite(s.spread) || s.spread < 0.0)
    throw InputError("bench: spread: expected a finite number of at least 0");
  if (std::isnan(s.longest) || s.longest <= 0.0)
    throw InputError("bench: longest: expected a number above 0");
}

struct Mechanism {
  Model model;
  std::size_t bodies;
  std::size_t parameters;
};

std::vector<Mechanism> mechanisms(const BenchmarkSettings& settings) {
  if (settings.model)
    return {{*settings.model, settings.model->bodies.size(), settings.model->parameters.size()}};
  std::vector<Mechanism> all;
  for (const std::size_t bodies : settings.bodies)
    for (const std::size_t parameters : settings.parameters)
      all.push_back(
          {chain_of_bars("chain", static_cast<int>(bodies), static_cast<int>(parameters), false),
           bodies, parameters});
  return all;
}

Options options_of(const BenchmarkSettings& settings, const Mechanism& mechanism,
                   const std::string& method, const std::string& backend, std::size_t designs) {
  Options options;
  options.backend = backend;
  options.method = method;
  options.designs.count = designs;
  options.designs.spread = designs > 1 ? settings.spread : 0.0;
  options.duration = static_cast<double>(settings.steps) * mechanism.model.analysis.step;
  return options;
}

// All batches of one mechanism by one method.
class Series {
 public:
  Series(const BenchmarkSettings& settings, const Mechanism& mechanism, const std::string& method)
      : settings_(settings),
        mechanism_(mechanism),
        method_(method),
        reference_(run_once(mechanism.model, options_of(settings, mechanism, method, "cpu:1", 1))) {
  }

  BenchmarkRow measure(const std::string& backend, std::size_t designs) {
    BenchmarkRow row;
    row.model = mechanism_.model.name;
    row.method = method_;
    row.backend = row.backend_ran = backend;
    row.bodies = mechanism_.bodies;
    row.parameters = mechanism_.parameters;
    row.designs = designs;
    row.steps = settings_.steps;
    const double expected = expectation(backend, designs);
    if (expected > settings_.longest) {
      row.remark = "left out: a run would take more than " + seconds_text(settings_.longest);
      return row;
    }
    try {
      time(row);
    } catch (const BackendError& error) {
      row.remark = error.what();
    }
    return row;
  }

 private:
  static std::string seconds_text(double seconds) {
    return std::to_string(static_cast<long long>(std::ceil(std::min(seconds, 1e9)))) + " s";
  }

  // The time of a CPU grows with the designs; what a GPU does, its runs tell. 0 if nothing is
  // known.
  double expectation(const std::string& backend, std::size_t designs) const {
    if (backend.rfind("cpu", 0) != 0) return 0.0;
    const auto before = seconds_per_design_.find(backend);
    return before == seconds_per_design_.end() ? 0.0
                                               : before->second * static_cast<double>(designs);
  }

  void time(BenchmarkRow& row) {
    const Options options = options_of(settings_, mechanism_, method_, row.backend, row.designs);
    const Result first = run_once(mechanism_.model, options);
    row.backend_ran = first.backend;
    row.steps = first.steps;
    row.deviation = deviation(first, reference_);
    if (!(row.deviation <= kDeviation)) {
      row.remark = first.all_ok() && reference_.all_ok() ? "its numbers are not those of one thread"
                                                         : "a design failed";
      return;
    }
    const std::vector<double> seconds = time_runs(mechanism_.model, options, settings_.repeats);
    row.seconds = median(seconds);
    row.minimum = *std::min_element(seconds.begin(), seconds.end());
    row.maximum = *std::max_element(seconds.begin(), seconds.end());
    seconds_per_design_[row.backend] = row.seconds / static_cast<double>(row.designs);
  }

  const BenchmarkSettings& settings_;
  const Mechanism& mechanism_;
  std::string method_;
  Result reference_;
  std::map<std::string, double> seconds_per_design_;  // by backend, of the last batch
};

// The backends that can run here, the others noted with their reasons.
std::vector<std::string> usable_backends(BenchmarkReport& report) {
  std::vector<std::string> usable;
  for (const std::string& backend : report.settings.backends) {
    if (backend == "auto")
      throw InputError("bench: found the backend auto, which is to be measured by the others");
    try {
      choose_backend(backend, {}, {});
      usable.push_back(backend);
    } catch (const BackendError& error) {
      report.obstacles[backend] = error.what();
    }
  }
  if (usable.empty()) throw BackendError(report.obstacles.begin()->second);
  return usable;
}

// Of one batch by all backends, by and large in proportion to its time.
double weight(const Mechanism& mechanism, std::size_t designs) {
  return static_cast<double>(mechanism.bodies * (mechanism.parameters + 10)) *
         static_cast<double>(designs);
}

void measure_all(const std::vector<Mechanism>& all, const std::vector<std::string>& backends,
                 BenchmarkReport& report) {
  const BenchmarkSettings& settings = report.settings;
  double whole = 0.0;
  for (const Mechanism& mechanism : all)
    for (const std::size_t designs : settings.designs) whole += weight(mechanism, designs);
  whole *= static_cast<double>(settings.methods.size() * backends.size());
  double done = 0.0;
  for (const std::string& method : settings.methods)
    for (const Mechanism& mechanism : all) {
      Series series(settings, mechanism, method);
      for (const std::size_t designs : settings.designs)
        for (const std::string& backend : backends) {
          report.rows.push_back(series.measure(backend, designs));
          done += weight(mechanism, designs);
          if (settings.progress) settings.progress(done / whole);
        }
    }
}

}  // namespace

double BenchmarkRow::designs_per_second() const {
  return measured() ? static_cast<double>(designs) / seconds : 0.0;
}

double BenchmarkRow::column_steps_per_second() const {
  return method == "none"
             ? 0.0
             : designs_per_second() * static_cast<double>(parameters) * static_cast<double>(steps);
}

BenchmarkReport benchmark(const BenchmarkSettings& settings) {
  BenchmarkReport report;
  report.settings = settings;
  check_settings(settings);
  std::sort(report.settings.designs.begin(), report.settings.designs.end());
  const std::vector<Mechanism> all = mechanisms(settings);
  report.machine = this_machine();
  const std::vector<std::string> backends = usable_backends(report);
  if (settings.log)
    for (const auto& [backend, reason] : report.obstacles)
      settings.log("bench: without " + backend + ": " + reason);
  measure_all(all, backends, report);
  add_break_even(report);
  return report;
}

std::string break_even_text(const BenchmarkReport& report) {
  return break_even_text({report.machine.gpu, report.machine.threads, report.break_even});
}

}  // namespace gradus
