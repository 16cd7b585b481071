// Which steps go by programs.
#include "src/specialise/specialised_chunk.hpp"

#include <algorithm>

#include "gradus/error.hpp"
#include "src/specialise/carried.hpp"

namespace gradus::specialise {
namespace {

// Steps whose way is not known before the compiler is called once more, each time twice as many.
constexpr std::size_t first_patience = 30;

std::vector<char> places_carried(const RecordedDesign& design) {
  std::vector<char> is_carried(design.places(), 0);
  for (const Span& span : carried_between_steps(design.layout(), design.plan()))
    std::fill_n(is_carried.begin() + span.begin, span.count, 1);
  return is_carried;
}

}  // namespace

bool has_step_programs(const MotionRequest& request) {
  const std::vector<kernels::ObjectiveEntry>& objectives = request.plan->objectives;
  return request.formulation->has_stages && !is_adjoint(request.sensitivity) &&
         std::none_of(objectives.begin(), objectives.end(),
                      [](const auto& o) { return kernels::is_searched(o.kind); });
}

SpecialisedChunk::SpecialisedChunk(const MotionRequest& request, std::size_t lessons, int lanes)
    : step_(request.step),
      lessons_(lessons),
      design_(request, lanes),
      programs_(places_carried(design_)) {
  if (!has_step_programs(request)) throw Error("there are no programs for steps of this motion");
}

// Kernels compare the instant as a plain number, which recordings do not see: a step at whose end
// an objective has its value goes by general kernels.
bool SpecialisedChunk::is_ordinary() const {
  const double time = static_cast<double>(steps_) * step_;
  const kernels::PlanView& plan = design_.plan();
  return std::none_of(plan.objectives, plan.objectives + plan.objective_count, [&](const auto& o) {
    return o.kind == kernels::ObjectiveKind::value && o.time == time;
  });
}

void SpecialisedChunk::take_step(bool is_last) {
  ++steps_;
  set_time();
  if (!is_ordinary()) return run_general();
  if (lessons_ > 0) {
    learn();
    if (--lessons_ == 0) compile();
    return;
  }
  if (is_last || !programs_.is_compiled()) return run_general();
  if (programs_.run(design_.memory().data(), step_launches_.front().arguments.time)) {
    ++programmed_;
    return;
  }
  ++missed_;
  learn();
  if (--patience_ == 0) compile();
}

void SpecialisedChunk::set_time() {
  for (RecordedDesign::Launch& launch : step_launches_)
    launch.arguments.time = static_cast<double>(steps_) * step_;
}

void SpecialisedChunk::run_general() {
  for (const RecordedDesign::Launch& launch : step_launches_) design_.run(launch);
}

// By general kernels; programs that do not repeat what these do are given up.
void SpecialisedChunk::learn() {
  before_ = design_.copy();
  run_general();
  if (design_.status() != kernels::Status::ok || is_given_up_) return;
  Stopwatch watch;
  is_given_up_ = !programs_.learn(design_, step_launches_, before_);
  learning_time_ += watch.lap();
}

void SpecialisedChunk::compile() {
  if (is_given_up_) return;
  Stopwatch watch;
  programs_.compile(design_.lanes());
  compile_time_ += watch.lap();
  patience_ = first_patience << compiled_++;
}

}  // namespace gradus::specialise
