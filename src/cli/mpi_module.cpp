// The module of MPI.
#include "src/cli/process_group.hpp"

#include <mpi.h>

namespace gradus::cli {
namespace {

ProcessNumbers join() {
  MPI_Init(nullptr, nullptr);
  ProcessNumbers numbers;
  MPI_Comm_rank(MPI_COMM_WORLD, &numbers.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &numbers.count);
  MPI_Comm local;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
  MPI_Comm_rank(local, &numbers.local_rank);
  MPI_Comm_size(local, &numbers.local_count);
  MPI_Comm_free(&local);
  return numbers;
}

bool any(bool value) {
  int mine = value ? 1 : 0, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return all != 0;
}

void leave() {
  MPI_Finalize();
}

constexpr MpiModule functions{join, any, leave};

}  // namespace
}  // namespace gradus::cli

extern "C" gradus::ModuleEntry gradus_module() {
  return {GRADUS_VERSION, gradus::cli::MpiModule::interface, &gradus::cli::functions};
}
