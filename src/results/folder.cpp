// Result -> files of arrays and summary.json.
#include "src/results/summary.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/results/array_files.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/motion_csv.hpp"

namespace gradus::results {
namespace {

void write_gradient(ArrayWriter& writer, const Result& result) {
  const Axis design("design", result.n_design);
  const Axis parameter("parameter", result.parameters);
  const Axis objective("objective", result.objectives);
  const Axis sensor("sensor", result.sensor_components);
  writer.add_numbers("parameter_values", {{design, parameter}}, result.parameter_values);
  writer.add_numbers("objective_values", {{design, objective}}, result.objective_values);
  if (!result.gradient.empty())
    writer.add_numbers("gradient", {{design, objective, parameter}}, result.gradient);
  if (!result.gauss_newton.empty()) {
    const Axis sum("least_squares", result.least_squares.size());
    writer.add_numbers("gauss_newton", {{design, sum, parameter, parameter}}, result.gauss_newton);
    writer.add_strings("least_squares_names", "least_squares", result.least_squares);
  }
  if (!result.objective_errors.empty())
    writer.add_numbers("objective_errors", {{design, objective}}, result.objective_errors);
  if (!result.gradient_errors.empty())
    writer.add_numbers("gradient_errors", {{design, objective}}, result.gradient_errors);
  writer.add_numbers("final_sensors", {{design, sensor}}, result.final_sensors);
  if (!result.constraint_violation.empty())
    writer.add_numbers("constraint_violation", {{design, {"level", 3}}},
                       result.constraint_violation);
  if (!result.singular_passage.empty())
    writer.add_numbers("singular_passage", {{design}, "s"}, result.singular_passage);
  if (!result.stiff_integrator.empty()) writer.add_numbers("switched", {{design}}, result.switched);
  if (!result.extrapolating_splines.empty()) {
    const Axis spline("extrapolating_spline", result.extrapolating_splines.size());
    writer.add_numbers("extrapolation", {{design, spline}}, result.extrapolation);
    writer.add_numbers("extrapolation_start", {{design, spline}, "s"}, result.extrapolation_start);
    writer.add_strings("extrapolating_spline_names", "extrapolating_spline",
                       result.extrapolating_splines);
  }
  if (!result.newton_iterations.empty())
    writer.add_numbers("newton_iterations", {{design}}, result.newton_iterations);
  add_statuses(writer, result.status);
  add_names(writer, "parameter", result.parameters);
  add_names(writer, "objective", result.objectives);
  add_names(writer, "sensor", result.sensor_components);
}

// Writes one kind of value of all trajectories. One that ended early is filled up with NaN.
class TrajectoryStack {
 public:
  TrajectoryStack(const Result& result, ArrayWriter& writer)
      : trajectories_(result.trajectories), batch_(result.n_design > 1), writer_(writer) {
    for (const Trajectory& trajectory : trajectories_)
      if (trajectory.time.size() > longest_->time.size()) longest_ = &trajectory;
  }

  const std::vector<double>& time() const { return longest_->time; }

  // Arrays with the axes `row` at each time.
  void add(const std::string& name, std::vector<double> Trajectory::*values,
           const std::vector<Axis>& row) {
    const std::size_t n_time = time().size();
    std::size_t width = 1;
    for (const Axis& axis : row) width *= axis.size;
    // Long enough for the shortest; pieces of it serve all.
    const std::vector<double> missing(missing_rows() * width,
                                      std::numeric_limits<double>::quiet_NaN());
    std::vector<std::span<const double>> pieces;
    for (const Trajectory& trajectory : trajectories_) {
      const std::vector<double>& rows = trajectory.*values;
      if (rows.size() != trajectory.time.size() * width)
        throw std::logic_error("a trajectory's " + name + " do not fit its times");
      pieces.emplace_back(rows);
      pieces.push_back(std::span(missing).first(n_time * width - rows.size()));
    }
    std::vector<Axis> axes;
    if (batch_) axes.emplace_back("design", trajectories_.size());
    axes.emplace_back("time", n_time);
    axes.insert(axes.end(), row.begin(), row.end());
    writer_.add_numbers(name, {axes}, pieces);
  }

 private:
  std::size_t missing_rows() const {
    std::size_t rows = 0;
    for (const Trajectory& trajectory : trajectories_)
      rows = std::max(rows, time().size() - trajectory.time.size());
    return rows;
  }

  const std::vector<Trajectory>& trajectories_;
  bool batch_;
  ArrayWriter& writer_;
  const Trajectory* longest_ = &trajectories_.front();
};

void write_trajectories(ArrayWriter& writer, const Result& result) {
  const Axis sensor("sensor", result.sensor_components);
  const Axis coordinate("coordinate", result.coordinates);
  TrajectoryStack stack(result, writer);
  writer.add_numbers("time", {{{"time", stack.time().size()}}, "s"}, stack.time());
  stack.add("coordinates", &Trajectory::coordinates, {coordinate});
  stack.add("rates", &Trajectory::rates, {coordinate});
  stack.add("accelerations", &Trajectory::accelerations, {coordinate});
  stack.add("sensors", &Trajectory::sensors, {sensor});
  if (result.has_sensor_columns) {
    stack.add("sensor_columns", &Trajectory::sensor_columns,
              {sensor, {"parameter", result.parameters}});
    add_names(writer, "parameter", result.parameters);
  }
  if (result.has_objective_history) {
    const Axis objective("objective", result.objectives);
    stack.add("objective_history", &Trajectory::objective_history, {objective});
    if (result.has_sensor_columns)
      stack.add("gradient_history", &Trajectory::gradient_history,
                {objective, {"parameter", result.parameters}});
    add_names(writer, "objective", result.objectives);
  }
  std::vector<std::int64_t> designs;
  for (const Trajectory& trajectory : result.trajectories)
    designs.push_back(static_cast<std::int64_t>(trajectory.design));
  writer.add_integers("designs", "design", designs);
  add_names(writer, "coordinate", result.coordinates);
  add_names(writer, "sensor", result.sensor_components);
}

}  // namespace

void write_results(const std::filesystem::path& folder, const Result& result,
                   const Options& options, FileFormats formats) {
  prepare_folder(folder);
  remove_file(folder / "summary.json");
  // Of an earlier run that recorded, or wrote other formats, while this one may not; and what was
  // reported of it.
  for (const char* name :
       {"trajectory.npz", "trajectory.h5", "trajectory.csv", "gradient.h5", "report.html"})
    remove_file(folder / name);
  write_arrays(folder / "gradient", formats.hdf5,
               [&](ArrayWriter& writer) { write_gradient(writer, result); });
  if (!result.trajectories.empty()) {
    write_arrays(folder / "trajectory", formats.hdf5,
                 [&](ArrayWriter& writer) { write_trajectories(writer, result); });
    if (formats.csv)
      write_file(folder / "trajectory.csv",
                 [&](const Sink& sink) { write_motions_csv(result, sink); });
  }
  write_file(folder / "summary.json",
             [&](const Sink& sink) { write_summary_document(result, options, sink); });
}

}  // namespace gradus::results
