// Remembers an interruption by a signal handler of its own.
#include "python/src/interruption.hpp"

#include <pthread.h>
#include <signal.h>
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

// Python imports modules in its main thread first.
const pthread_t main_thread = pthread_self();

}  // namespace

Interruption::Interruption() {
  if (pthread_equal(pthread_self(), main_thread) == 0) return;
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
  while (has_ended && pthread_equal(pthread_self(), main_thread) == 0) pause();
  PyEval_RestoreThread(state_);
}

void end_runs() {
  has_ended = true;
}

}  // namespace gradus::python
