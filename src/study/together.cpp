// Each task has a thread, and only the thread that holds the baton runs.
#include "src/study/together.hpp"

#include <exception>
#include <memory>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>

#include "gradus/error.hpp"

namespace gradus {
namespace {

// Thrown out of `ask` when everything ends early.
struct Ended : std::exception {
  const char* what() const noexcept override { return "the other tasks have ended"; }
};

class Together {
 public:
  Together(std::size_t tasks, const std::function<void(std::size_t, const Ask&)>& body)
      : body_(body) {
    try {
      for (std::size_t task = 0; task < tasks; ++task) {
        tasks_.push_back(std::make_unique<Task>());
        Task& place = *tasks_.back();
        place.thread = std::thread([this, task, &place] { run(task, place); });
      }
    } catch (const std::system_error& error) {  // no more threads available
      end();
      throw Error(std::to_string(tasks) + " starts cannot run at the same time: the system gave " +
                  std::to_string(tasks_.size() - 1) + " threads and no more (" +
                  error.code().message() + "), ask for fewer starts");
    } catch (...) {
      end();
      throw;
    }
  }
  ~Together() { end(); }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  void run_all(const Evaluate& evaluate) {
    while (true) {
      std::vector<Request> requests;
      for (std::size_t task = 0; task < tasks_.size(); ++task) {
        Task& place = *tasks_[task];
        if (place.done) continue;
        hand_over(place);
        if (place.error) std::rethrow_exception(place.error);
        if (!place.done) requests.push_back({task, place.asked++, place.point});
      }
      if (requests.empty()) return;
      std::vector<Answer> answers = evaluate(requests);
      for (std::size_t k = 0; k < requests.size(); ++k)
        tasks_[requests[k].task]->answer = std::move(answers.at(k));
    }
  }

 private:
  struct Task {
    std::thread thread;
    std::binary_semaphore turn{0};
    bool done = false;
    std::exception_ptr error;
    std::size_t asked = 0;
    std::vector<double> point;
    Answer answer;
  };

  // Lets a task run until it asks for an evaluation or ends.
  void hand_over(Task& place) {
    place.turn.release();
    back_.acquire();
  }

  // What each thread runs.
  void run(std::size_t task, Task& place) {
    place.turn.acquire();
    if (!ending_) {
      try {
        body_(task, [&](const std::vector<double>& point) { return ask(place, point); });
      } catch (...) {
        place.error = std::current_exception();
      }
    }
    place.done = true;
    back_.release();
  }

  Answer ask(Task& place, const std::vector<double>& point) {
    if (ending_) throw Ended();  // the body ignored the first one
    place.point = point;
    back_.release();
    place.turn.acquire();
    if (ending_) throw Ended();
    return std::move(place.answer);
  }

  void end() {
    ending_ = true;  // whoever reads it has the baton
    for (const std::unique_ptr<Task>& place : tasks_) {
      if (!place->thread.joinable()) continue;
      if (!place->done) hand_over(*place);
      place->thread.join();
    }
  }

  const std::function<void(std::size_t, const Ask&)>& body_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::binary_semaphore back_{0};
  bool ending_ = false;
};

}  // namespace

void run_together(std::size_t tasks, const std::function<void(std::size_t, const Ask&)>& body,
                  const Evaluate& evaluate) {
  Together(tasks, body).run_all(evaluate);
}

}  // namespace gradus
