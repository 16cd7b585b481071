// Learning and compiling beside runs.
#include "src/specialise/step_maker.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <system_error>
#include <utility>

#include "gradus/error.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/emit.hpp"

namespace gradus::specialise {
namespace {

constexpr int most_waiting = 8;                  // samples
constexpr std::size_t known_before_first = 100;  // samples in a row, for the compiler to be called
constexpr std::size_t most_before_first = 1000;  // samples that are learnt before that at most
// Samples whose way is not known before the compiler is called once more, each time twice as many.
constexpr std::size_t first_patience = 30;
// Samples that took a new way each, if these are most: so will all.
constexpr std::size_t most_new = 100;
// What waits for runs to be long enough: s of work of theirs, and what the compiler takes for a
// node.
constexpr double work_before_learning = 1.0;
constexpr double compile_time_of_node = 1.5e-4;  // s
constexpr std::chrono::milliseconds between_looks(100);
constexpr int most_places = 120'000;                 // of a design
constexpr std::size_t most_nodes = 1'000'000;        // a minute and a half for the compiler
constexpr std::size_t most_nodes_in_vain = 400'000;  // of programs that are used only if they pay
// Of samples, whose general kernels are timed, and of programs.
constexpr std::size_t least_timed = 5;
constexpr int repeats = 9;

constexpr double found_in_cache = -1.0;  // in place of the time of the compiler

constexpr const char* slower =
    "those made for this mechanism would be slower, as large mechanisms' may be";

double cpu_time(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

StepMaker::StepMaker(const StepSetup& setup) : setup_(setup), room_(most_waiting) {
  // Evaluations serve steps of any length and accuracy. If one did not, no recording would repeat
  // it.
  if (setup_.evaluation) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    setup_.settings.step = setup_.settings.duration = none;
    setup_.settings.rtol = setup_.settings.atol = none;
  }
  begun_ = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
  if (setup_.layout.size > most_places) {
    end_all("a design of this mechanism has more than " + std::to_string(most_places) +
            " numbers, which takes too long to learn from");
    return;
  }
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {  // the system has none left
    end_all("no thread could be started to make them");
  }
}

StepMaker::~StepMaker() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StepMaker::show(StepSample sample) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (room_ <= 0) return;
    --room_;
    samples_.push_back(std::move(sample));
  }
  changed_.notify_all();
}

void StepMaker::settle(const std::function<bool()>& ends) {
  std::unique_lock<std::mutex> lock(mutex_);
  settles_ = true;
  is_idle_ = false;
  changed_.notify_all();
  while (!is_idle_ && !has_ended_ && !stops_) {
    if (ends && ends()) stops_ = true;
    changed_.wait_for(lock, between_looks);
  }
  settles_ = false;
  if (!stops_) return;
  lock.unlock();
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StepMaker::count(std::size_t programmed, std::size_t missed) {
  const std::lock_guard<std::mutex> lock(mutex_);
  counts_.programmed += programmed;
  counts_.missed += missed;
}

StepCounts StepMaker::counts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

void StepMaker::work() {
  try {
    while (std::optional<StepSample> sample = next_sample()) {
      if (sample->before.empty()) {
        compile_news();
        continue;
      }
      Making& making = makings_[static_cast<std::size_t>(sample->part)];
      if (!making.programs) open_cache(making, *sample);
      if (making.learns) learn(*sample);
      if (making.learns && is_due(making)) compile(making);
    }
  } catch (const std::exception& problem) {
    if (!stops_) end_all(problem.what());
  }
  keep_news();
}

// None when it is time to stop; without a memory where all is learnt and should be compiled.
std::optional<StepSample> StepMaker::next_sample() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (stops_) return std::nullopt;
    if (!samples_.empty()) break;
    if (settles_ && !is_idle_) {
      if (std::any_of(makings_.begin(), makings_.end(), [](const Making& m) { return m.has_news; }))
        return StepSample{};
      is_idle_ = true;
      changed_.notify_all();
    }
    const bool waits =
        std::any_of(makings_.begin(), makings_.end(), [](const Making& m) { return m.waits; });
    if (!waits) {
      changed_.wait(lock);
    } else if (worked() > work_before_learning) {
      end_waiting();
    } else {
      changed_.wait_for(lock, between_looks);
    }
  }
  StepSample sample = std::move(samples_.front());
  samples_.pop_front();
  ++room_;
  return sample;
}

