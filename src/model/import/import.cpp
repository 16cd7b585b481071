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
  if (root.name == "robot")
    mechanism = importing::read_urdf(root, options);
  else if (root.name == "mujoco")
    mechanism = importing::read_mjcf(root, file, options);
  else
    reject(file.string(), "found the element " + in_quotes(root.name),
           "URDF begins with <robot>, MJCF with <mujoco>", "check that this is such a file");
  std::vector<std::string> remarks = mechanism.remarks;
  return {importing::model_text(std::move(mechanism)), std::move(remarks)};
}

}  // namespace gradus
