// Arrays are known by the names of their elements: "k[0]", "k[1]", ...
#include "src/cli/abbreviation.hpp"

#include "src/cli/values.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t longest_array = 12;
constexpr std::size_t first_elements = 5;
constexpr std::size_t longest_list = 12;
constexpr std::size_t first_names = 10;

// "k[" of "k[3]", the name itself of other parameters.
std::string array_of(const std::string& name) {
  const std::size_t bracket = name.find('[');
  return bracket == std::string::npos ? name : name.substr(0, bracket + 1);
}

std::vector<std::string> names_of(const std::vector<NamedUnit>& parameters) {
  std::vector<std::string> names;
  for (const NamedUnit& parameter : parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace

ShownParameters::ShownParameters(const std::vector<std::string>& names) {
  for (std::size_t begin = 0, end = 0; begin < names.size(); begin = end) {
    const std::string array = array_of(names[begin]);
    for (end = begin + 1; end < names.size() && array_of(names[end]) == array;) ++end;
    if (end - begin <= longest_array) continue;
    for (std::size_t k = begin + first_elements; k + 1 < end; ++k) hidden_.insert(names[k]);
    remark_ += "  " + names[begin + first_elements] + " to " + names[end - 2] +
               " are left out here; --json shows all\n";
  }
}

ShownParameters::ShownParameters(const std::vector<NamedUnit>& parameters)
    : ShownParameters(names_of(parameters)) {}

std::string first_of(const std::vector<std::string>& names) {
  if (names.size() <= longest_list) return join(names);
  return join({names.begin(), names.begin() + first_names}) + " and " +
         std::to_string(names.size() - first_names) + " more";
}

}  // namespace gradus::cli
