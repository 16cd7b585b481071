// Motions on a device whose steps go by kernels made for the mechanism.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gradus/run.hpp"

namespace gradus::test {

// What the log says of the kernels.
struct MadeRun {
  Result result;
  int percent = 0;  // of the steps of designs that they took
  std::string log;
};

inline MadeRun run_made(const Model& model, Options options, bool with_columns = true) {
  MadeRun run;
  options.log = [&](const std::string& line) { run.log += line + "\n"; };
  options.kernels = "specialised";
  run.result = with_columns ? gradient(model, options) : simulate(model, options);
  const std::string before = "those made for this mechanism took ";
  if (const std::size_t at = run.log.find(before); at != std::string::npos)
    run.percent = std::atoi(run.log.c_str() + at + before.size());
  return run;
}

}  // namespace gradus::test
