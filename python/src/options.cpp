// The table of options, by the names of gradus::Options.
#include "python/src/options.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "python/src/interruption.hpp"

namespace gradus::python {
namespace {

template <class T>
void take(const std::string& name, nb::handle value, T& to, const char* expected) {
  // True is a number to Python, but none that an option means.
  const bool is_truth = std::is_same_v<T, std::optional<bool>> || std::is_same_v<T, bool>;
  if ((is_truth || !PyBool_Check(value.ptr())) && nb::try_cast<T>(value, to)) return;
  throw nb::type_error(
      (name + ": found " + nb::repr(value).c_str() + ", expected " + expected).c_str());
}

using Take = std::function<void(Options&, const std::string&, nb::handle)>;

template <class T>
Take member(T Options::*place, const char* expected) {
  return [=](Options& o, const std::string& name, nb::handle value) {
    take(name, value, o.*place, expected);
  };
}

constexpr const char* a_text = "a text";
constexpr const char* a_number = "a number";
constexpr const char* a_count = "a whole number, 0 or more";
constexpr const char* a_truth = "True or False";

const std::map<std::string, Take>& known_options() {
  using O = Options;
  static const std::map<std::string, Take> known{
      {"backend", member(&O::backend, a_text)},
      {"method", member(&O::method, a_text)},
      {"formulation", member(&O::formulation, a_text)},
      {"integrator", member(&O::integrator, a_text)},
      {"reference", member(&O::reference, a_text)},
      {"coordinates", member(&O::coordinates, a_text)},
      {"step", member(&O::step, a_number)},
      {"duration", member(&O::duration, a_number)},
      {"tolerance", member(&O::tolerance, a_number)},
      {"rtol", member(&O::rtol, a_number)},
      {"atol", member(&O::atol, a_number)},
      {"max_steps", member(&O::max_steps, a_number)},
      {"columns_in_error", member(&O::columns_in_error, a_truth)},
      {"penalty", member(&O::penalty, a_number)},
      {"projections", member(&O::projections, a_text)},
      {"stabilisation", member(&O::stabilisation, a_text)},
      {"iteration", member(&O::iteration, a_text)},
      {"singular", member(&O::singular, a_text)},
      {"set", member(&O::set, "a dict of numbers by the names of parameters")},
      {"lanes", member(&O::lanes, a_count)},
      {"kernels", member(&O::kernels, a_text)},
      {"solver", member(&O::solver, a_text)},
      {"precision", member(&O::precision, a_text)},
      {"record", member(&O::record, a_truth)},
      {"record_every", member(&O::record_every, a_count)},
      {"columns", member(&O::columns, a_truth)},
      {"memory", member(&O::memory, a_count)},
      {"estimate_every", member(&O::estimate_every, a_count)},
      {"accuracy", member(&O::accuracy, a_number)},
      {"difference_step", member(&O::difference_step, a_number)},
      {"log", member(&O::log, "a function of a text")},
      {"progress", member(&O::progress, "a function of a number")}};
  return known;
}

}  // namespace

Options options_of(const nb::dict& arguments, Options options) {
  options.cancelled = [] { return Interruption::is_asked_for(); };
  for (const auto& [key, value] : arguments) {
    const auto name = nb::cast<std::string>(key);
    const auto known = known_options().find(name);
    if (known == known_options().end()) {
      std::string names;
      for (const auto& [other, unused] : known_options())
        names += (names.empty() ? "" : ", ") + other;
      throw nb::type_error(("there is no option " + name + " (options are " + names + ")").c_str());
    }
    if (!value.is_none()) known->second(options, name, value);
  }
  return options;
}

Exchange exchange_of(nb::dict& arguments) {
  Exchange exchange;
  const auto take_out = [&](const char* name, auto& to, const char* expected) {
    if (!arguments.contains(name)) return;
    const nb::object value = arguments[name];
    if (!value.is_none()) take(name, value, to, expected);
    PyDict_DelItemString(arguments.ptr(), name);
  };
  take_out("times", exchange.times, "a list of numbers");
  take_out("sensors", exchange.sensors, "a list of texts");
  take_out("start_states", exchange.start_states, a_truth);
  take_out("final_state", exchange.final_state, a_truth);
  return exchange;
}

}  // namespace gradus::python
