// Text that is safe to show: what a file or a command line holds must not steer the terminal or
// break a table.
#pragma once

#include <string>
#include <string_view>

namespace gradus::cli {

// One line of UTF-8: control characters become U+FFFD, line ends and tabs blanks, and what is not
// UTF-8 U+FFFD.
std::string printable(std::string_view text);

}  // namespace gradus::cli
