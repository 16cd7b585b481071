// Processes by MPI, which is started only where a launcher says that it started this program.
#include "src/cli/process_group.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "gradus/error.hpp"

#if GRADUS_WITH_MPI
#include <mpi.h>
#endif

namespace gradus::cli {
namespace {

// What launchers (Open MPI, MPICH and its kin, PMIx by Slurm) say of the number of processes, or
// of that of this one.
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
    return "cpu:" + std::to_string(threads_for_each(local_count_));
  if (asked == "cuda") return "cuda:" + std::to_string(local_rank_);
  return asked;
}

#if GRADUS_WITH_MPI

ProcessGroup::ProcessGroup() {
  if (!was_launched()) return;
  MPI_Init(nullptr, nullptr);
  started_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  MPI_Comm local;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
  MPI_Comm_rank(local, &local_rank_);
  MPI_Comm_size(local, &local_count_);
  MPI_Comm_free(&local);
}

// After an error the others may wait for this process, which will not come. Not finalising ends
// them.
ProcessGroup::~ProcessGroup() {
  if (started_ && std::uncaught_exceptions() == 0) MPI_Finalize();
}

Processes ProcessGroup::processes() const {
  Processes processes;
  if (!started_) return processes;
  processes.rank = rank_;
  processes.count = count_;
  processes.any = [](bool value) {
    int mine = value ? 1 : 0, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return all != 0;
  };
  return processes;
}

#else

ProcessGroup::ProcessGroup() {
  if (was_launched())
    throw BackendError(
        "this gradus was built without MPI (GRADUS_MPI), so processes cannot share a study; run "
        "one process, or build with MPI");
}

ProcessGroup::~ProcessGroup() = default;

Processes ProcessGroup::processes() const {
  return {};
}

#endif

}  // namespace gradus::cli
