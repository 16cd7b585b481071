// What processes that share a study do together.
#pragma once

#include <exception>
#include <functional>

#include "gradus/error.hpp"
#include "gradus/study.hpp"

namespace gradus {

inline bool is_first(const Processes& processes) {
  return processes.rank == 0;
}

// Whether any process says true.
inline bool any_of(const Processes& processes, bool value) {
  return processes.count > 1 ? processes.any(value) : value;
}

// Runs `part` in this process and waits for the others. If one fails, all throw: a failed process
// its own exception, the others an Error that says another one failed.
inline void agree(const Processes& processes, const std::function<void()>& part) {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool failed = any_of(processes, failure != nullptr);
  if (failure) std::rethrow_exception(failure);
  if (failed) throw Error("another process of this study failed; its message says why");
}

}  // namespace gradus
