// Sections "sweep" of study files as text, for the tests of their reader.
#pragma once

#include <map>
#include <string>

#include "gradus/error.hpp"
#include "src/model/json_document.hpp"
#include "src/study/study_reader.hpp"

namespace gradus::test {

using Files = std::map<std::string, std::string>;

// Of a model with the parameters m, L, k[0], k[1] and c, which is set, and the sensors r and q.
inline Sweep sweep_of_text(const std::string& text, const Files& files = {}) {
  Study study;
  for (const char* name : {"m", "L", "c"})
    study.model.parameters.push_back({name, 1.0, "", {}, ""});
  for (Parameter& parameter : parameter_array({"k", 1.0, "", {}, ""}, 2))
    study.model.parameters.push_back(parameter);
  study.model.sensors = {{"r", "position", "a.p"}, {"q", "coordinate", "j"}};
  study.options.set["c"] = 2.0;
  const StudyContext context{study, std::vector<double>(5, 1.0), [&](const std::string& name) {
                               const auto found = files.find(name);
                               if (found == files.end()) throw FileError("no file " + name);
                               return found->second;
                             }};
  const std::string origin = "study.json";
  const JsonValue tree = parse_document(text, origin);
  return read_sweep(JsonElement(tree, origin), context);
}

inline std::string complaint_about(const std::string& text, const Files& files = {}) {
  try {
    sweep_of_text(text, files);
  } catch (const InputError& error) {
    // The section is the root here, in a study it is "/sweep".
    std::string message = error.what();
    if (const std::size_t root = message.find(": //"); root != std::string::npos)
      message.erase(root + 2, 1);
    return message;
  }
  return "";
}

}  // namespace gradus::test
