// Processes by MPI, a module that is opened only where a launcher says that it started this
// program.
#include "src/cli/process_group.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "gradus/error.hpp"

namespace gradus::cli {
namespace {

// Whether a launcher (Open MPI, MPICH and its kin, Slurm by PMIx) started several processes, as its
// environment variables say.
bool was_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* value = std::getenv(name)) return std::atoi(value) > 1;
  if (std::getenv("PMIX_RANK") == nullptr) return false;
  const char* const tasks = std::getenv("SLURM_NTASKS");
  return tasks == nullptr || std::atoi(tasks) > 1;
}

// Threads for each of `count` processes on this machine. Launchers may have bound this one to some
// of the cores already.
int threads_for_each(int count) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const int all = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return std::max(1, all / count);
  const int own = CPU_COUNT(&cores);
  return std::max(1, std::min(own, all / count));
}

}  // namespace

std::string ProcessGroup::backend(const std::string& asked) const {
  if (is_alone()) return asked;
  if (asked == "cpu" || asked == "auto")
    return "cpu:" + std::to_string(threads_for_each(numbers_.local_count));
  if (asked == "cuda") return "cuda:" + std::to_string(numbers_.local_rank);
  return asked;
}

std::string ProcessGroup::obstacle() {
  return Module<MpiModule>::obstacle();
}

ProcessGroup::ProcessGroup() {
  if (!was_launched()) return;
  if (!obstacle().empty())
    throw BackendError("processes cannot share a study: MPI is not there (" + obstacle() +
                       "), run one process, or " + Module<MpiModule>::hint());
  numbers_ = Module<MpiModule>::functions().join();
  joined_ = true;
}

// After an error the others may wait for this process, which will not come. Not finalising ends
// them.
ProcessGroup::~ProcessGroup() {
  if (joined_ && std::uncaught_exceptions() == 0) Module<MpiModule>::functions().leave();
}

Processes ProcessGroup::processes() const {
  Processes processes;
  if (!joined_) return processes;
  processes.rank = numbers_.rank;
  processes.count = numbers_.count;
  processes.any = Module<MpiModule>::functions().any;
  return processes;
}

}  // namespace gradus::cli
