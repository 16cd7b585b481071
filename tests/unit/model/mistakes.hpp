// Lists of mistakes in models, with what must be said of each.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/model/model_texts.hpp"

namespace gradus {

struct Mistake {
  const char* patch;
  const char* expected;
};

// `patched` makes the text of a model with the mistake in it.
template <class Patched>
void expect_all(const std::vector<Mistake>& mistakes, const Patched& patched) {
  for (const Mistake& mistake : mistakes) {
    const std::string message = error_of(patched(mistake.patch));
    EXPECT_NE(message.find(mistake.expected), std::string::npos)
        << "expected: " << mistake.expected << "\nfound:    " << message << "\nin "
        << mistake.patch;
    EXPECT_EQ(message.rfind("small.json: /", 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace gradus
