// Which methods there are, and what each refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gradus/error.hpp"
#include "src/study/optimization/optimizer.hpp"

namespace gradus::test {
namespace {

bool has(const std::string& method) {
  const std::vector<std::string> methods = optimization_methods();
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Optimizers, SayWhatTheyDoNotTake) {
  const auto check = [](const char* method, bool constraints, bool equations) {
    return refusal([&] { check_method(method, constraints, equations, "study: /method"); });
  };
  EXPECT_NE(check("slsqb", false, false).find("did you mean \"slsqp\""), std::string::npos);
  const auto require = [](const char* method) {
    return refusal([&] { require_method(method, false, false, "study: /method"); });
  };
  for (const char* method : {"lbfgs", "slsqp", "mma", "augmented-lagrangian"})
    EXPECT_EQ(require(method).find("libgradus_nlopt.so") == std::string::npos, has(method));
  EXPECT_EQ(require("ipopt").find("libgradus_ipopt.so") == std::string::npos, has("ipopt"));
  EXPECT_NE(check("lbfgs", true, false).find("takes no constraints"), std::string::npos);
  EXPECT_NE(check("mma", true, true).find("takes no equations"), std::string::npos);
  EXPECT_EQ(check("mma", true, true).find("\"slsqp\"") != std::string::npos, has("slsqp"));
  EXPECT_EQ(check("lbfgs", false, false), "");
  EXPECT_EQ(check("mma", true, false), "");
  EXPECT_EQ(check("slsqp", true, true), "");
}

}  // namespace
}  // namespace gradus::test
