// Signal handlers: they call only what is allowed there.
#include "src/cli/interruption.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "src/results/atomic_file.hpp"

namespace gradus::cli {
namespace {

std::atomic<bool> orderly{false};
std::atomic<int> remembered{0};
std::atomic<long long> since{0};  // ms, when the first signal came
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long long>::is_always_lock_free);

constexpr long long patience = 500;  // ms

long long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000LL * now.tv_sec + now.tv_nsec / 1000000;
}

void say(const char* message) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
}

void end_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

extern "C" void handle_interruption(int signal_number) {
  if (orderly && remembered == 0) since = milliseconds();
  if (orderly && remembered.exchange(signal_number) == 0) {
    const int error = errno;  // of the call that was interrupted
    say("\ngradus: interrupted, ending (a second signal ends at once)\n");
    errno = error;
    return;
  }
  results::remove_unfinished_files();
  say("\ngradus: interrupted\n");
  end_by(signal_number);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal_number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = handle_interruption;
    action.sa_flags = SA_RESTART;  // calls of libraries need not expect an interruption
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, nullptr);
  }
  // A file that grows beyond a limit is then an error of the write that can be reported.
  signal(SIGXFSZ, SIG_IGN);
}

OrderlyInterruption::OrderlyInterruption() {
  orderly = true;
}

OrderlyInterruption::~OrderlyInterruption() {
  orderly = false;
}

bool OrderlyInterruption::asked_for() const {
  return remembered != 0;
}

bool OrderlyInterruption::is_overdue() const {
  return remembered != 0 && milliseconds() - since > patience;
}

void OrderlyInterruption::end_program() const {
  const int signal_number = remembered;
  end_by(signal_number);
  std::_Exit(128 + signal_number);
}

}  // namespace gradus::cli
