// Tables of numbers as text, and what is said about those that are wrong.
#include "src/study/study_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"

namespace gradus::test {
namespace {

std::string complaint(const std::string& text) {
  try {
    read_numbers(text, "table.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NumberTable, HoldsNamesNumbersAndLines) {
  const NumberTable table = read_numbers(
      "\xEF\xBB\xBF# measured\n\n a , \"b c\",k[0]\r\n1, -2.5e-3 ,+3\r\n# more\n4,,6", "table.csv");
  EXPECT_EQ(table.text.columns, (std::vector<std::string>{"a", "b c", "k[0]"}));
  EXPECT_EQ(table.text.lines, (std::vector<std::size_t>{4, 6}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0], (std::vector<double>{1, -2.5e-3, 3}));
  EXPECT_EQ(table.rows[1][0], 4.0);
  EXPECT_TRUE(std::isnan(table.rows[1][1]));
  EXPECT_EQ(table.rows[1][2], 6.0);
  EXPECT_EQ(table.cell(1, 1), "table.csv: line 6, column \"b c\"");
}

TEST(NumberTable, QuotedCellsMayHoldCommas) {
  const NumberTable table = read_numbers("\"a, \"\"b\"\"\",c\n\"1.5\",2\n", "table.csv");
  EXPECT_EQ(table.text.columns, (std::vector<std::string>{"a, \"b\"", "c"}));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0], (std::vector<double>{1.5, 2.0}));
}

TEST(NumberTable, MayHaveNoRows) {
  EXPECT_TRUE(read_numbers("a,b\n", "table.csv").rows.empty());
}

TEST(NumberTable, NamesLineAndColumnOfWhatIsWrong) {
  EXPECT_EQ(
      complaint("# nothing\n"),
      "table.csv: found no header (the first line names the columns), write names and numbers");
  EXPECT_EQ(complaint("a,,c\n"),
            "table.csv: line 1: column 2 has no name (the first line names all columns), name it");
  EXPECT_EQ(complaint("a,b,a\n"),
            "table.csv: line 1: found the column \"a\" twice (each column has a name of its own), "
            "rename or remove one of them");
  EXPECT_EQ(complaint("a,b\n1,2\n1;2\n"),
            "table.csv: line 3: found 1 cells (the header names 2 columns), separate cells by "
            "commas and write numbers with a decimal point");
  for (const char* text : {"x", "nan", "NaN", "inf", "-inf", "1e", "0x1", "1 2", "+-1"}) {
    EXPECT_EQ(complaint("a,b\n1," + std::string(text) + "\n"),
              "table.csv: line 2, column \"b\": found \"" + std::string(text) +
                  "\" (it is not a finite number), write one, such as 1.5e-3");
  }
  EXPECT_EQ(complaint("a\n1e999\n"),
            "table.csv: line 2, column \"a\": found \"1e999\" (it is beyond double precision), "
            "rescale it");
}

}  // namespace
}  // namespace gradus::test
