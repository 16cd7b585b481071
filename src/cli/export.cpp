// gradus export MODEL
#include "gradus/export.hpp"

#include <filesystem>
#include <map>

#include "gradus/error.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/models.hpp"
#include "src/cli/parameter_values.hpp"
#include "src/cli/text.hpp"
#include "src/model/message.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

class Export : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("MODEL", "model file", model_);
    list.add_assignments("--set", "override the value of a parameter; repeatable", set_);
    list.add_value(
        "--out", "FILE",
        "file to write: .urdf, the tree; .glb, the motion as an animated scene (default: "
        "NAME.urdf, in this folder)",
        out_, parse_path, "a file");
    list.add_value("--duration", "SECONDS", "of the motion (default: the model's)",
                   options_.duration, parse_positive);
    list.flag("--overwrite", "replace a file that is there", overwrite_);
  }

  int run() const override {
    std::filesystem::path file = out_;
    if (file.empty()) file = std::filesystem::path(model_).stem().string() + ".urdf";
    const bool is_scene = file.extension() == ".glb";
    if (!is_scene && file.extension() != ".urdf")
      throw InputError("--out: found " + in_quotes(file.string()) +
                       ", expected a file that ends in .urdf or .glb");
    if (!is_scene && options_.duration)
      throw InputError(
          "--duration: found together with a file that ends in .urdf, which holds no "
          "motion (.glb does); leave it out");
    require_new(file, model_, overwrite_);
    const Model model = with_values(read_model_or_robot(model_, quiet), set_);
    const std::vector<std::string> remarks =
        is_scene ? write_gltf(model, options_, file) : write_robot(model, file);
    if (!quiet)
      for (const std::string& remark : remarks) write_remark(remark);
    write_standard_output(
        json ? results::to_text({{"status", "ok"}, {"file", file.string()}, {"remarks", remarks}})
             : file.string() + "\n");
    return done;
  }

 private:
  static std::vector<std::string> write_robot(const Model& model,
                                              const std::filesystem::path& file) {
    ExportedModel exported = to_urdf(model);
    results::write_file(file, exported.text);
    return std::move(exported.remarks);
  }

  std::string model_;  // file
  Options options_;
  std::map<std::string, double> set_;
  std::filesystem::path out_;  // empty: the default
  bool overwrite_ = false;
};

}  // namespace

void add_export_command(Commands& commands) {
  commands.push_back({"export",
                      "Write a model as a robot in URDF, or its motion as a scene in glTF",
                      std::make_unique<Export>()});
}

}  // namespace gradus::cli
