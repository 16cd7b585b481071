// The processes that mpirun started, which share a study; or this one alone. MPI is a module.
#pragma once

#include <string>

#include "gradus/study.hpp"
#include "src/modules/module.hpp"

namespace gradus::cli {

struct ProcessNumbers {
  int rank = 0;
  int count = 1;
  int local_rank = 0;  // on this machine
  int local_count = 1;
};

struct MpiModule {
  static constexpr const char* file = "libgradus_mpi.so";
  static constexpr int interface = 1;  // raised whenever anything here changes
  static constexpr ModuleLibrary library{"MPI", "libopenmpi-dev", "libopenmpi3"};

  ProcessNumbers (*join)();  // the other processes
  bool (*any)(bool value);   // whether it is true in any of them
  void (*leave)();
};

class ProcessGroup {
 public:
  // Joins the others, if there are any. Throws BackendError where there are, but MPI cannot be had:
  // each would do everything.
  ProcessGroup();
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  // Why several processes cannot share a study; empty if they can. Opens MPI.
  static std::string obstacle();

  Processes processes() const;
  bool is_first() const { return numbers_.rank == 0; }
  bool is_alone() const { return numbers_.count == 1; }

  // The backend of this process, if `asked` leaves it open: processes of one machine share its
  // cores, and each takes a GPU of its own.
  std::string backend(const std::string& asked) const;

 private:
  ProcessNumbers numbers_;
  bool joined_ = false;
};

}  // namespace gradus::cli
