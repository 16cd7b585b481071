// Result -> NPZ files and summary.json.
#include "src/results/folder.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/results/atomic_file.hpp"
#include "src/results/npy.hpp"
#include "src/results/npz.hpp"
#include "src/results/status_arrays.hpp"
#include "src/results/summary.hpp"

namespace gradus::results {
namespace {

void write_gradient(const std::filesystem::path& file, const Result& result) {
  const std::size_t n_design = result.n_design;
  const std::size_t n_parameter = result.parameters.size();
  const std::size_t n_objective = result.objectives.size();
  NpzWriter writer(file);
  writer.add("parameter_values", npy_numbers({n_design, n_parameter}, result.parameter_values));
  writer.add("objective_values", npy_numbers({n_design, n_objective}, result.objective_values));
  if (!result.gradient.empty())
    writer.add("gradient", npy_numbers({n_design, n_objective, n_parameter}, result.gradient));
  if (!result.gauss_newton.empty()) {
    writer.add("gauss_newton",
               npy_numbers({n_design, result.least_squares.size(), n_parameter, n_parameter},
                           result.gauss_newton));
    writer.add("least_squares_names", npy_strings(result.least_squares));
  }
  writer.add("final_sensors",
             npy_numbers({n_design, result.sensor_components.size()}, result.final_sensors));
  if (!result.constraint_violation.empty())
    writer.add("constraint_violation", npy_numbers({n_design, 3}, result.constraint_violation));
  if (!result.newton_iterations.empty())
    writer.add("newton_iterations", npy_numbers({n_design}, result.newton_iterations));
  add_statuses(writer, result.status);
  add_names(writer, "parameter", result.parameters);
  add_names(writer, "objective", result.objectives);
  add_names(writer, "sensor", result.sensor_components);
  writer.finish();
}

// Writes one kind of value of all trajectories. One that ended early is filled up with NaN.
class TrajectoryStack {
 public:
  TrajectoryStack(const Result& result, NpzWriter& writer)
      : trajectories_(result.trajectories), batch_(result.n_design > 1), writer_(writer) {
    for (const Trajectory& trajectory : trajectories_)
      if (trajectory.time.size() > longest_->time.size()) longest_ = &trajectory;
  }

  const std::vector<double>& time() const { return longest_->time; }

  // Arrays of the shape `row` at each time.
  void add(const std::string& name, std::vector<double> Trajectory::*values, const Shape& row) {
    const std::size_t n_time = time().size();
    std::size_t width = 1;
    for (const std::size_t extent : row) width *= extent;
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
    Shape shape{n_time};
    shape.insert(shape.end(), row.begin(), row.end());
    if (batch_) shape.insert(shape.begin(), trajectories_.size());
    writer_.add(name, npy_numbers(shape, pieces));
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
  NpzWriter& writer_;
  const Trajectory* longest_ = &trajectories_.front();
};

void write_trajectories(const std::filesystem::path& file, const Result& result) {
  NpzWriter writer(file);
  TrajectoryStack stack(result, writer);
  writer.add("time", npy_numbers({stack.time().size()}, stack.time()));
  stack.add("coordinates", &Trajectory::coordinates, {result.coordinates.size()});
  stack.add("rates", &Trajectory::rates, {result.coordinates.size()});
  stack.add("accelerations", &Trajectory::accelerations, {result.coordinates.size()});
  stack.add("sensors", &Trajectory::sensors, {result.sensor_components.size()});
  if (result.has_sensor_columns) {
    stack.add("sensor_columns", &Trajectory::sensor_columns,
              {result.sensor_components.size(), result.parameters.size()});
    add_names(writer, "parameter", result.parameters);
  }
  std::vector<std::int64_t> designs;
  for (const Trajectory& trajectory : result.trajectories)
    designs.push_back(static_cast<std::int64_t>(trajectory.design));
  writer.add("designs", npy_integers(designs));
  add_names(writer, "coordinate", result.coordinates);
  add_names(writer, "sensor", result.sensor_components);
  writer.finish();
}

}  // namespace

void write_results(const std::filesystem::path& folder, const Result& result,
                   const Options& options) {
  prepare_folder(folder);
  remove_file(folder / "summary.json");
  remove_file(folder /
              "trajectory.npz");  // of an earlier run that recorded, while this one may not
  write_gradient(folder / "gradient.npz", result);
  if (!result.trajectories.empty()) write_trajectories(folder / "trajectory.npz", result);
  AtomicFile summary(folder / "summary.json");
  write_summary_document(result, options, [&](std::string_view piece) { summary.write(piece); });
  summary.commit();
}

}  // namespace gradus::results
