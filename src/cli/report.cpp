// gradus report DIR: the page of a folder of results.
#include <filesystem>

#include "gradus/study.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/standard_output.hpp"
#include "src/cli/values.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

class Report : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("DIR", "results folder, as written with --out", folder_);
    list.add_value("--out", "FILE", "HTML file to write (default: DIR/report.html)", page_,
                   parse_path, "a file");
  }

  int run() const override {
    const std::filesystem::path folder = folder_;
    const std::filesystem::path file = page_.empty() ? folder / "report.html" : page_;
    write_report(folder, file);
    write_standard_output(json ? results::to_text({{"status", "ok"}, {"file", file.string()}})
                               : file.string() + "\n");
    return done;
  }

 private:
  std::string folder_;
  std::filesystem::path page_;
};

}  // namespace

std::unique_ptr<Command> report_command() {
  return std::make_unique<Report>();
}

}  // namespace gradus::cli
