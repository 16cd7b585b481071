// gradus gradient MODEL
#include "src/cli/commands.hpp"
#include "src/cli/run_common.hpp"

namespace gradus::cli {

int run_gradient(const Arguments& arguments) {
  return run_and_report(gradient, arguments);
}

}  // namespace gradus::cli
