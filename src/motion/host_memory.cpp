// Estimates of memory, and its limits.
#include "src/motion/host_memory.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#include "gradus/error.hpp"

namespace gradus {
namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double kMuch = kGibibyte;      // worth a remark,
constexpr double kMuchOfMachine = 0.25;  // if it is this share of the memory as well

double machine_memory() {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return 1e15;  // more than any has
  return (static_cast<double>(info.totalram) + static_cast<double>(info.totalswap)) * info.mem_unit;
}

// What the group of processes may have that this one belongs to, as containers have it.
double group_limit() {
  double least = std::numeric_limits<double>::infinity();
  for (const char* file :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream stream(file);
    double bytes = 0.0;
    if (stream >> bytes && bytes > 0.0) least = std::min(least, bytes);
  }
  return least;
}

double process_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

// Numbers of a design: values and gradients of objectives, final sensors and what else is counted.
double design_numbers(const MotionRequest& request) {
  constexpr double kCounts = 10.0;
  const double columns =
      request.sensitivity == Sensitivity::none ? 0.0 : static_cast<double>(request.column_count());
  return kCounts + static_cast<double>(request.plan->nominal.size()) +
         static_cast<double>(request.plan->objectives.size()) * (1.0 + columns) +
         static_cast<double>(request.plan->shown_signals()) +
         (request.with_columns() ? static_cast<double>(gauss_newton_size(request)) : 0.0);
}

// Numbers of a recorded time.
double row_numbers(const MotionRequest& request) {
  const double columns = request.columns ? static_cast<double>(request.plan->nominal.size()) : 0.0;
  return 1.0 + 3.0 * request.plan->coordinate_count() +
         (request.plan->shown_signals() +
          (request.records_objectives() ? static_cast<double>(request.plan->objectives.size())
                                        : 0.0)) *
             (1.0 + columns);
}

}  // namespace

double host_memory() {
  static const double bytes = std::min({machine_memory(), group_limit(), process_limit()});
  return bytes;
}

std::string bytes_text(double bytes) {
  char text[32];
  const bool large = bytes >= 0.1 * kGibibyte;
  std::snprintf(text, sizeof text, large ? "%.3g GiB" : "%.3g MiB",
                bytes / (large ? kGibibyte : kGibibyte / 1024.0));
  return text;
}

void require_memory_of_outcome(const MotionRequest& request) {
  const auto designs = static_cast<double>(request.n_design);
  const double results = sizeof(double) * designs * design_numbers(request);
  const double rows =
      request.record ? static_cast<double>(recorded_row(request, request.steps)) + 1.0 : 0.0;
  const double record = sizeof(double) * designs * rows * row_numbers(request);
  if (results + record <= host_memory()) return;
  const bool by_record = record > results;
  throw InputError(
      std::string(by_record ? "record: the motions take " : "designs: their results take ") +
      bytes_text(by_record ? record : results) + " (there are " + bytes_text(host_memory()) +
      " of memory), " +
      (by_record ? "record fewer times with --record-every, or fewer designs"
                 : "run fewer designs at once"));
}

void require_memory_of_adjoint(const MotionRequest& request, double bytes) {
  if (bytes > host_memory())
    throw InputError("memory: the steps of the adjoint take " + bytes_text(bytes) + " (there are " +
                     bytes_text(host_memory()) +
                     "), give --memory, within which discrete adjoints take steps once more "
                     "instead, or use the method direct, which keeps none");
  if (bytes > std::max(kMuch, kMuchOfMachine * host_memory()) && request.log)
    request.log("adjoint: keeps steps that take " + bytes_text(bytes) + " of " +
                bytes_text(host_memory()) + "; --memory limits that");
}

}  // namespace gradus
