// Learning for devices.
#include "src/specialise/device_step_maker.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "gradus/error.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/device_compiler.hpp"

namespace gradus::specialise {
namespace {

constexpr int step_part = 0;
constexpr const char* host_target = "host";
// Samples known in a row, after which only some are taken.
constexpr std::size_t known_before_pause = 50;
constexpr std::size_t between_samples = 8;
constexpr std::size_t most_of_a_motion = 1000;  // samples
constexpr std::size_t most_nodes = 200'000;     // some minutes for the compiler

std::string compiler_for(const std::string& target) {
  return target == host_target ? host_compiler() : device_compiler();
}

}  // namespace

DeviceStepMaker::DeviceStepMaker(const StepSetup& setup, const std::string& target)
    : setup_(setup),
      compiler_(compiler_for(target)),
      cache_(
          std::make_unique<ProgramCache>(setup, compiler_ + " for designs in tiles, " + target)) {}

DeviceStepMaker::~DeviceStepMaker() {
  if (waits_for_compiler()) store();
}

void DeviceStepMaker::store() const noexcept try {
  ByteWriter programs;
  programs_->write(programs);
  cache_->store(step_part, {programs.bytes(), compiled_});
} catch (const std::exception&) {  // there is no memory left: then it is not kept
}

StepCounts DeviceStepMaker::counts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

bool DeviceStepMaker::is_wrong() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_wrong_;
}

bool DeviceStepMaker::has_news() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return waits_for_compiler();
}

void DeviceStepMaker::begin_motion() {
  const std::lock_guard<std::mutex> lock(mutex_);
  shown_ = known_in_a_row_ = offered_ = 0;
}

bool DeviceStepMaker::want_samples(int) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!counts_.obstacle.empty() || shown_ >= most_of_a_motion) return false;
  ++offered_;
  return known_in_a_row_ < known_before_pause || offered_ % between_samples == 0;
}

void DeviceStepMaker::open_cache() {
  const std::optional<ProgramCache::Entry> entry = cache_->load(step_part);
  if (!entry) return;
  try {
    ByteReader reader(entry->programs);
    programs_->read(reader);
    if (programs_->places() != lessons_->places()) throw FileError("it is of another layout");
    compiled_ = entry->library;
    ++counts_.found;
  } catch (const Error&) {
    programs_ = lessons_->no_programs(0);
    cache_->remove(step_part);
  }
}

void DeviceStepMaker::show(StepSample sample) {
  const std::lock_guard<std::mutex> lock(mutex_);
  learn(sample);
}

void DeviceStepMaker::learn(StepSample& sample) {
  ++shown_;
  launches_ = sample.launches;
  if (!lessons_) {
    lessons_ = std::make_unique<Lessons>(setup_, sample.before.data());
    programs_ = lessons_->no_programs(0);
    open_cache();
  }
  Lessons::Use use = lessons_->prepare(*programs_, sample);
  if (use == Lessons::Use::none) return;
  if (use == Lessons::Use::some) use = lessons_->learn(*programs_, sample);
  if (use == Lessons::Use::never) {
    counts_.obstacle = lessons_->obstacle();
    is_wrong_ = true;
    return;
  }
  known_in_a_row_ = programs_->knew_last() ? known_in_a_row_ + 1 : 0;
  if (programs_->knew_last()) is_of_use_ = true;
  if (!programs_->knew_last()) compiled_.clear();
  counts_.ways = programs_->way_count();
  if (programs_->node_count() > most_nodes) counts_.obstacle = "they are too long for the compiler";
}

void DeviceStepMaker::show_missed(double time, std::vector<double> before) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!counts_.obstacle.empty()) return;
  StepSample sample{step_part, time, std::move(before), {}, launches_};
  for (StepLaunch& launch : sample.launches) launch.arguments.time = time;
  learn(sample);
}

StepCode DeviceStepMaker::code(const std::string& target, int shared) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!counts_.obstacle.empty()) throw Error(counts_.obstacle);
  if (!programs_) throw Error("all steps are recorded, end with a sample, or fail");
  if (!is_of_use_) throw Error("none of its steps took a way that can be recorded");
  const bool is_host = target == host_target;
  if (compiled_.empty()) {
    Stopwatch watch;
    const std::string text =
        programs_->device_text(is_host ? DeviceKind::host : DeviceKind::gpu, shared);
    if (is_host) {
      former_.push_back(std::move(text_));
      text_ = std::make_unique<CompiledText>(compiler_, text);
      compiled_ = text_->bytes();
    } else {
      compiled_ = compiled_for_device(text, target);
    }
    counts_.code_bytes = compiled_.size();
    counts_.work = programs_->work();
    counts_.compile_time += watch.lap();
    ++counts_.compilations;
    store();
  }
  if (!is_host) return {nullptr, compiled_};
  if (!text_) text_ = std::make_unique<CompiledText>(compiled_);
  return {text_->function<void(StepBatch)>("step"), {}};
}

}  // namespace gradus::specialise