void StepMaker::learn(StepSample& sample) {
  Making& making = makings_[static_cast<std::size_t>(sample.part)];
  const Lessons::Use use = lessons_->prepare(*making.programs, sample);
  if (use == Lessons::Use::none) return;
  making.general_s = std::min(making.general_s, sample.general_s);
  ++making.timed;
  if (use == Lessons::Use::some && making.unproven != nullptr) prove(making, sample);
  const std::size_t ways = making.programs->way_count();
  if (use == Lessons::Use::never ||
      lessons_->learn(*making.programs, sample) == Lessons::Use::never)
    return give_up(making, lessons_->obstacle());
  if (making.programs->began_anew()) begin_anew(making);
  making.last = sample;
  ++making.learnt;
  ++making.shown_since_compiled;
  const bool is_new = !making.programs->knew_last();
  // What cannot be recorded, as a quotient by zero, is nothing for the compiler.
  making.has_news = making.has_news || making.programs->began_anew() ||
                    (is_new && making.programs->way_count() != ways);
  making.known_in_a_row = is_new ? 0 : making.known_in_a_row + 1;
  if (is_new) ++making.fresh;
  if (making.fresh > most_new && 2 * making.fresh > making.learnt)
    return give_up(
        making,
        "most take a way of their own, as with tables of very many knots, or quotients by zero");
  if (making.programs->node_count() <= (setup_.waits ? most_nodes_in_vain : most_nodes)) return;
  if (making.compilations == 0) return give_up(making, "they are too long for the compiler");
  stop_learning(making);
}

// What an earlier start has left, or nothing.
void StepMaker::open_cache(Making& making, const StepSample& sample) {
  if (!lessons_) lessons_ = std::make_unique<Lessons>(setup_, sample.before.data());
  making.programs = lessons_->no_programs(sample.part);
  if (!cache_) cache_ = std::make_unique<ProgramCache>(setup_, host_compiler());
  std::optional<ProgramCache::Entry> entry = cache_->load(sample.part);
  if (!entry) {
    making.waits = setup_.waits && worked() < work_before_learning;
    if (making.waits) making.learns = false;
    return;
  }
  try {
    ByteReader reader(entry->programs);
    making.programs->read(reader);
    if (making.programs->places() != lessons_->places()) throw FileError("it is of another layout");
    making.texts.push_back(std::make_unique<CompiledText>(std::move(entry->library)));
    making.unproven = making.texts.back()->function<Function>("step");
    making.compilations = 1;
    making.has_news = entry->has_news;
    if (making.has_news) making.shown_since_compiled = first_patience;
  } catch (const Error&) {
    making.texts.clear();
    making.programs = lessons_->no_programs(sample.part);
    cache_->remove(sample.part);
  }
}

// What comes from a file serves when it has repeated what general kernels do.
void StepMaker::prove(Making& making, const StepSample& sample) {
  if (setup_.waits && making.timed < least_timed) return;
  DesignMemory memory(sample.before.begin(), sample.before.end());
  if (making.unproven(memory.data(), sample.time) == 0) return;  // a way that it does not know
  Function* const proven = std::exchange(making.unproven, nullptr);
  if (lessons_->carries_the_same(*making.programs, memory, sample)) {
    making.last = sample;
    if (!pays(making, proven)) return give_up(making, slower);
    return publish(making, proven, found_in_cache);
  }
  making.texts.clear();
  making.compilations = 0;
  making.has_news = false;
  making.programs = lessons_->no_programs(sample.part);
  cache_->remove(sample.part);
}

