// The options of `gradus sweep`, `optimize` and `fit`.
#pragma once

#include <map>
#include <string>

#include "gradus/study.hpp"

namespace CLI {
class App;
}

namespace gradus::cli {

enum class ProgressKind { terminal, json, none };

struct StudyArguments {
  std::string study;  // file
  std::string out;    // folder; never empty
  ExistingResults existing = ExistingResults::refuse;
  std::size_t chunk = 0;
  bool hdf5 = false;    // arrays as HDF5 as well
  std::string backend;  // empty: the study's
  int lanes = 0;
  ProgressKind progress = ProgressKind::terminal;
};

// Registers the options and converts what they were given, as text.
class StudyOptions {
 public:
  void add_to(CLI::App& command);
  StudyArguments convert(const CLI::App& command) const;  // throws InputError

 private:
  std::map<std::string, std::string> values_;
  std::string study_;
  bool resume_ = false;
  bool overwrite_ = false;
};

}  // namespace gradus::cli
