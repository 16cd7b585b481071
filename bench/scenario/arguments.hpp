// What the programs of this folder are told on the command line.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace gradus::bench {

struct Arguments {
  int repeats = 7;
  bool quick = false;
  std::string only;
  std::string commit;
  std::string out;
};

// The whole of main(): reads the command line, `repeats` being what it may leave unsaid, and calls
// run(arguments), which returns the exit code.
int run_program(int count, char** values, const std::string& program, const std::string& usage,
                int repeats, const std::function<int(const Arguments&)>& run);

// Date of today, year first.
std::string today();

// The fields that every record begins with.
nlohmann::ordered_json record_head(const std::string& benchmark, const Arguments& arguments);

// Writes the document to the file that was asked for, or to standard output. False where the file
// cannot be written.
bool write_document(const nlohmann::ordered_json& document, const std::string& program,
                    const Arguments& arguments);

}  // namespace gradus::bench
