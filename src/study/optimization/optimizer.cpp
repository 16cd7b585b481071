// Which methods there are, and which library has them.
#include "src/study/optimization/optimizer.hpp"

#include <algorithm>
#include <array>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

struct Method {
  const char* name;
  const std::string& (*obstacle)();
  std::string (*hint)();
  bool inequalities;
  bool equations;
};

template <class Functions>
constexpr Method method_of(const char* name, bool inequalities, bool equations) {
  return {name, &Module<Functions>::obstacle, &Module<Functions>::hint, inequalities, equations};
}

constexpr std::array methods{
    method_of<NloptModule>("lbfgs", false, false),
    method_of<NloptModule>("slsqp", true, true),
    method_of<NloptModule>("mma", true, false),
    method_of<NloptModule>("augmented-lagrangian", true, true),
    method_of<IpoptModule>("ipopt", true, true),
};

// Those that serve such constraints here.
std::string alternatives(bool constraints, bool equations) {
  std::vector<std::string> names;
  for (const Method& method : methods)
    if (method.obstacle().empty() && (!constraints || method.inequalities) &&
        (!equations || method.equations))
      names.push_back(method.name);
  return names.empty() ? "build gradus with NLopt or Ipopt" : "use " + quoted_list(names);
}

}  // namespace

std::vector<std::string> optimization_methods() {
  std::vector<std::string> names;
  for (const Method& method : methods)
    if (method.obstacle().empty()) names.push_back(method.name);
  return names;
}

void check_method(const std::string& method, bool constraints, bool equations,
                  const std::string& where) {
  const auto* const found = std::find_if(methods.begin(), methods.end(),
                                         [&](const Method& m) { return method == m.name; });
  if (found == methods.end()) {
    std::vector<std::string> names;
    for (const Method& known : methods) names.push_back(known.name);
    throw InputError(where + ": found the method " + in_quotes(method) +
                     ", which gradus does not have; " + suggestion(method, names));
  }
  if (constraints && !found->inequalities)
    reject(where, in_quotes(method) + " takes no constraints", "it knows bounds of parameters only",
           alternatives(constraints, equations));
  if (equations && !found->equations)
    reject(where, in_quotes(method) + " takes no equations",
           "a constraint with equal bounds is one", alternatives(constraints, equations));
}

void require_method(const std::string& method, bool constraints, bool equations,
                    const std::string& where) {
  for (const Method& known : methods)
    if (method == known.name && !known.obstacle().empty())
      reject(where, in_quotes(method) + " is not there", known.obstacle(),
             known.hint() + ", or " + alternatives(constraints, equations));
}

std::string minimize(const std::string& method, SearchView& search) {
  return method == "ipopt" ? Module<IpoptModule>::functions().minimize(method, search)
                           : Module<NloptModule>::functions().minimize(method, search);
}

}  // namespace gradus
