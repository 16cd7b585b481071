// Options given as texts.
#include "src/mechanism/option_texts.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <vector>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

template <class Number>
Number number(const std::string& name, const std::string& text, const char* expected) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end)
    throw InputError(name + ": found " + in_quotes(text) + ", expected " + expected);
  return value;
}

double real(const std::string& name, const std::string& text) {
  return number<double>(name, text, "a number");
}

bool truth(const std::string& name, const std::string& text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  throw InputError(name + ": found " + in_quotes(text) + ", expected true or false");
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(' ', begin), end);
    const std::size_t last = text.find_last_not_of(' ', end - 1);
    all.push_back(first < end ? text.substr(first, last + 1 - first) : "");
    begin = end + 1;
  }
  return all;
}

std::vector<double> reals(const std::string& name, const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : parts(text)) values.push_back(real(name, part));
  return values;
}

int lanes(const std::string& name, const std::string& text) {
  if (text == "auto") return 0;
  return number<int>(name, text, "auto or a whole number");
}

std::size_t bytes(const std::string& name, const std::string& text) {
  if (const auto count = read_bytes(text)) return *count;
  throw InputError(name + ": found " + in_quotes(text) +
                   ", expected a whole number of bytes, perhaps with k, M or G, e.g. 512M");
}

using Set = void (*)(Options&, const std::string& name, const std::string& text);
using SetExchange = void (*)(Exchange&, const std::string& name, const std::string& text);

const std::map<std::string, Set>& setters() {
  using S = const std::string&;
  static const std::map<std::string, Set> all = {
      {"backend", [](Options& o, S, S text) { o.backend = text; }},
      {"method", [](Options& o, S, S text) { o.method = text; }},
      {"formulation", [](Options& o, S, S text) { o.formulation = text; }},
      {"integrator", [](Options& o, S, S text) { o.integrator = text; }},
      {"coordinates", [](Options& o, S, S text) { o.coordinates = text; }},
      {"reference", [](Options& o, S, S text) { o.reference = text; }},
      {"projections", [](Options& o, S, S text) { o.projections = text; }},
      {"stabilisation", [](Options& o, S, S text) { o.stabilisation = text; }},
      {"iteration", [](Options& o, S, S text) { o.iteration = text; }},
      {"singular", [](Options& o, S, S text) { o.singular = text; }},
      {"step", [](Options& o, S name, S text) { o.step = real(name, text); }},
      {"duration", [](Options& o, S name, S text) { o.duration = real(name, text); }},
      {"tolerance", [](Options& o, S name, S text) { o.tolerance = real(name, text); }},
      {"rtol", [](Options& o, S name, S text) { o.rtol = real(name, text); }},
      {"atol", [](Options& o, S name, S text) { o.atol = real(name, text); }},
      {"max-steps", [](Options& o, S name, S text) { o.max_steps = real(name, text); }},
      {"penalty", [](Options& o, S name, S text) { o.penalty = real(name, text); }},
      {"columns-in-error",
       [](Options& o, S name, S text) { o.columns_in_error = truth(name, text); }},
      {"lanes", [](Options& o, S name, S text) { o.lanes = lanes(name, text); }},
      {"kernels", [](Options& o, S, S text) { o.kernels = text; }},
      {"memory", [](Options& o, S name, S text) { o.memory = bytes(name, text); }},
  };
  return all;
}

const std::map<std::string, SetExchange>& exchange_setters() {
  using S = const std::string&;
  static const std::map<std::string, SetExchange> all = {
      {"start-states", [](Exchange& e, S name, S text) { e.start_states = truth(name, text); }},
      {"sensor-times", [](Exchange& e, S name, S text) { e.times = reals(name, text); }},
      {"sensors", [](Exchange& e, S, S text) { e.sensors = parts(text); }},
      {"final-state", [](Exchange& e, S name, S text) { e.final_state = truth(name, text); }},
  };
  return all;
}

}  // namespace

std::optional<std::size_t> read_bytes(std::string_view text) {
  const std::size_t unit =
      text.empty() ? std::string_view::npos : std::string_view("kMG").find(text.back());
  const bool has_unit = unit != std::string_view::npos;
  const std::size_t shift = has_unit ? 10 * (unit + 1) : 0;
  if (has_unit) text.remove_suffix(1);
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end ||
      value > std::numeric_limits<std::size_t>::max() >> shift)
    return std::nullopt;
  return value << shift;
}

void set_option(Options& options, Exchange& exchange, const std::string& name,
                const std::string& value) {
  if (name.rfind("set:", 0) == 0) {
    options.set[name.substr(4)] = real(name, value);
    return;
  }
  const auto found = setters().find(name);
  if (found != setters().end()) return found->second(options, name, value);
  const auto exchanged = exchange_setters().find(name);
  if (exchanged != exchange_setters().end()) return exchanged->second(exchange, name, value);
  std::vector<std::string> names;
  for (const auto& [known, set] : setters()) names.push_back(known);
  for (const auto& [known, set] : exchange_setters()) names.push_back(known);
  throw InputError("option: found " + in_quotes(name) + ", " + suggestion(name, names));
}

}  // namespace gradus
