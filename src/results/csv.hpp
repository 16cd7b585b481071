// Rows of comma-separated values.
#pragma once

#include <string>
#include <vector>

namespace gradus::results {

// The shortest text that reads back as the same number; nothing for what is not finite.
std::string csv_number(double value);

// Fields with commas between them and a line end; quoted where they hold commas, quotes or ends of
// lines (RFC 4180, but for the line end, which is that of Unix).
std::string csv_row(const std::vector<std::string>& fields);

}  // namespace gradus::results
