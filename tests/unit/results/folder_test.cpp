// The folder of results: its files, their arrays, and the order in which they appear.
#include "src/results/summary.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "gradus/error.hpp"
#include "tests/unit/results/read_npz.hpp"
#include "tests/unit/results/sample_result.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::results {
namespace {

using test::fail_design;
using test::sample_result;
using test::sample_trajectory;

class FolderTest : public test::TemporaryFolder {
 protected:
  std::string member(const std::string& file, const std::string& name) {
    return test::read_npz(content(path("out") / file)).members.at(name + ".npy");
  }
  std::string shape(const std::string& file, const std::string& name) {
    const std::string bytes = member(file, name);
    const std::size_t start = bytes.find("'shape': ") + 9;
    return bytes.substr(start, bytes.find(')') + 1 - start);
  }
  std::vector<double> values(const std::string& file, const std::string& name) {
    const std::string bytes = member(file, name);
    const std::size_t start = bytes.find('\n') + 1;
    std::vector<double> numbers((bytes.size() - start) / sizeof(double));
    std::memcpy(numbers.data(), bytes.data() + start, bytes.size() - start);
    return numbers;
  }
};

TEST_F(FolderTest, WritesArraysOfTheResult) {
  const Result result = sample_result(2);
  write_results(path("out"), result);
  EXPECT_EQ(names_in(path("out")), (std::set<std::string>{"gradient.npz", "summary.json"}));
  EXPECT_EQ(shape("gradient.npz", "parameter_values"), "(2, 2)");
  EXPECT_EQ(shape("gradient.npz", "objective_values"), "(2, 3)");
  EXPECT_EQ(shape("gradient.npz", "gradient"), "(2, 3, 2)");
  EXPECT_EQ(shape("gradient.npz", "final_sensors"), "(2, 4)");
  EXPECT_EQ(shape("gradient.npz", "constraint_violation"), "(2, 3)");
  EXPECT_EQ(shape("gradient.npz", "newton_iterations"), "(2,)");
  EXPECT_EQ(shape("gradient.npz", "objective_names"), "(3,)");
  EXPECT_EQ(values("gradient.npz", "gradient"), result.gradient);
  EXPECT_EQ(values("gradient.npz", "final_sensors"), result.final_sensors);
  EXPECT_NE(member("gradient.npz", "sensor_units").find("<U1"), std::string::npos);
  EXPECT_NE(member("gradient.npz", "objective_units").find("<U5"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(content(path("out/summary.json"))));
}

TEST_F(FolderTest, OmitsTheGradientOfASimulation) {
  Result result = sample_result();
  result.gradient.clear();
  write_results(path("out"), result);
  const auto members = test::read_npz(content(path("out/gradient.npz"))).members;
  EXPECT_EQ(members.count("gradient.npy"), 0u);
  EXPECT_EQ(members.count("objective_values.npy"), 1u);
}

TEST_F(FolderTest, TellsWhichDesignsFailed) {
  Result result = sample_result(2);
  fail_design(result, 1);
  write_results(path("out"), result);
  const std::string codes = member("gradient.npz", "status_codes");
  EXPECT_EQ(codes.substr(codes.size() - 16), std::string("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(values("gradient.npz", "status_times")[1], 0.25);
  EXPECT_NE(member("gradient.npz", "status_messages").find("<U33"), std::string::npos);
  const std::string indices = member("gradient.npz", "status_message_indices");
  EXPECT_EQ(indices.substr(indices.size() - 16),
            std::string("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16));
  EXPECT_TRUE(std::isnan(values("gradient.npz", "gradient")[6]));
}

TEST_F(FolderTest, HoldsEachMessageOnce) {
  Result result = sample_result(4);
  for (const std::size_t design : {0, 2, 3}) fail_design(result, design);
  result.status[2].message = "another";
  write_results(path("out"), result);
  EXPECT_NE(member("gradient.npz", "status_messages").find("'shape': (3,)"), std::string::npos);
  const std::string indices = member("gradient.npz", "status_message_indices");
  std::int64_t found[4];
  std::memcpy(found, indices.data() + indices.size() - sizeof found, sizeof found);
  EXPECT_EQ(std::vector<std::int64_t>(found, found + 4), (std::vector<std::int64_t>{1, 0, 2, 1}));
}

TEST_F(FolderTest, WritesTheTrajectoryOfOneDesign) {
  Result result = sample_result();
  result.trajectories = {sample_trajectory(0, 11)};
  write_results(path("out"), result);
  EXPECT_EQ(shape("trajectory.npz", "time"), "(11,)");
  EXPECT_EQ(shape("trajectory.npz", "coordinates"), "(11, 1)");
  EXPECT_EQ(shape("trajectory.npz", "sensors"), "(11, 4)");
  const Trajectory& trajectory = result.trajectories[0];
  EXPECT_EQ(values("trajectory.npz", "time"), trajectory.time);
  EXPECT_EQ(values("trajectory.npz", "rates"), trajectory.rates);
  EXPECT_EQ(values("trajectory.npz", "accelerations"), trajectory.accelerations);
  EXPECT_EQ(values("trajectory.npz", "sensors"), trajectory.sensors);
}

TEST_F(FolderTest, StacksTheTrajectoriesOfABatch) {
  Result result = sample_result(2);
  result.trajectories = {sample_trajectory(0, 3), sample_trajectory(1, 5)};  // 0 ended early
  write_results(path("out"), result);
  EXPECT_EQ(shape("trajectory.npz", "time"), "(5,)");
  EXPECT_EQ(shape("trajectory.npz", "coordinates"), "(2, 5, 1)");
  EXPECT_EQ(shape("trajectory.npz", "sensors"), "(2, 5, 4)");
  EXPECT_EQ(shape("trajectory.npz", "designs"), "(2,)");
  const std::vector<double> rates = values("trajectory.npz", "rates");
  EXPECT_EQ(rates[2], result.trajectories[0].rates[2]);
  EXPECT_TRUE(std::isnan(rates[3]) && std::isnan(rates[4]));
  EXPECT_EQ(rates[5], result.trajectories[1].rates[0]);
  EXPECT_EQ(rates[9], result.trajectories[1].rates[4]);
}

TEST_F(FolderTest, WritesSensitivitiesOverTime) {
  Result result = sample_result(2);
  result.has_sensor_columns = true;
  result.trajectories = {sample_trajectory(0, 3), sample_trajectory(1, 5)};
  for (Trajectory& trajectory : result.trajectories)
    trajectory.sensor_columns = test::numbers(trajectory.time.size() * 4 * 2, 5000.0);
  write_results(path("out"), result);
  EXPECT_EQ(shape("trajectory.npz", "sensor_columns"), "(2, 5, 4, 2)");
  EXPECT_EQ(shape("trajectory.npz", "parameter_names"), "(2,)");
  const std::vector<double> columns = values("trajectory.npz", "sensor_columns");
  EXPECT_EQ(columns[23], result.trajectories[0].sensor_columns[23]);
  EXPECT_TRUE(std::isnan(columns[24]) && std::isnan(columns[39]));
  EXPECT_EQ(columns[40], result.trajectories[1].sensor_columns[0]);
}

TEST_F(FolderTest, WritesObjectivesOverTime) {
  Result result = sample_result(2);
  result.has_objective_history = result.has_sensor_columns = true;
  result.trajectories = {sample_trajectory(0, 3), sample_trajectory(1, 5)};
  for (Trajectory& trajectory : result.trajectories) {
    trajectory.sensor_columns = test::numbers(trajectory.time.size() * 4 * 2, 5000.0);
    trajectory.objective_history = test::numbers(trajectory.time.size() * 3, 7000.0);
    trajectory.gradient_history = test::numbers(trajectory.time.size() * 3 * 2, 8000.0);
  }
  write_results(path("out"), result);
  EXPECT_EQ(shape("trajectory.npz", "objective_history"), "(2, 5, 3)");
  EXPECT_EQ(shape("trajectory.npz", "gradient_history"), "(2, 5, 3, 2)");
  EXPECT_EQ(shape("trajectory.npz", "objective_names"), "(3,)");
  const std::vector<double> values_of_both = values("trajectory.npz", "objective_history");
  EXPECT_TRUE(std::isnan(values_of_both[9]) && std::isnan(values_of_both[14]));
  EXPECT_EQ(values_of_both[15], result.trajectories[1].objective_history[0]);
  EXPECT_EQ(values("trajectory.npz", "gradient_history")[59],
            result.trajectories[1].gradient_history[29]);
}

TEST_F(FolderTest, WritesGaussNewtonMatrices) {
  Result result = sample_result(2);
  EXPECT_TRUE(result.gauss_newton.empty());
  result.least_squares = {"psi1", "ψ3"};
  result.gauss_newton = test::numbers(2 * 2 * 2 * 2, 6000.0);
  write_results(path("out"), result);
  EXPECT_EQ(shape("gradient.npz", "gauss_newton"), "(2, 2, 2, 2)");
  EXPECT_EQ(shape("gradient.npz", "least_squares_names"), "(2,)");
  EXPECT_EQ(values("gradient.npz", "gauss_newton"), result.gauss_newton);
}

TEST_F(FolderTest, RemovesFilesOfAnEarlierRun) {
  Result result = sample_result();
  result.trajectories = {sample_trajectory(0, 3)};
  write_results(path("out"), result);
  EXPECT_TRUE(std::filesystem::exists(path("out/trajectory.npz")));
  std::ofstream(path("out/report.html")) << "of these results";
  result.trajectories.clear();
  write_results(path("out"), result);
  EXPECT_FALSE(std::filesystem::exists(path("out/trajectory.npz")));
  EXPECT_FALSE(std::filesystem::exists(path("out/report.html")));
}

TEST_F(FolderTest, IsIncompleteWithoutItsLastFile) {
  write_results(path("out"), sample_result());
  // gradient.npz cannot be replaced, so the run ends before its summary; the old one must not stay
  // beside it.
  std::filesystem::remove(path("out/gradient.npz"));
  std::filesystem::create_directories(path("out/gradient.npz/in the way"));
  EXPECT_THROW(write_results(path("out"), sample_result()), FileError);
  EXPECT_EQ(names_in(path("out")), std::set<std::string>{"gradient.npz"});
}

}  // namespace
}  // namespace gradus::results
