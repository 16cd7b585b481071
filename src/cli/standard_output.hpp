// Standard output, where a failed write is an error, and standard error, where it cannot be
// reported.
#pragma once

#include <string>
#include <string_view>

namespace gradus::cli {

// Throws FileError unless all of `text` has left the program.
void write_standard_output(std::string_view text);

// "gradus: remark"
void write_remark(const std::string& text);

// "gradus: error: message"
void write_error(const std::string& message);

}  // namespace gradus::cli
