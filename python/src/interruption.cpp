// Remembers an interruption by a signal handler of its own.
#include "python/src/interruption.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace gradus::python {
namespace {

std::atomic<bool> is_interrupted{false};
std::atomic<bool> has_ended{false};  // the program, but for its last breath
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

WithoutInterpreter::~WithoutInterpreter() {
  while (has_ended && !is_main_thread()) pause();
  PyEval_RestoreThread(state_);
}

void end_runs() {
  has_ended = true;
}

}  // namespace gradus::python
