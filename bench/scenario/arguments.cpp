// Command lines, and the document that answers them.
#include "bench/scenario/arguments.hpp"

#include <charconv>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>

#include "bench/scenario/machine.hpp"

namespace gradus::bench {
namespace {

bool read_count(const std::string& value, int& count) {
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, count);
  return error == std::errc() && stop == end && count >= 1;
}

// Exit code of a program that ends here, or -1 to go on.
int read_arguments(int count, char** values, const std::string& program, const std::string& usage,
                   Arguments& arguments) {
  const std::string what = program + ": ";
  for (int i = 1; i < count; ++i) {
    const std::string option = values[i];
    if (option == "--help") {
      std::cout << usage;
      return 0;
    }
    if (option == "--quick") {
      arguments.quick = true;
      arguments.repeats = 1;
      continue;
    }
    if (i + 1 == count) {
      std::cerr << what << "unknown option, or no value for it: " << option << '\n' << usage;
      return 2;
    }
    const std::string value = values[++i];
    if (option == "--repeats") {
      if (!read_count(value, arguments.repeats)) {
        std::cerr << what << "--repeats: found " << value << ", expected at least 1\n";
        return 2;
      }
    } else if (option == "--only") {
      arguments.only = value;
    } else if (option == "--commit") {
      arguments.commit = value;
    } else if (option == "--out") {
      arguments.out = value;
    } else {
      std::cerr << what << "unknown option: " << option << '\n' << usage;
      return 2;
    }
  }
  return -1;
}

}  // namespace

int run_program(int count, char** values, const std::string& program, const std::string& usage,
                int repeats, const std::function<int(const Arguments&)>& run) {
  Arguments arguments;
  arguments.repeats = repeats;
  const int code = read_arguments(count, values, program, usage, arguments);
  if (code >= 0) return code;
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << '\n';
    return 1;
  }
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[11] = "";
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

nlohmann::ordered_json record_head(const std::string& benchmark, const Arguments& arguments) {
  nlohmann::ordered_json document;
  document["benchmark"] = benchmark;
  document["date"] = today();
  if (!arguments.commit.empty()) document["commit"] = arguments.commit;
  document["quick"] = arguments.quick;
  document["warm_up"] = "one whole run";
  document["repeats"] = arguments.repeats;
  document["clock"] =
      "from the call to the result: validation and plan inside, reading the file outside";
  document["machine"] = machine_record();
  return document;
}

bool write_document(const nlohmann::ordered_json& document, const std::string& program,
                    const Arguments& arguments) {
  if (arguments.out.empty()) {
    std::cout << document.dump(2) << '\n';
    return true;
  }
  std::ofstream file(arguments.out);
  file << document.dump(2) << '\n';
  if (file.flush()) return true;
  std::cerr << program << ": cannot write " << arguments.out << '\n';
  return false;
}

}  // namespace gradus::bench
