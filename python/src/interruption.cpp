// Remembers an interruption by a signal handler of its own.
#include "python/src/interruption.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace gradus::python {
namespace {

std::atomic<bool> is_interrupted{false};
std::atomic<bool> has_ended{false};  // the program, but for its last breath
std::atomic<int> returning{0};       // threads that ask for the interpreter
static_assert(std::atomic<bool>::is_always_lock_free);
struct sigaction before;  // of the main thread alone

extern "C" void remember_interruption(int) {
  is_interrupted = true;
}

bool is_main_thread() {
  return getpid() == static_cast<pid_t>(syscall(SYS_gettid));
}

}  // namespace

Interruption::Interruption() {
  if (!is_main_thread()) return;
  struct sigaction action {};
  action.sa_handler = remember_interruption;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  is_interrupted = false;
  listens_ = sigaction(SIGINT, &action, &before) == 0;
  if (!listens_ || before.sa_handler != SIG_IGN) return;
  sigaction(SIGINT, &before, nullptr);
  listens_ = false;
}

Interruption::~Interruption() {
  if (!listens_) return;
  sigaction(SIGINT, &before, nullptr);
  if (is_interrupted.exchange(false)) PyErr_SetInterrupt();
}

bool Interruption::is_asked_for() {
  return is_interrupted || has_ended;
}

// Who finds that the program has not ended asks for the interpreter at once, and the end of it
// waits for all who do: in between Python would tear a thread out.
WithoutInterpreter::~WithoutInterpreter() {
  ++returning;
  if (has_ended && !is_main_thread()) {
    --returning;
    for (;;) pause();
  }
  PyEval_RestoreThread(state_);
  --returning;
}

void end_runs() {
  has_ended = true;
  PyThreadState* const state = PyEval_SaveThread();
  while (returning > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}

}  // namespace gradus::python
