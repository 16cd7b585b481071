// The command line as a structure.
#pragma once

#include <string>

#include "gradus/run.hpp"
#include "src/cli/bench_arguments.hpp"
#include "src/cli/study_arguments.hpp"

namespace gradus::cli {

enum class Command {
  show_text,  // help or version: print `text`
  simulate,
  gradient,
  check,
  sweep,
  optimize,
  fit,
  bench,
  info,
  report,
};

struct Arguments {
  Command command = Command::show_text;
  std::string text;
  std::string model;  // file; may be empty for bench and info
  std::string out;    // folder for results; empty if none is asked for
  bool hdf5 = false;  // arrays as HDF5 as well
  bool json = false;
  bool quiet = false;
  std::string folder;  // of report: the results
  std::string page;    // of report: the file; empty for report.html beside the results
  Options options;
  BenchArguments bench;
  StudyArguments study;
};

// Throws InputError for bad usage.
Arguments parse_arguments(int argc, const char* const* argv);

// Whether "--json" stands on the command line: errors of `parse_arguments` itself must honour it.
bool asks_for_json(int argc, const char* const* argv);

}  // namespace gradus::cli
