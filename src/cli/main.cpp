// The program `gradus`: runs a command and turns what went wrong into a message and an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <stdexcept>

#include "gradus/error.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/text.hpp"
#include "src/results/reports.hpp"

namespace {

using namespace gradus;  // NOLINT: this file only dispatches

// A closed standard stream would be replaced by the next file that is opened, and messages would
// end up in results. What stands in for it can be neither read nor written, so that the loss still
// shows.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    while (fcntl(descriptor, F_GETFD) < 0 &&
           open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) >= 0) {
    }
}

int report(int code, const std::string& message, bool json) {
  cli::write_error(message);
  if (!json) return code;
  try {
    cli::write_standard_output(results::error_document(code, message));
  } catch (const FileError&) {
    // Standard output is what failed, or failed too: the message and the code remain.
  }
  return code;
}

int code_of(const Error& error) {
  if (dynamic_cast<const InputError*>(&error)) return cli::bad_input;
  if (dynamic_cast<const NumericalError*>(&error)) return cli::numerical_failure;
  if (dynamic_cast<const BackendError*>(&error)) return cli::backend_unavailable;
  return dynamic_cast<const FileError*>(&error) ? cli::file_failure : cli::unexpected;
}

int report_current_exception(bool json) {
  try {
    throw;
  } catch (const cli::SilentFailure&) {
    return cli::unexpected;
  } catch (const Error& error) {
    return report(code_of(error), error.what(), json);
  } catch (const std::bad_alloc&) {
    return report(
        cli::unexpected,
        "not enough memory (fewer designs need less, and so does a larger --record-every)", json);
  } catch (const std::length_error&) {
    return report(cli::unexpected,
                  "not enough memory (more numbers are asked for than any memory holds)", json);
  } catch (const std::exception& error) {
    return report(cli::unexpected,
                  std::string("unexpected fault (") + error.what() + "), please report it", json);
  } catch (...) {
    return report(cli::unexpected, "unexpected fault, please report it", json);
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  cli::install_signal_handlers();
  try {
    return cli::parse_arguments(argc, argv)->run();
  } catch (...) {
    return report_current_exception(cli::asks_for_json(argc, argv));
  }
}
