// Copies of the files a study was made from, beside its results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/study.hpp"

namespace gradus {

// How results were made; a resumed run must match it.
struct StudyState {
  std::string verb;
  std::string version;
  std::string backend;  // its kind
  std::vector<StudyFile> files;
};

// The whole content of a file. Throws FileError.
std::string file_content(const std::filesystem::path& file);

std::filesystem::path state_file(const std::filesystem::path& folder);

// Where copy number `index` lies.
std::filesystem::path input_copy(const std::filesystem::path& folder, std::size_t index,
                                 const StudyFile& file);

// Writes copies and state at once into a folder that has none. Throws FileError.
void write_state(const std::filesystem::path& folder, const StudyState& state);

// Throws FileError where there is none, or where it is damaged.
StudyState read_state(const std::filesystem::path& folder);

// The files of the state, the study first.
std::vector<StudyFile> read_input_copies(const std::filesystem::path& folder);

}  // namespace gradus
