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
#include "tests/support/messages.hpp"
#include "tests/unit/mechanism/small_models.hpp"

namespace gradus::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Options on(const char* backend, const char* method = "direct") {
  Options options;
  options.backend = backend;
  options.method = method;
  return options;
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
    expect_part(message_of([&] { Mechanism(short_five_bar(), on("cpu:1", method)); }),
                std::string("method: found \"") + method + "\"");
  expect_part(message_of([] { Mechanism(short_five_bar(), on("cpu:1", "adjont")); }),
              "did you mean \"adjoint\"?");
  EXPECT_NE(message_of([] { simulate(short_five_bar(), on("cpu:1", "none")); }), "no error");
  const Mechanism mechanism(short_five_bar(), on("cpu:1"));
  EXPECT_NE(message_of([&] { mechanism.simulate({}, on("cpu:1", "none")); }), "no error");
}

TEST(Session, ThatWasMovedFromRefusesCalls) {
  const Mechanism mechanism(short_five_bar(), on("cpu:1"));
  const std::vector<double> rows = designs_around(mechanism, 1);
  Session first(mechanism);
  Session second(std::move(first));
  EXPECT_EQ(second.simulate(rows, {}), 0U);
  const std::vector<double> ones(mechanism.objective_count(), 1.0);
  std::vector<double> products(mechanism.parameter_count());
  const auto expect_refused = [&](Session& session) {
    const auto refused = [](const auto& call) { expect_part(message_of(call), "moved from"); };
    refused([&] { session.simulate(rows, {}); });
    refused([&] { session.gradient(rows, {}); });
    refused([&] { session.evaluate({rows, {}}, {}); });
    refused([&] { session.jacobian_vector({rows, {}}, {}, {}); });
    refused([&] { session.vector_jacobian({rows, {}}, {}, {}); });
    refused([&] { session.jacobian_vector(rows, rows, products); });
    refused([&] { session.vector_jacobian(rows, ones, products); });
    refused([&] { session.status(0); });
  };
  expect_refused(first);  // NOLINT(bugprone-use-after-move)
  Session third(std::move(first));
  expect_refused(third);
  third = std::move(second);
  EXPECT_TRUE(third.status(0).ok);
}

// Moving copies what is shared, so that nothing is left empty.
TEST(Mechanism, ThatWasMovedFromIsWhatItWas) {
  Mechanism first(short_five_bar(), on("cpu:1"));
  const Mechanism second(std::move(first));
  EXPECT_EQ(first.parameter_count(), 5U);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.options().backend, "cpu:1");
  Session session(first);
  EXPECT_EQ(session.simulate(second.nominal(), {}), 0U);
}

// What is lent lives as long as the mechanism.
template <class M>
concept lends = requires(M&& mechanism) {
  std::forward<M>(mechanism).nominal();
}
|| requires(M&& mechanism) {
  std::forward<M>(mechanism).options();
}
|| requires(M&& mechanism) {
  std::forward<M>(mechanism).model();
}
|| requires(M&& mechanism) {
  std::forward<M>(mechanism).exchange();
};
static_assert(lends<const Mechanism&> && !lends<Mechanism> && !lends<const Mechanism>);

// The progress of a run is where a second thread surely finds the session at work.
TEST(Session, ServesOneCallAtATime) {
  std::string found;
  Session* at_work = nullptr;
  std::vector<double> rows;
  Options options = on("debug", "finite-difference");
  options.progress = [&](double) {
    Session* const busy = std::exchange(at_work, nullptr);
    if (busy == nullptr) return;
    const auto both = [&] {
      return message_of([&] { busy->simulate(rows, {}); }) + "; " +
             message_of([&] { busy->status(0); });
    };
    found = std::async(std::launch::async, both).get();
  };
  const Mechanism mechanism(short_five_bar(), options);
  rows = designs_around(mechanism, 1);
  Session session(mechanism);
  at_work = &session;
  EXPECT_EQ(session.gradient(rows, {}), 0U);
  EXPECT_EQ(
      found,
      "session: is at work for another call (each thread needs one of its own); make another; "
      "session: is at work for another call (each thread needs one of its own); make another");
  EXPECT_EQ(session.simulate(rows, {}), 0U);
}

TEST(Session, ForgetsTheCallBeforeOneThatFails) {
  const Mechanism mechanism(short_five_bar(), on("cpu:1"));
  const std::vector<double> rows = designs_around(mechanism, 1);
  Session session(mechanism);
  std::vector<double> too_few(1);
  Arrays to;
  to.objectives = too_few;
  const auto expect_forgotten = [&](const auto& call) {
    EXPECT_EQ(session.simulate(rows, {}), 0U);
    EXPECT_TRUE(session.status(0).ok);
    EXPECT_NE(message_of(call), "no error");
    expect_part(message_of([&] { session.status(0); }), "the last call had no design 0");
  };
  expect_forgotten([&] { session.simulate(rows, to); });
  expect_forgotten([&] { session.gradient(rows, to); });
  expect_forgotten([&] { session.evaluate({rows, {}}, {too_few, {}, {}}); });
  expect_forgotten([&] { session.jacobian_vector(rows, rows, too_few); });
  expect_forgotten([&] { session.vector_jacobian(rows, too_few, too_few); });
}

TEST(Numbers, ThatAreNotFiniteAreNamed) {
  Options options = on("cpu:1");
  options.designs.values = designs_around(Mechanism(short_five_bar(), options), 2);
  options.designs.values[8] = kNan;
  const Mechanism mechanism(short_five_bar(), options);
  const std::string where = ": found a number that is not finite (design 1, parameter 3)";
  EXPECT_EQ(message_of([&] { mechanism.gradient(); }), "designs" + where);
  EXPECT_EQ(message_of([&] { mechanism.simulate(); }), "designs" + where);
  EXPECT_EQ(message_of([&] { simulate(short_five_bar(), options); }), "designs" + where);
  const std::vector<double>& rows = options.designs.values;
  Session session(mechanism);
  EXPECT_EQ(message_of([&] { session.gradient(rows, {}); }), "parameters" + where);
  EXPECT_EQ(message_of([&] { session.evaluate({rows, {}}, {}); }), "parameters" + where);
  EXPECT_EQ(message_of([&] { mechanism.gradient(rows); }), "parameters" + where);
}

TEST(Session, RefusesSolversThatTheProcessorHasNot) {
  for (const bool mixed : {false, true}) {
    Options options = on("cpu:1");
    (mixed ? options.precision : options.solver) = mixed ? "mixed" : "native";
    const Mechanism mechanism(short_five_bar(), options);
    const std::vector<double> rows = designs_around(mechanism, 1);
    std::vector<double> products(mechanism.objective_count());
    Session session(mechanism);
    const std::string expected = message_of<Error>([&] { mechanism.gradient(rows); });
    expect_part(expected, "serves devices only");
    EXPECT_EQ(message_of<Error>([&] { session.gradient(rows, {}); }), expected);
    EXPECT_EQ(message_of<Error>([&] { session.jacobian_vector(rows, rows, products); }), expected);
    EXPECT_EQ(message_of<Error>([&] { session.simulate(rows, {}); }),
              message_of<Error>([&] { mechanism.simulate(rows); }));
  }
}

}  // namespace
}  // namespace gradus::test
