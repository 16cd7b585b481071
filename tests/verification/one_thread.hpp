// Options of runs on one thread.
#pragma once

#include "gradus/run.hpp"

namespace gradus::test {

inline Options one_thread() {
  Options options;
  options.backend = "cpu:1";
  return options;
}

}  // namespace gradus::test
