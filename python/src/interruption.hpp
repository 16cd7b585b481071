// Ctrl-C during runs, in which Python's own handler waits for the interpreter.
#pragma once

#include <nanobind/nanobind.h>

#include "gradus/error.hpp"

namespace gradus::python {

// While one lives in the main thread, an interruption is remembered, and is Python's afterwards. It
// does nothing in other threads, where Python handles none, and where the program ignores
// interruptions.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Whether runs should end. Any thread may ask.
  static bool is_asked_for();

 private:
  bool listens_ = false;
};

// Calls work() without the interpreter. Throws what Python makes of an interruption, usually
// KeyboardInterrupt.
template <class Work>
auto run_interruptibly(const Work& work) {
  try {
    const Interruption interruption;
    const nanobind::gil_scoped_release released;
    return work();
  } catch (const Cancelled&) {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    throw;
  }
}

}  // namespace gradus::python