// From here on runs go by it, and remarks know of it.
void StepMaker::publish(Making& making, Function* made, double compile_time) {
  const std::lock_guard<std::mutex> lock(mutex_);
  making.step.store(made, std::memory_order_release);
  if (compile_time == found_in_cache) {
    ++counts_.found;
  } else {
    ++counts_.compilations;
    counts_.compile_time += compile_time;
  }
  counts_.ways = 0;
  for (const Making& each : makings_) {
    if (each.step == nullptr) continue;
    counts_.ways += each.programs->way_count();
    const StepWork work = each.programs->work();
    if (work.operations <= counts_.work.operations) continue;
    counts_.work = work;
    counts_.code_bytes = each.texts.back()->bytes().size();
  }
}

// By all threads but the one that learns [s].
double StepMaker::worked() const {
  return cpu_time(CLOCK_PROCESS_CPUTIME_ID) - cpu_time(CLOCK_THREAD_CPUTIME_ID) - begun_;
}

void StepMaker::end_waiting() {
  for (Making& making : makings_)
    if (std::exchange(making.waits, false)) making.learns = true;
}

bool StepMaker::is_due(const Making& making) const {
  if (!making.has_news) return false;
  if (setup_.waits &&
      worked() < compile_time_of_node * static_cast<double>(making.programs->node_count()))
    return false;
  if (making.compilations == 0)
    return making.known_in_a_row >= known_before_first || making.learnt >= most_before_first;
  return making.shown_since_compiled >= first_patience << (making.compilations - 1);
}

// Whether a program is quicker than general kernels, where that is asked for.
bool StepMaker::pays(const Making& making, Function* made) const {
  if (!setup_.waits) return true;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repeats; ++k) {
    DesignMemory memory(making.last.before.begin(), making.last.before.end());
    Stopwatch watch;
    if (made(memory.data(), making.last.time) == 0) return true;  // nothing is known of it
    least = std::min(least, watch.lap());
  }
  return least < making.general_s;
}

void StepMaker::compile(Making& making) try {
  Stopwatch watch;
  making.texts.push_back(std::make_unique<CompiledText>(
      host_compiler(), making.programs->text(setup_.lanes, columns_in_loops(setup_)),
      [this] { return stops_.load(); }));
  Function* const made = making.texts.back()->function<Function>("step");
  if (!pays(making, made)) return give_up(making, slower);
  making.unproven = nullptr;
  making.has_news = false;
  making.shown_since_compiled = 0;
  ++making.compilations;
  publish(making, made, watch.lap());
  keep(making);
} catch (const TooManySlots& problem) {
  if (making.compilations == 0) return give_up(making, problem.what());
  stop_learning(making);
}

void StepMaker::keep(const Making& making) const {
  ByteWriter programs;
  making.programs->write(programs);
  cache_->store(static_cast<int>(&making - makings_.data()),
                {programs.bytes(), making.texts.back()->bytes(), making.has_news});
}

// What has been learnt since the compiler was called would have to be learnt again at every start
// of a program whose runs are short.
void StepMaker::keep_news() const noexcept try {
  for (const Making& making : makings_)
    if (making.has_news && making.compilations > 0 && making.step != nullptr) keep(making);
} catch (const std::exception&) {  // there is no memory left: then they are not kept
}

void StepMaker::compile_news() {
  for (Making& making : makings_)
    if (making.has_news) compile(making);
}

void StepMaker::stop_learning(Making& making) {
  making.learns = false;
  making.has_news = false;
}

// What is compiled already is right, but programs know nothing of its ways any more: runs show them
// once more.
void StepMaker::begin_anew(Making& making) {
  making.step.store(nullptr, std::memory_order_release);
  making.unproven = nullptr;
  making.learnt = making.fresh = making.known_in_a_row = making.compilations = 0;
}

// What is compiled already may be wrong.
void StepMaker::give_up(Making& making, const std::string& why) {
  making.step.store(nullptr, std::memory_order_release);
  making.given_up = true;
  stop_learning(making);
  const std::lock_guard<std::mutex> lock(mutex_);
  counts_.obstacle = why;
}

void StepMaker::end_all(const std::string& why) {
  for (Making& making : makings_) give_up(making, why);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_ended_ = true;
    samples_.clear();
  }
  changed_.notify_all();
}

}  // namespace gradus::specialise
