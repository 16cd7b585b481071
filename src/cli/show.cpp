// gradus show MODEL
#include <algorithm>
#include <filesystem>
#include <map>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/browser.hpp"
#include "src/cli/text.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

// The model with other values of parameters.
Model with_values(Model model, const std::map<std::string, double>& values) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : values) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError("--set: unknown parameter '" + name + "'" + suggestion(name, names));
    Parameter& parameter = model.parameters[static_cast<std::size_t>(found - names.begin())];
    parameter.value = value;
    // They bound what models and studies say, not what someone wants to see.
    if (parameter.bounds && !(value >= (*parameter.bounds)[0] && value <= (*parameter.bounds)[1]))
      parameter.bounds.reset();
  }
  return model;
}

class Show : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("MODEL", "model file", model_);
    list.add_assignments("--set", "override the value of a parameter; repeatable", set_);
    list.add_value("--out", "FILE",
                   "HTML file to write, without opening it (default: MODEL-show.html, opened by "
                   "$BROWSER or xdg-open)",
                   page_, parse_path, "a file");
  }

  int run() const override {
    std::filesystem::path file = page_;
    if (file.empty()) file = std::filesystem::path(model_).stem().string() + "-show.html";
    const ModelPage page = write_model_page(with_values(read_model(model_), set_), file);
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
  std::filesystem::path page_;  // empty: the default, which is opened
};

}  // namespace

void add_show_command(Commands& commands) {
  commands.push_back(
      {"show", "Draw the start of a model in an HTML page, and open it", std::make_unique<Show>()});
}

}  // namespace gradus::cli
