// What errors say.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"

namespace gradus::test {

// Of the error that `action` throws; "no error" if it throws none.
template <class Fault = InputError, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Fault& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos)
      << "expected: " << part << "\nfound: " << message;
}

// Of the error or failed design of a motion; "no failure" if it runs.
inline std::string failure_of(const Model& model, const Options& options = {}) {
  try {
    const Result result = simulate(model, options);
    return result.all_ok() ? "no failure" : result.status[0].message;
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace gradus::test
