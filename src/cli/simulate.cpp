// gradus simulate MODEL
#include "src/cli/commands.hpp"
#include "src/cli/run_common.hpp"

namespace gradus::cli {

int run_simulate(const Arguments& arguments) {
  return run_and_report(simulate, arguments);
}

}  // namespace gradus::cli
