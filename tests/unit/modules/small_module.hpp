// A module that answers one question.
#pragma once

#include "src/modules/module.hpp"

namespace gradus::test {

struct SmallModule {
  static constexpr int interface = 3;
  int (*twice)(int number);
};

}  // namespace gradus::test
