// Rows of CSV, written and read back.
#include "src/results/csv.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gradus::results {
namespace {

TEST(Csv, QuotesWhatWouldEndACell) {
  EXPECT_EQ(csv_row({"plain", "a, b", "say \"x\""}), "plain,\"a, b\",\"say \"\"x\"\"\"\n");
}

TEST(Csv, ReadsWhatItWrites) {
  const std::vector<std::string> cells{"a \"b\", c", "\"", "", "1.5"};
  const CsvTable table = read_csv(csv_row({"k", "l", "m", "n"}) + csv_row(cells));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0], cells);
}

TEST(Csv, LeavesCellsOfNoNumberEmpty) {
  EXPECT_EQ(csv_row_of("a", 0.1, std::numeric_limits<double>::quiet_NaN()), "a,0.1,\n");
}

}  // namespace
}  // namespace gradus::results
