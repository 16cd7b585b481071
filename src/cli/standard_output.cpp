// Each text in one call, so lines of several writers do not mix.
#include "src/cli/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "gradus/error.hpp"
#include "src/cli/text.hpp"

namespace gradus::cli {

void write_standard_output(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  // A full disk often shows only when the buffer is flushed.
  if (written && std::fflush(stdout) == 0) return;
  const std::error_code reason(errno, std::generic_category());
  throw FileError("cannot write to standard output (" + reason.message() + ")");
}

void write_remark(const std::string& text) {
  const std::string line = "gradus: " + printable(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void write_error(const std::string& message) {
  write_remark("error: " + message);
}

}  // namespace gradus::cli
