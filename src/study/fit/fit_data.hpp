// Reads the measurements of a fit from the tables that its study names.
#pragma once

#include <string>
#include <vector>

#include "src/study/fit/fit_model.hpp"
#include "src/study/study_readers.hpp"

namespace gradus {

// The key "data": the name of a table, an object about one, or a list of these. Throws InputError
// with file, line and column of the table, and FileError.
std::vector<Measurement> read_measurements(const JsonElement& data, const StudyContext& context);

}  // namespace gradus
