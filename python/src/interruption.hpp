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

// Gives the interpreter away. Once Python has begun to end, nobody but its main thread can have it
// back: a thread that asked for it would be torn out of here, and the program with it.
class WithoutInterpreter {
 public:
  WithoutInterpreter() : state_(PyEval_SaveThread()) {}
  ~WithoutInterpreter();
  WithoutInterpreter(const WithoutInterpreter&) = delete;
  WithoutInterpreter& operator=(const WithoutInterpreter&) = delete;

 private:
  PyThreadState* state_;
};

// Runs end, and other threads than the main one wait for the end of the program.
void end_runs();

// Calls work() without the interpreter. Throws what Python makes of an interruption, usually
// KeyboardInterrupt.
template <class Work>
auto run_interruptibly(const Work& work) {
  try {
    const Interruption interruption;
    const WithoutInterpreter released;
    return work();
  } catch (const Cancelled&) {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    throw;
  }
}

}  // namespace gradus::python
