// The public face: which format a file has, and what becomes of it.
#include "gradus/import.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "src/model/import/mjcf.hpp"
#include "src/model/import/urdf.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

constexpr std::array<const char*, 3> kEndings = {".urdf", ".xml", ".mjcf"};

}  // namespace

bool is_importable(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

ImportedModel import_model(const std::filesystem::path& file, const ImportOptions& options) {
  const importing::XmlElement root = importing::read_xml(file);
  importing::ImportedMechanism mechanism;
  const bool is_urdf = root.name == "robot", is_mjcf = root.name == "mujoco";
  if (is_urdf && !options.keyframe.empty())
    reject(file.string(), "found a keyframe among the options", "URDF has none", "leave it out");
  if (is_mjcf && (options.floating_base || !options.mimic))
    reject(file.string(), "found a floating base or mimic joints among the options",
           "MJCF says itself what floats and follows", "leave them out");
  if (is_urdf)
    mechanism = importing::read_urdf(root, file, options);
  else if (is_mjcf)
    mechanism = importing::read_mjcf(root, file, options);
  else
    reject(file.string(), "found the element " + in_quotes(root.name),
           "URDF begins with <robot>, MJCF with <mujoco>", "check that this is such a file");
  std::string text = importing::model_text(mechanism);
  if (const auto unmet = mechanism.unmet_patterns(); !unmet.empty())
    mechanism.remarks.push_back("no number is called " + quoted_list(unmet) +
                                ": nothing became a parameter by that");
  return {std::move(text), std::move(mechanism.remarks)};
}

}  // namespace gradus
