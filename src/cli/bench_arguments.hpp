// The options of `gradus bench`.
#pragma once

#include <map>
#include <string>

#include "gradus/benchmark.hpp"

namespace CLI {
class App;
}

namespace gradus::cli {

struct BenchArguments {
  BenchmarkSettings settings;
  std::string output;  // file for the document; empty if none is asked for
  bool store = false;
  bool tune = false;  // measure the solvers of linear systems instead
};

// Registers the options and converts what they were given, as text, to settings.
class BenchOptions {
 public:
  void add_to(CLI::App& command);
  // `model`: whether a model file is given. Throws InputError.
  BenchArguments convert(bool model) const;

 private:
  bool given(const std::string& name) const;
  void check_tune(bool model) const;

  CLI::App* command_ = nullptr;
  std::map<std::string, std::string> values_;
  bool store_ = false;
  bool tune_ = false;
};

}  // namespace gradus::cli
