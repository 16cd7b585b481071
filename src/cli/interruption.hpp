// Signals that end the program: at once, or, while a study runs, once the work in progress is
// saved.
#pragma once

namespace gradus::cli {

// From now on a signal ends the program at once and leaves no half-written file.
void install_signal_handlers();

// While one lives, the first signal is only remembered, and when it came; the second ends the
// program.
class OrderlyInterruption {
 public:
  OrderlyInterruption();
  ~OrderlyInterruption();
  OrderlyInterruption(const OrderlyInterruption&) = delete;
  OrderlyInterruption& operator=(const OrderlyInterruption&) = delete;

  bool asked_for() const;
  // Whether whoever sent the signal has waited long enough for the work in progress. Threads may
  // ask at the same time.
  bool is_overdue() const;
  // Ends the program the way the signal would have, so that shells see what happened.
  [[noreturn]] void end_program() const;
};

}  // namespace gradus::cli
