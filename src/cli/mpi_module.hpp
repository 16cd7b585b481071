// What the module of MPI is asked.
#pragma once

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

  ProcessNumbers (*join)();  // the other processes
  bool (*any)(bool value);   // whether it is true in any of them
  void (*leave)();
};

}  // namespace gradus::cli
