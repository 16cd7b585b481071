// What errors say.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gradus/error.hpp"

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

}  // namespace gradus::test
