// Models for the verbs of the program: read, or imported with remarks on what is left out.
#include "src/cli/models.hpp"

#include "gradus/error.hpp"
#include "gradus/import.hpp"
#include "src/cli/text.hpp"
#include "src/model/json_document.hpp"
#include "src/model/mesh_shapes.hpp"

namespace gradus::cli {

std::string text_of_model(const std::string& file, bool quiet) {
  ImportedModel read;
  if (is_importable(file)) {
    read = import_model(file);
  } else {
    const auto folder = std::filesystem::path(file).parent_path();
    read.text = with_meshes(read_document(file), file, folder, read.remarks);
  }
  if (!quiet)
    for (const std::string& remark : read.remarks) write_remark(file + ": " + remark);
  return std::move(read.text);
}

Model read_model_or_robot(const std::string& file, bool quiet) {
  return parse_model(text_of_model(file, quiet), file);
}

void require_new(const std::filesystem::path& file, const std::filesystem::path& source,
                 bool overwrite) {
  std::error_code ignored;
  if (std::filesystem::equivalent(file, source, ignored))
    throw InputError("--out: " + file.string() + " is what is read; write another file");
  if (!overwrite && std::filesystem::exists(file, ignored))
    throw InputError("--out: " + file.string() +
                     " is there already; --overwrite replaces it, --out FILE writes another");
}

}  // namespace gradus::cli
