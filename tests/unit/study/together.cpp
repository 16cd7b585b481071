// Tasks that run together: rounds, order, ends of every kind.
#include "src/study/together.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "gradus/error.hpp"

namespace gradus::test {
namespace {

std::vector<Answer> doubled(const std::vector<Request>& requests) {
  std::vector<Answer> answers;
  for (const Request& request : requests) answers.push_back({2.0 * request.point.at(0)});
  return answers;
}

TEST(Together, AnswersTheRequestsOfARoundTogether) {
  std::vector<std::vector<Request>> rounds;
  std::vector<double> sums(4, 0.0);
  run_together(
      4,
      [&](std::size_t task, const Ask& ask) {
        for (std::size_t k = 0; k < task; ++k)
          sums[task] += ask({static_cast<double>(10 * task + k)}).at(0);
      },
      [&](const std::vector<Request>& requests) {
        rounds.push_back(requests);
        return doubled(requests);
      });
  EXPECT_EQ(sums, (std::vector<double>{0.0, 20.0, 82.0, 186.0}));
  ASSERT_EQ(rounds.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    ASSERT_EQ(rounds[k].size(), 3 - k);
    for (std::size_t i = 0; i < rounds[k].size(); ++i) {
      EXPECT_EQ(rounds[k][i].task, 1 + k + i);
      EXPECT_EQ(rounds[k][i].number, k);
      EXPECT_EQ(rounds[k][i].point.at(0), static_cast<double>(10 * (1 + k + i) + k));
    }
  }
}

TEST(Together, RunsOneBodyAtATimeInOrder) {
  std::atomic<int> running{0};
  std::vector<std::size_t> order;
  run_together(
      50,
      [&](std::size_t task, const Ask& ask) {
        for (int k = 0; k < 3; ++k) {
          EXPECT_EQ(running.fetch_add(1), 0);
          order.push_back(task);
          EXPECT_EQ(running.fetch_sub(1), 1);
          ask({1.0});
        }
      },
      doubled);
  ASSERT_EQ(order.size(), 150U);
  for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(order[k], k % 50);
}

TEST(Together, NothingToDo) {
  const Evaluate none = [](const std::vector<Request>&) -> std::vector<Answer> {
    ADD_FAILURE() << "nothing was asked";
    return {};
  };
  run_together(
      0, [](std::size_t, const Ask&) {}, none);
  run_together(
      3, [](std::size_t, const Ask&) {}, none);
}

TEST(Together, EvaluationThatThrowsEndsAll) {
  int rounds = 0;
  int ended = 0;
  const auto run = [&] {
    run_together(
        5,
        [&](std::size_t task, const Ask& ask) {
          try {
            while (true) ask({1.0});
          } catch (...) {
            ++ended;
            if (task == 3) ask({1.0});          // asks in vain
            if (task == 4) return;              // an orderly end
            throw std::logic_error("of task");  // must not hide the first reason
          }
        },
        [&](const std::vector<Request>& requests) {
          if (++rounds == 3) throw std::range_error("no answer");
          return doubled(requests);
        });
  };
  EXPECT_THROW(run(), std::range_error);
  EXPECT_EQ(ended, 5);
  EXPECT_EQ(rounds, 3);
}

TEST(Together, BodyThatThrowsEndsAll) {
  int ended = 0;
  const auto run = [&] {
    run_together(
        5,
        [&](std::size_t task, const Ask& ask) {
          struct Count {
            int& count;
            ~Count() { ++count; }
          } count{ended};
          ask({1.0});
          if (task == 2) throw std::range_error("of task 2");
          if (task == 3) throw std::logic_error("of task 3");
          ask({1.0});
        },
        doubled);
  };
  EXPECT_THROW(run(), std::range_error);
  EXPECT_EQ(ended, 5);
}

TEST(Together, BodyThatThrowsBeforeOthersBegin) {
  bool begun = false;
  EXPECT_THROW(run_together(
                   2,
                   [&](std::size_t task, const Ask&) {
                     if (task == 0) throw std::range_error("at once");
                     begun = true;
                   },
                   doubled),
               std::range_error);
  EXPECT_FALSE(begun);
}

#ifdef __GLIBC__
// Stacks so large that the address space holds but a few.
TEST(Together, SaysThatThereAreNoMoreThreads) {
  pthread_attr_t usual, large;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&large), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&large, std::size_t{1} << 45), 0);
  ASSERT_EQ(pthread_setattr_default_np(&large), 0);
  std::string message;
  try {
    run_together(
        40, [](std::size_t, const Ask& ask) { ask({1.0}); }, doubled);
  } catch (const Error& error) {
    message = error.what();
  }
  pthread_setattr_default_np(&usual);
  EXPECT_EQ(message.rfind("40 starts cannot run at the same time: the system gave ", 0), 0U)
      << message;
}
#endif

TEST(Together, TooFewAnswersAreAnError) {
  EXPECT_THROW(run_together(
                   2, [](std::size_t, const Ask& ask) { ask({1.0}); },
                   [](const std::vector<Request>&) { return std::vector<Answer>(1); }),
               std::out_of_range);
}

}  // namespace
}  // namespace gradus::test
