// Learning, translating and taking steps.
#include "src/specialise/specialised_chunk.hpp"

#include <algorithm>
#include <string>

#include "gradus/error.hpp"
#include "src/specialise/emit.hpp"

namespace gradus::specialise {
namespace {

using kernels::KernelId;

constexpr std::size_t most_paths = 64;  // of a piece; beyond, steps are missed

}  // namespace

bool has_step_programs(const MotionRequest& request) {
  const std::vector<kernels::ObjectiveEntry>& objectives = request.plan->objectives;
  return request.formulation->has_stages && !is_adjoint(request.sensitivity) &&
         std::none_of(objectives.begin(), objectives.end(),
                      [](const auto& o) { return kernels::is_searched(o.kind); });
}

SpecialisedChunk::SpecialisedChunk(const MotionRequest& request, std::size_t lessons,
                                   KernelId divide)
    : step_(request.step), lessons_(lessons), divide_(divide), design_(request) {
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
  if (pieces_.empty()) find_pieces();
  const bool is_ordinary_step = is_ordinary();
  if (is_ordinary_step && lessons_ > 0) {
    learn();
    const bool all_known = std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
      return piece.program.path_count() > 0;
    });
    if (--lessons_ == 0 && all_known) compile();
    return;
  }
  if (is_ordinary_step && !is_last && text_ != nullptr) {
    if (run_program()) {
      ++programmed_;
      return;
    }
    ++missed_;
  }
  for (const RecordedDesign::Launch& launch : step_launches_) design_.run(launch);
}

void SpecialisedChunk::set_time() {
  for (RecordedDesign::Launch& launch : step_launches_)
    launch.arguments.time = static_cast<double>(steps_) * step_;
}

void SpecialisedChunk::find_pieces() {
  const auto divide =
      std::find_if(step_launches_.begin(), step_launches_.end(),
                   [&](const RecordedDesign::Launch& l) { return l.kernel == divide_; });
  const std::size_t count = step_launches_.size();
  const std::size_t end =
      std::min(static_cast<std::size_t>(divide - step_launches_.begin()) + 1, count);
  pieces_.resize(end < count ? 2 : 1);
  pieces_.front().end = end;
  pieces_.back().begin = pieces_.size() == 1 ? 0 : end;
  pieces_.back().end = count;
}

// By general kernels, beside which ways are recorded that are not known yet.
void SpecialisedChunk::learn() {
  for (Piece& piece : pieces_) {
    before_ = design_.memory();
    for (std::size_t k = piece.begin; k < piece.end; ++k) design_.run(step_launches_[k]);
    if (design_.status() != kernels::Status::ok) return;
    played_ = before_;
    const double time = step_launches_[piece.begin].arguments.time;
    if (piece.program.path_count() < most_paths &&
        (piece.program.path_count() == 0 || piece.program.run(played_.data(), time, values_) < 0))
      design_.record(&step_launches_[piece.begin], piece.end - piece.begin, before_, piece.program);
  }
}

std::vector<char> SpecialisedChunk::places_carried() const {
  std::vector<char> is_carried(design_.memory().size(), 0);
  for (const Span& span : carried_between_steps(design_.layout(), design_.plan()))
    std::fill_n(is_carried.begin() + span.begin, span.count, 1);
  return is_carried;
}

// Stored is what is carried, or read by a piece.
void SpecialisedChunk::compile() {
  Stopwatch watch;
  const std::vector<char> is_carried = places_carried();
  std::vector<char> is_read = is_carried;
  for (const Piece& piece : pieces_)
    for (const Stretch& stretch : piece.program.stretches())
      for (const int k : stretch.nodes) {
        const Node& node = piece.program.graph().nodes()[static_cast<std::size_t>(k)];
        if (node.kind == NodeKind::memory) is_read[static_cast<std::size_t>(node.a)] = 1;
      }
  std::string text = emitted_head(1);
  std::vector<char> is_written(is_read.size(), 0);
  const auto name_of = [&](const Piece& piece) {
    return "piece" + std::to_string(&piece - pieces_.data());
  };
  for (Piece& piece : pieces_) {
    piece.program.keep_stores(is_read);
    for (const Stretch& stretch : piece.program.stretches())
      for (const Store& store : stretch.stores)
        is_written[static_cast<std::size_t>(store.place)] = 1;
    text += emitted(piece.program, name_of(piece));
  }
  for (std::size_t p = 0; p < is_written.size(); ++p)
    if (is_written[p] != 0 && is_carried[p] != 0) written_.push_back(static_cast<int>(p));
  text_ = std::make_unique<CompiledText>(host_compiler(), text);
  for (Piece& piece : pieces_) piece.function = text_->function<Function>(name_of(piece));
  compile_time_ = watch.lap();
}

// False, with all that is carried as before, if it does not know the way.
bool SpecialisedChunk::run_program() {
  std::vector<double>& memory = design_.memory();
  saved_.resize(written_.size());
  for (std::size_t k = 0; k < written_.size(); ++k)
    saved_[k] = memory[static_cast<std::size_t>(written_[k])];
  for (const Piece& piece : pieces_) {
    if (piece.function(memory.data(), step_launches_[piece.begin].arguments.time) != 0) continue;
    for (std::size_t k = 0; k < written_.size(); ++k)
      memory[static_cast<std::size_t>(written_[k])] = saved_[k];
    return false;
  }
  return true;
}

}  // namespace gradus::specialise
