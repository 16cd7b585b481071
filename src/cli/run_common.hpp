// What simulate and gradient share.
#pragma once

#include "gradus/gradus.hpp"
#include "src/cli/arguments.hpp"

namespace gradus::cli {

using Verb = Result (*)(const Model&, const Options&);

// Reads the model, runs `verb`, writes the folder and standard output. Returns the exit code.
int run_and_report(Verb verb, const Arguments& arguments);

// The options of the command line, with remarks going to standard error.
Options with_remarks(const Arguments& arguments);

}  // namespace gradus::cli
