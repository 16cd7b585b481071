// Learning and compiling beside runs.
#include "src/specialise/step_maker.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <system_error>
#include <utility>

#include "gradus/error.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/carried.hpp"

namespace gradus::specialise {
namespace {

constexpr int most_waiting = 8;                  // samples
constexpr std::size_t known_before_first = 100;  // steps in a row, for the compiler to be called
constexpr std::size_t most_before_first = 1000;  // steps that are learnt before that at most
// Steps whose way is not known before the compiler is called once more, each time twice as many.
constexpr std::size_t first_patience = 30;
// Steps that took a new way each, if these are most: so will all.
constexpr std::size_t most_new = 100;
constexpr std::size_t most_nodes = 1'000'000;  // a minute and a half for the compiler

std::vector<char> places_carried(const RecordedDesign& design) {
  std::vector<char> is_carried(design.places(), 0);
  for (const Span& span : carried_between_steps(design.layout(), design.plan()))
    std::fill_n(is_carried.begin() + span.begin, span.count, 1);
  return is_carried;
}

}  // namespace

StepMaker::StepMaker(const StepSetup& setup) : setup_(setup), room_(most_waiting) {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {  // the system has none left
    give_up("no thread could be started to make them");
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

void StepMaker::show(const double* before, const std::vector<StepLaunch>& step) {
  const std::size_t size = static_cast<std::size_t>(setup_.lanes) *
                           static_cast<std::size_t>(setup_.layout.size + kernels::kMostKeptNumbers);
  Sample sample{{before, before + size}, step};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (room_ <= 0) return;
    --room_;
    samples_.push_back(std::move(sample));
  }
  changed_.notify_all();
}

void StepMaker::settle() {
  std::unique_lock<std::mutex> lock(mutex_);
  settles_ = true;
  is_idle_ = false;
  changed_.notify_all();
  changed_.wait(lock, [this] { return is_idle_ || !counts_.obstacle.empty(); });
  settles_ = false;
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
    while (const std::optional<Sample> sample = next_sample()) {
      if (!sample->step.empty()) learn(*sample);
      const bool settles = sample->step.empty();
      if (room_ >= 0 && (settles ? has_news_ : is_due())) compile();
      if (!counts().obstacle.empty()) return;
    }
  } catch (const std::exception& problem) {
    if (!stops_) give_up(problem.what());
  }
}

// None when it is time to stop; without launches where all is learnt and should be compiled.
std::optional<StepMaker::Sample> StepMaker::next_sample() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (stops_) return std::nullopt;
    if (!samples_.empty()) break;
    if (settles_ && !is_idle_) {
      if (has_news_) return Sample{};
      is_idle_ = true;
      changed_.notify_all();
    }
    changed_.wait(lock);
  }
  Sample sample = std::move(samples_.front());
  samples_.pop_front();
  ++room_;
  return sample;
}

bool StepMaker::run_general(const Sample& sample) {
  for (const StepLaunch& launch : sample.step) design_->run(launch);
  const bool succeeds = design_->status() == kernels::Status::ok;
  design_->forgive();
  return succeeds;
}

// Whether a step goes by nothing but what is carried.
bool StepMaker::repeats_itself(const Sample& sample, const std::vector<double>& after) {
  DesignMemory& memory = design_->memory();
  const auto lanes = static_cast<std::size_t>(setup_.lanes);
  for (std::size_t i = 0; i < memory.size(); ++i)
    memory[i] = programs_->is_carried(i / lanes) ? sample.before[i]
                                                 : std::numeric_limits<double>::quiet_NaN();
  if (!run_general(sample)) return false;
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (programs_->is_carried(i / lanes) && memory[i] != after[i] &&
        (memory[i] == memory[i] || after[i] == after[i]))
      return false;
  return true;
}

void StepMaker::learn(const Sample& sample) {
  if (!design_) {
    design_ = std::make_unique<RecordedDesign>(setup_, sample.before.data());
    programs_ = std::make_unique<StepPrograms>(places_carried(*design_));
  }
  std::copy(sample.before.begin(), sample.before.end(), design_->memory().begin());
  if (!run_general(sample)) return;
  const std::vector<double> after = design_->copy();
  if (!repeats_itself(sample, after))
    return give_up("steps of this mechanism go by more than they are known to carry on");
  std::copy(after.begin(), after.end(), design_->memory().begin());
  if (!programs_->learn(*design_, sample.step, sample.before))
    return give_up("recordings of its steps do not repeat them");
  ++learnt_;
  ++shown_since_compiled_;
  const bool is_new = !programs_->knew_last();
  has_news_ = has_news_ || is_new;
  known_in_a_row_ = is_new ? 0 : known_in_a_row_ + 1;
  if (is_new) ++new_;
  if (new_ > most_new && 2 * new_ > learnt_)
    return give_up("most take a way of their own, as with tables of very many knots");
  if (programs_->node_count() <= most_nodes) return;
  if (texts_.empty()) return give_up("its steps are too long for the compiler");
  stop_learning();
}

bool StepMaker::is_due() const {
  if (!has_news_) return false;
  if (texts_.empty()) return known_in_a_row_ >= known_before_first || learnt_ >= most_before_first;
  return shown_since_compiled_ >= first_patience << (texts_.size() - 1);
}

void StepMaker::compile() {
  Stopwatch watch;
  texts_.push_back(
      std::make_unique<CompiledText>(host_compiler(), programs_->text(setup_.lanes), &stops_));
  step_.store(texts_.back()->function<Function>("step"), std::memory_order_release);
  has_news_ = false;
  shown_since_compiled_ = 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  ++counts_.compilations;
  counts_.compile_time += watch.lap();
  counts_.ways = programs_->way_count();
}

void StepMaker::stop_learning() {
  const std::lock_guard<std::mutex> lock(mutex_);
  room_ = std::numeric_limits<int>::min() / 2;
  samples_.clear();
  has_news_ = false;
}

// What is compiled already may be wrong.
void StepMaker::give_up(const std::string& why) {
  step_.store(nullptr, std::memory_order_release);
  stop_learning();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    counts_.obstacle = why;
  }
  changed_.notify_all();
}

}  // namespace gradus::specialise
