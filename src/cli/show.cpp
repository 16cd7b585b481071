// gradus show MODEL
#include <filesystem>
#include <map>
#include <optional>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/browser.hpp"
#include "src/cli/models.hpp"
#include "src/cli/parameter_values.hpp"
#include "src/cli/text.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

class Show : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("MODEL", "model file", model_);
    list.add_assignments("--set", "override the value of a parameter; repeatable", set_);
    list.add_value("--singular", "WHAT",
                   "a start in a singular configuration: fail, warn or continue, beside it",
                   singular_, parse_text);
    list.add_value("--out", "FILE",
                   "HTML file to write, without opening it (default: MODEL-show.html, opened by "
                   "$BROWSER or xdg-open)",
                   page_, parse_path, "a file");
  }

  int run() const override {
    std::filesystem::path file = page_;
    if (file.empty()) file = std::filesystem::path(model_).stem().string() + "-show.html";
    Model model = with_values(read_model_or_robot(model_, quiet), set_);
    model.analysis.singular = singular_.value_or(model.analysis.singular);
    const ModelPage page = write_model_page(model, file);
    if (page_.empty() && !json) open(file);
    if (!page.starts)
      throw NumericalError("the motion cannot start (" + page.problem + "), see " + file.string());
    write_standard_output(json ? results::to_text({{"status", "ok"}, {"file", file.string()}})
                               : file.string() + "\n");
    return done;
  }

 private:
  void open(const std::filesystem::path& file) const {
    if (open_in_browser(file) == Opened::no && !quiet)
      write_remark("no browser could be started; open " + file.string() + " in one");
  }

  std::string model_;  // file
  std::map<std::string, double> set_;
  std::optional<std::string> singular_;
  std::filesystem::path page_;  // empty: the default, which is opened
};

}  // namespace

void add_show_command(Commands& commands) {
  commands.push_back(
      {"show", "Draw the start of a model in an HTML page, and open it", std::make_unique<Show>()});
}

}  // namespace gradus::cli
