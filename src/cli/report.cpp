// gradus report: the page of a folder of results.
#include <filesystem>

#include "gradus/study.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/exit_codes.hpp"
#include "src/cli/standard_output.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {

int run_report(const Arguments& arguments) {
  const std::filesystem::path folder = arguments.folder;
  const std::filesystem::path file =
      arguments.page.empty() ? folder / "report.html" : std::filesystem::path(arguments.page);
  write_report(folder, file);
  write_standard_output(arguments.json
                            ? results::to_text({{"status", "ok"}, {"file", file.string()}})
                            : file.string() + "\n");
  return done;
}

}  // namespace gradus::cli
