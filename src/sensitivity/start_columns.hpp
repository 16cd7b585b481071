// The start of a design with its columns, in plain numbers or in dual ones, which differentiate the
// columns themselves.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "gradus/error.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// Coordinates, rates, accelerations (levels 0, 1, 2) and sensors, with the derivatives of the
// former by `count` parameters.
template <class Real>
struct StartColumns {
  int n = 0, count = 0;
  std::vector<Real> values[3];         // [n]
  std::vector<Real> columns[3];        // [n, count]
  std::vector<Real> signals;           // [n_signal]
  std::vector<double> signal_columns;  // [n_signal, count]; of plain numbers

  Real column(int level, int coordinate, int parameter) const {
    return columns[level][static_cast<std::size_t>(coordinate * count + parameter)];
  }
};

// Starts designs of a mechanism with the columns of some of its parameters, `count` from `first`
// on, one of them at least. Of the options `cancelled` counts.
template <class Real>
class StartRun {
 public:
  StartRun(const CompiledMechanism& mechanism, int first, int count, const Options& options)
      : count_(count),
        request_(request_of(mechanism, options)),
        setup_(request_, Sensitivity::direct, count),
        chunk_(request_, setup_, vehicle()) {
    chunk_.see_columns(first, count);
  }

  // Parameters of the mechanism, those of its extension among them. Throws NumericalError where the
  // motion cannot start.
  StartColumns<Real> run(std::span<const Real> parameters) {
    const kernels::Layout& layout = setup_.layout;
    std::copy(parameters.begin(), parameters.end(), chunk_.at(layout.parameter));
    run_start(request_, setup_.formulation, chunk_);
    require_start(parameters);
    const Instant start{0.0, 0.0, false};
    chunk_.launch(kernels::KernelId::evaluate_signals, start, no_stage());
    // Last: sensors without derivatives there, such as a speed at rest, are NaN and no failure.
    if constexpr (is_plain) chunk_.launch(kernels::KernelId::sensor_columns, start, no_stage());
    StartColumns<Real> found;
    found.n = request_.plan->coordinate_count();
    found.count = count_;
    const int places[3] = {layout.position, layout.velocity, layout.acceleration};
    const int columns[3] = {layout.columns[kernels::kPosition], layout.columns[kernels::kVelocity],
                            layout.columns[kernels::kAcceleration]};
    for (int level = 0; level < 3; ++level) {
      found.values[level] = numbers(places[level], found.n);
      found.columns[level] = numbers(columns[level], found.n * count_);
    }
    found.signals = numbers(layout.signal, request_.plan->shown_signals());
    if constexpr (is_plain)
      found.signal_columns =
          numbers(layout.signal_columns, request_.plan->shown_signals() * count_);
    return found;
  }

 private:
  static constexpr bool is_plain = std::is_same_v<Real, double>;

  // By ali3p, whose start is that of all formulations.
  static MotionRequest request_of(const CompiledMechanism& mechanism, const Options& options) {
    MotionRequest request = mechanism.request();
    request.cancelled = options.cancelled;
    request.n_design = 1;
    request.sensitivity = Sensitivity::direct;
    request.record = true;
    request.columns = true;
    request.probe = nullptr;
    request.workshop = nullptr;
    request.lanes = 1;
    request.tableau = {};
    request.formulation = &formulation_traits("ali3p");
    return request;
  }
  Vehicle vehicle() const {
    if constexpr (is_plain)
      return choose_vehicle(request_, 1);
    else
      return {1, check_kernels().dual};
  }

  std::vector<Real> numbers(int offset, int count) {
    const Real* const first = chunk_.at(offset);
    return {first, first + count};
  }

  void require_start(std::span<const Real> parameters) {
    if (!chunk_.fails()) return;
    std::vector<double> values;
    for (const Real& p : parameters) values.push_back(plain(p));
    throw NumericalError("linearisation: the motion cannot start (" +
                         failure_message(chunk_.status(), request_,
                                         plain(chunk_.entry(setup_.layout.blamed, 0)),
                                         chunk_.failure_time(), values) +
                         "), change the start values or the parameters");
  }

  int count_;
  MotionRequest request_;
  HostSetup setup_;
  HostChunk<Real> chunk_;
};

}  // namespace gradus
