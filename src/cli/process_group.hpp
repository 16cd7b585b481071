// The processes that mpirun started, which share a study; or this one alone.
#pragma once

#include <string>

#include "gradus/study.hpp"

namespace gradus::cli {

class ProcessGroup {
 public:
  // Joins the others, if there are any. Throws BackendError where there are, but this program was
  // built without MPI: each would do everything.
  ProcessGroup();
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  Processes processes() const;
  bool is_first() const { return rank_ == 0; }
  bool is_alone() const { return count_ == 1; }

  // The backend of this process, if `asked` leaves it open: processes of one machine share its
  // cores, and each takes a GPU of its own.
  std::string backend(const std::string& asked) const;

 private:
  int rank_ = 0;
  int count_ = 1;
  int local_rank_ = 0;  // on this machine
  int local_count_ = 1;
  [[maybe_unused]] bool started_ = false;  // of builds with MPI
};

}  // namespace gradus::cli
