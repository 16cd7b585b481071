// Models for the verbs of the program: read, or imported with remarks on what is left out.
#include "src/cli/models.hpp"

#include "gradus/import.hpp"
#include "src/cli/text.hpp"
#include "src/model/json_document.hpp"

namespace gradus::cli {

std::string text_of_model(const std::string& file, bool quiet) {
  if (!is_importable(file)) return read_document(file);
  ImportedModel imported = import_model(file);
  if (!quiet)
    for (const std::string& remark : imported.remarks) write_remark(file + ": " + remark);
  return std::move(imported.text);
}

Model read_model_or_robot(const std::string& file, bool quiet) {
  return parse_model(text_of_model(file, quiet), file);
}

}  // namespace gradus::cli
