// Many starts of one problem, advancing together, shared by processes, and kept in journals.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "src/study/journal.hpp"
#include "src/study/processes.hpp"
#include "src/study/together.hpp"

namespace gradus {

// Thrown where an evaluation is asked for after an interruption; ends all starts of a process.
struct Interrupted {};

class Starts {
 public:
  // `work`: folder of the journals; empty if nothing is kept. `evaluate` may throw Interrupted.
  Starts(std::filesystem::path work, const Processes& processes, std::size_t count,
         Evaluate evaluate);

  // body(start, ask) for every start of this process, which takes every n-th.
  using Body = std::function<void(std::size_t start, const Ask& ask)>;

  // Every process runs its own starts; then the first one finishes. Where others ran starts, it
  // runs all of them before, and all journals together answer. Whether nobody was interrupted.
  // Throws what bodies, evaluations or `finish` throw, and an Error where another process failed.
  bool run(const Body& body, const std::function<void()>& finish) const;

 private:
  void run_these(const std::vector<std::size_t>& starts, const Body& body) const;
  bool all_end_well(const std::function<void()>& part) const;

  std::filesystem::path work_;
  const Processes& processes_;
  std::size_t count_;
  Evaluate evaluate_;
};

}  // namespace gradus
