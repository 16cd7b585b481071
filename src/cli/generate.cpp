// gradus generate FAMILY
#include "gradus/generate.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "gradus/error.hpp"
#include "gradus/model.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/models.hpp"
#include "src/cli/text.hpp"
#include "src/model/message.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

std::string families_text() {
  Table table{"<family", ">size", ">usual", "<the size is the number of"};
  for (const Family& family : families())
    table.row({family.name, std::to_string(family.least) + " to " + std::to_string(family.most),
               std::to_string(family.usual), family.description});
  return table.text();
}

std::string families_document() {
  results::Json list = results::Json::array();
  for (const Family& family : families())
    list.push_back({{"family", family.name},
                    {"description", family.description},
                    {"least", family.least},
                    {"most", family.most},
                    {"usual", family.usual}});
  return results::to_text({{"status", "ok"}, {"families", std::move(list)}});
}

class Generate : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("FAMILY", "which family; none: they are listed", family_, false);
    list.add_value("--size", "N", "how large (default: the family's usual size)", size_,
                   parse_count, std::uint64_t{1});
    list.add_value("--out", "FILE", "model file to write (default: FAMILY-N.json, in this folder)",
                   out_, parse_path, "a file");
    list.flag("--overwrite", "replace a file that is there", overwrite_);
  }

  void check(const OptionList& list) override {
    if (!family_.empty()) return;
    for (const char* option : {"--size", "--out"})
      if (list.given(option))
        throw InputError(std::string(option) + " needs FAMILY: it is of a model of one");
  }

  int run() const override {
    if (family_.empty()) {
      write_standard_output(json ? families_document() : families_text());
      return done;
    }
    const std::size_t size = size_.value_or(usual());
    const std::string text = generate_model(family_, size);
    std::filesystem::path file = out_;
    if (file.empty()) file = family_ + "-" + std::to_string(size) + ".json";
    require_new(file, "", overwrite_);
    results::write_file(file, text);
    const Model model = parse_model(text, file.string());
    write_standard_output(json ? results::to_text({{"status", "ok"},
                                                   {"file", file.string()},
                                                   {"bodies", model.bodies.size()},
                                                   {"parameters", model.parameters.size()}})
                               : file.string() + ": " +
                                     counted(model.bodies.size(), "body", "bodies") + ", " +
                                     counted(model.joints.size(), "joint") + ", " +
                                     counted(model.loops.size(), "loop") + ", " +
                                     counted(model.parameters.size(), "parameter") + "\n");
    return done;
  }

 private:
  std::size_t usual() const {
    for (const Family& family : families())
      if (family.name == family_) return family.usual;
    return 1;  // there is none: what makes the model says so
  }

  std::string family_;
  std::optional<std::uint64_t> size_;
  std::filesystem::path out_;  // empty: the default
  bool overwrite_ = false;
};

}  // namespace

void add_generate_command(Commands& commands) {
  commands.push_back({"generate", "Write a model of a family of mechanisms of any size",
                      std::make_unique<Generate>()});
}

}  // namespace gradus::cli
