// Steps of adaptive methods that the error of sensitivities decides on, for runs of the motion that
// carry none of them, or some: a run that carries them goes ahead and notes its steps.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/backend/host_kernels.hpp"
#include "src/motion/specialised_chunk.hpp"
#include "src/motion/step_notes.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

class StepProbe {
 public:
  // Of designs of `request`, which names its probe.
  explicit StepProbe(const MotionRequest& request)
      : request_(probe_request(request)),
        columns_(static_cast<int>(request_.column_count())),
        setup_(request_, Sensitivity::direct, columns_),
        chunk_(request_, setup_, Vehicle{1, host_kernels()}),
        noted_(chunk_, setup_.layout, steps_) {
    row_.resize(request_.plan->nominal.size());
    if (request_.workshop == nullptr) return;
    const kernels::PlanView plan = kernels::after_start(
        with_columns_of(request_.plan->view(), request_.first_column, columns_));
    steps_by_programs_ =
        request_.workshop->steps_for(request_, {plan, setup_.layout, request_.settings(), 1,
                                                host_kernels(), setup_.formulation.evaluation});
  }

  // The steps of a design with so many parameters, to the end of the motion. If
  // the probe fails on the way there are fewer, and fails() says so.
  const std::vector<double>& steps_of(std::span<const double> parameters) {
    steps_.clear();
    place(parameters);
    chunk_.see_columns(request_.first_column, columns_);
    for (std::size_t p = 0; p < row_.size(); ++p) chunk_.at(setup_.layout.parameter)[p] = row_[p];
    chunk_.limit_steps(request_, row_);
    std::optional<SpecialisedEvaluations> evaluations;
    if (steps_by_programs_) evaluations.emplace(chunk_, *steps_by_programs_);
    run_time_loop(request_, setup_.formulation, noted_,
                  [&](std::size_t, const Instant&) { return !chunk_.has_failed(); });
    noted_.close();
    return steps_;
  }

  bool fails() const { return chunk_.fails(); }
  // Whether another integrator is to run the design.
  bool leaves_stiff() const { return chunk_.status() == kernels::Status::stiff; }

  ProbeFindings findings() {
    return {chunk_.status(), chunk_.failure_time(), chunk_.entry(setup_.layout.blamed, 0),
            chunk_.entry(setup_.layout.jump, 0), chunk_.entry(setup_.layout.stiff_since, 0)};
  }
  void note_findings_of(std::size_t design, MotionOutcome& outcome) {
    note_findings(findings(), design, outcome);
  }

 private:
  static MotionRequest probe_request(const MotionRequest& request) {
    MotionRequest probe = *request.probe;
    probe.analysis.integrator = request.analysis.integrator;
    probe.analysis.controls_error = request.analysis.controls_error;
    probe.tableau = request.tableau;
    probe.stiff_integrator = request.stiff_integrator;
    probe.notes_steps = true;
    probe.tolerance = request.tolerance;
    probe.cancelled = request.cancelled;
    return probe;
  }

  // A mechanism along directions has parameters x + d s: those, d, which changes each by its own
  // size up or down, and every s, which are zero.
  void place(std::span<const double> parameters) {
    std::copy(parameters.begin(), parameters.end(), row_.begin());
    if (row_.size() == parameters.size()) return;
    unsigned bits = 1;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      bits = 1664525u * bits + 1013904223u;
      const double size = parameters[p] == 0.0 ? 1.0 : parameters[p];
      row_[parameters.size() + p] = bits >> 31 != 0 ? size : -size;
    }
    std::fill(row_.begin() + static_cast<std::ptrdiff_t>(2 * parameters.size()), row_.end(), 0.0);
  }

  MotionRequest request_;
  int columns_;
  HostSetup setup_;
  HostChunk<double> chunk_;
  std::vector<double> steps_;
  StepNotes noted_;
  std::shared_ptr<SpecialisedSteps> steps_by_programs_;  // null: general kernels evaluate
  std::vector<double> row_;                              // the parameters of the probe
};

}  // namespace gradus
