// Recorded motions as CSV: headers, rows, pieces.
#include "src/results/motion_csv.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "src/results/csv.hpp"
#include "tests/unit/results/sample_result.hpp"

namespace gradus::results {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <typename... What>
std::string csv_of(const What&... what) {
  std::string text;
  write_motions_csv(what..., [&text](std::string_view piece) { text += piece; });
  return text;
}

TEST(CsvStream, KeepsEmptyCells) {
  std::string text;
  CsvStream stream([&text](std::string_view piece) { text += piece; });
  stream.cells(std::vector<double>{nan});
  stream.cells(std::vector<double>{});
  stream.cells(std::vector<double>{0.1, nan});
  stream.end_row();
  stream.cell(7);
  stream.cells(std::vector<double>{-1e300});
  stream.end_row();
  stream.finish();
  stream.finish();
  EXPECT_EQ(text, ",0.1,\n7,-1e+300\n");
}

TEST(CsvStream, HandsOverPiecesOfWholeRows) {
  std::vector<std::string> pieces;
  CsvStream stream([&pieces](std::string_view piece) { pieces.emplace_back(piece); });
  const std::vector<double> row(1000, 1.0 / 3.0);
  for (int i = 0; i < 200; ++i) {
    stream.cells(row);
    stream.end_row();
  }
  stream.finish();
  EXPECT_GT(pieces.size(), 3u);
  for (const std::string& piece : pieces) {
    EXPECT_LT(piece.size(), std::size_t{1100000});
    EXPECT_EQ(piece.back(), '\n');
  }
}

TEST(MotionsAsCsv, NameKindsAndUnits) {
  Result result = test::sample_result();
  result.parameters = {{"mass", "kg"}, {"Θ", "kg m^2"}};
  result.sensor_components = {{"tip, left", "m/s"}, {"ratio", ""}};
  result.has_sensor_columns = true;
  Trajectory motion;
  motion.time = {0.0, 0.5};
  motion.coordinates = {1.0, 2.0};
  motion.rates = {3.0, 4.0};
  motion.accelerations = {5.0, 6.0};
  motion.sensors = {7.0, 8.0, 9.0, 10.0};
  motion.sensor_columns = {11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 0.1};
  result.trajectories = {motion};
  EXPECT_EQ(csv_of(result),
            "time [s],coordinate A [rad],rate A [rad/s],acceleration A [rad/s^2],"
            "\"sensor tip, left [m/s]\",sensor ratio [1],"
            "\"sensor tip, left by mass [(m/s)/kg]\",\"sensor tip, left by Θ [(m/s)/(kg m^2)]\","
            "sensor ratio by mass [1/kg],sensor ratio by Θ [1/(kg m^2)]\n"
            "0,1,3,5,7,8,11,12,13,14\n"
            "0.5,2,4,6,9,10,15,16,17,0.1\n");
}

TEST(MotionsAsCsv, HaveARowForEachDesignAndTime) {
  Result result = test::sample_result(2);
  result.trajectories = {test::sample_trajectory(0, 1), test::sample_trajectory(1, 2)};
  const CsvTable table = read_csv(csv_of(result));
  EXPECT_EQ(table.columns[0], "design");
  ASSERT_EQ(table.rows.size(), 3u);  // design 0 ended early
  EXPECT_EQ(table.rows[0][0] + table.rows[1][0] + table.rows[2][0], "011");
  EXPECT_EQ(table.rows[2][1], "1");
  EXPECT_EQ(table.rows[2][2], csv_field(result.trajectories[1].coordinates[1]));
}

TEST(MotionsAsCsv, OfSweepsEndWhereADesignFailed) {
  SweepResult result;
  result.status.resize(3);
  result.status[1].ok = false;
  SweepPieces pieces;
  pieces.time = {0.0, 0.1};
  pieces.sensor_components = {{"a", "m"}, {"b", ""}};
  const std::vector<double> numbers = {1, nan, 3, 4, 5, nan, nan, nan, nan, nan, nan, nan};
  std::vector<std::byte> bytes(numbers.size() * sizeof(double) + 1);  // at an odd address
  std::memcpy(bytes.data() + 1, numbers.data(), numbers.size() * sizeof(double));
  const std::span all = std::span<const std::byte>(bytes).subspan(1);
  pieces.sensors = {all.first(64), all.subspan(64)};  // two designs, then one
  // A sensor without a number is no failure: design 2 has its rows.
  EXPECT_EQ(csv_of(result, pieces),
            "design,time [s],sensor a [m],sensor b [1]\n"
            "0,0,1,\n0,0.1,3,4\n1,0,5,\n2,0,,\n2,0.1,,\n");
}

}  // namespace
}  // namespace gradus::results
