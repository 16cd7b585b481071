// The program gradus_bench_gradient: times whole gradients and prints one JSON document.
#include <charconv>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

#include "bench/scenario/machine.hpp"
#include "bench/scenario/measurement.hpp"

namespace {

constexpr const char* kUsage =
    "gradus_bench_gradient: times whole gradients on the CPU; one JSON document on standard "
    "output\n"
    "  --repeats N   runs that are timed, after one that is not (default 7)\n"
    "  --quick       a few steps of a few scenarios, one repeat: proves that the benchmark works\n"
    "  --only TEXT   scenarios whose name contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead\n";

struct Arguments {
  int repeats = 7;
  bool quick = false;
  std::string only;
  std::string commit;
  std::string out;
};

// Exit code, or -1 to go on.
int read_arguments(int count, char** values, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string option = values[i];
    if (option == "--help") {
      std::cout << kUsage;
      return 0;
    }
    if (option == "--quick") {
      arguments.quick = true;
      arguments.repeats = 1;
      continue;
    }
    if (i + 1 == count) {
      std::cerr << "gradus_bench_gradient: unknown option, or no value for it: " << option << '\n'
                << kUsage;
      return 2;
    }
    const std::string value = values[++i];
    const char* end = value.data() + value.size();
    if (option == "--repeats") {
      const auto [stop, error] = std::from_chars(value.data(), end, arguments.repeats);
      if (error != std::errc() || stop != end || arguments.repeats < 1) {
        std::cerr << "gradus_bench_gradient: --repeats: found " << value
                  << ", expected at least 1\n";
        return 2;
      }
    } else if (option == "--only") {
      arguments.only = value;
    } else if (option == "--commit") {
      arguments.commit = value;
    } else if (option == "--out") {
      arguments.out = value;
    } else {
      std::cerr << "gradus_bench_gradient: unknown option: " << option << '\n' << kUsage;
      return 2;
    }
  }
  return -1;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[11] = "";
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

int run(const Arguments& arguments) {
  nlohmann::ordered_json document;
  document["benchmark"] = "gradient";
  document["date"] = today();
  if (!arguments.commit.empty()) document["commit"] = arguments.commit;
  document["quick"] = arguments.quick;
  document["warm_up"] = "one whole run";
  document["repeats"] = arguments.repeats;
  document["clock"] =
      "from the call to the result: validation and plan inside, reading the file outside";
  document["machine"] = gradus::bench::machine_record();
  document["scenarios"] = nlohmann::ordered_json::array();
  bool wrong = false;
  for (const gradus::bench::Scenario& scenario : gradus::bench::scenarios(arguments.quick)) {
    if (scenario.name.find(arguments.only) == std::string::npos) continue;
    std::cerr << scenario.name << ", " << scenario.options.backend << " ..." << std::flush;
    document["scenarios"].push_back(gradus::bench::measure(scenario, arguments.repeats));
    const auto& record = document["scenarios"].back();
    const auto& times = record["times"];
    wrong = wrong || times.is_null();
    if (times.is_null())
      std::cerr << " wrong gradient, deviation " << record["deviation"] << '\n';
    else
      std::cerr << ' ' << times["total_s"]["median"] << " s\n";
  }
  if (arguments.out.empty()) {
    std::cout << document.dump(2) << '\n';
  } else {
    std::ofstream file(arguments.out);
    file << document.dump(2) << '\n';
    if (!file.flush()) {
      std::cerr << "gradus_bench_gradient: cannot write " << arguments.out << '\n';
      return 1;
    }
  }
  return wrong ? 1 : 0;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  const int code = read_arguments(count, values, arguments);
  if (code >= 0) return code;
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    std::cerr << "gradus_bench_gradient: " << error.what() << '\n';
    return 1;
  }
}
