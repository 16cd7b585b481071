// gradus import ROBOT
#include "gradus/import.hpp"

#include <filesystem>
#include <sstream>

#include "gradus/error.hpp"
#include "gradus/model.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/text.hpp"
#include "src/model/message.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

class Import : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("ROBOT", "URDF or MJCF file", robot_);
    list.add(
        "--parameters", "WHAT",
        "numbers that become parameters: inertial, geometry, dynamics, all, or names such as "
        "'mass_*', with commas; repeatable",
        [this](const std::string& text) { add_patterns(text); }, true);
    list.flag("--floating-base", "URDF: the robot floats instead of standing on the ground",
              options_.floating_base);
    list.add_value("--mimic", "RULE",
                   "URDF: follow (default), or ignore: joints that mimic others move freely",
                   mimic_, parse_choice, std::vector<std::string>{"follow", "ignore"});
    list.add(
        "--packages", "FOLDER",
        "URDF: where packages of meshes lie (package://NAME/...), or one of them; repeatable",
        [this](const std::string& text) { options_.packages.emplace_back(text); }, true);
    list.add_value("--keyframe", "NAME", "MJCF: start at this keyframe, by name or number",
                   keyframe_, parse_text);
    list.add_value("--out", "FILE", "model file to write (default: NAME.json, in this folder)",
                   out_, parse_path, "a file");
    list.flag("--overwrite", "replace a file that is there", overwrite_);
  }

  int run() const override {
    ImportOptions options = options_;
    options.keyframe = keyframe_;
    options.mimic = mimic_ == "follow";
    const ImportedModel imported = import_model(robot_, options);
    std::filesystem::path file = out_;
    if (file.empty()) file = std::filesystem::path(robot_).stem().string() + ".json";
    const Model model = parse_model(imported.text, robot_);
    require_new(file, robot_, overwrite_);
    results::write_file(file, imported.text);
    if (!quiet)
      for (const std::string& remark : imported.remarks) write_remark(remark);
    write_standard_output(json ? document(file, model, imported) : summary(file, model));
    return done;
  }

 private:
  void add_patterns(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
      if (!word.empty()) options_.parameters.push_back(word);
  }

  static std::string document(const std::filesystem::path& file, const Model& model,
                              const ImportedModel& imported) {
    return results::to_text({{"status", "ok"},
                             {"file", file.string()},
                             {"bodies", model.bodies.size()},
                             {"joints", model.joints.size()},
                             {"parameters", model.parameters.size()},
                             {"remarks", imported.remarks}});
  }

  static std::string summary(const std::filesystem::path& file, const Model& model) {
    return file.string() + ": " + counted(model.bodies.size(), "body", "bodies") + ", " +
           counted(model.joints.size(), "joint") + ", " + counted(model.forces.size(), "force") +
           ", " + counted(model.parameters.size(), "parameter") + "\n";
  }

  std::string robot_;  // file
  ImportOptions options_;
  std::string keyframe_, mimic_ = "follow";
  std::filesystem::path out_;  // empty: the default
  bool overwrite_ = false;
};

}  // namespace

void add_import_command(Commands& commands) {
  commands.push_back({"import", "Write a robot in URDF, or a mechanism in MJCF, as a model",
                      std::make_unique<Import>()});
}

}  // namespace gradus::cli
