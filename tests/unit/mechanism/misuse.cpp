// What callers of mechanisms and sessions may get wrong is refused, and never answered by wrong
// numbers or the end of the program.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cmath>
#include <future>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include "gradus/error.hpp"
#include "tests/unit/mechanism/small_models.hpp"

namespace gradus::test {
namespace {

Options on(const char* backend, const char* method = "direct") {
  Options options;
  options.backend = backend;
  options.method = method;
  return options;
}

template <class Fault = InputError, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Fault& error) {
    return error.what();
  }
  return "";
}

void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

// While one of these lives no thread can be created.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge = before_;
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
  }
  ~NoMoreThreads() { pthread_setattr_default_np(&before_); }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(Threads, ThatCannotBeHadAreDoneWithout) {
  const Mechanism mechanism(short_five_bar(), on("cpu:16"));
  const std::vector<double> rows = designs_around(mechanism, 40);
  const Result expected = mechanism.gradient(rows);
  const NoMoreThreads none;
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  const Result found = mechanism.gradient(rows);
  EXPECT_EQ(found.objective_values, expected.objective_values);
  EXPECT_EQ(found.gradient, expected.gradient);
}

TEST(Method, ThatIsNoneIsRefusedBeforeAnythingRuns) {
  for (const char* method : {"none", "nonsense", ""})
    expect_says(message_of([&] { Mechanism(short_five_bar(), on("cpu:1", method)); }),
                std::string("method: found \"") + method + "\"");
  expect_says(message_of([] { Mechanism(short_five_bar(), on("cpu:1", "adjont")); }),
              "did you mean \"adjoint\"?");
  EXPECT_NE(message_of([] { simulate(short_five_bar(), on("cpu:1", "none")); }), "");
  const Mechanism mechanism(short_five_bar(), on("cpu:1"));
  EXPECT_NE(message_of([&] { mechanism.simulate({}, on("cpu:1", "none")); }), "");
}

}  // namespace
}  // namespace gradus::test
