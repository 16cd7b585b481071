// Prints which solver serves which systems.
#include "src/cli/solver_tables.hpp"

#include <algorithm>
#include <utility>

#include "src/cli/printable.hpp"
#include "src/cli/tables.hpp"

namespace gradus::cli {
namespace {

// By size, general matrices first.
using Group = std::pair<bool, int>;
using Groups = std::map<Group, std::vector<SolverChoice>>;

std::string most_frequent(const std::vector<SolverChoice>& choices) {
  std::map<std::string, int> votes;
  for (const SolverChoice& choice : choices) ++votes[choice.solver];
  return std::max_element(votes.begin(), votes.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::string exceptions(const std::vector<SolverChoice>& choices, const std::string& rule) {
  std::map<std::string, std::string> shapes;
  for (const SolverChoice& choice : choices) {
    if (choice.solver == rule) continue;
    std::string& list = shapes[choice.solver];
    list += (list.empty() ? "" : ", ") + std::to_string(choice.columns) + " x " +
            std::to_string(choice.systems);
  }
  std::string text;
  for (const auto& [solver, list] : shapes)
    text += (text.empty() ? "" : "; ") + solver + " for " + list;
  return text;
}

std::string table_text(const SolverTable& solvers) {
  Groups groups;
  for (const SolverChoice& choice : solvers.choices)
    groups[{choice.definite, choice.size}].push_back(choice);
  Table table;
  table.column("size", Align::right);
  for (const char* heading : {"matrices", "solver", "but (columns x systems)"})
    table.column(heading, Align::left);
  for (const auto& [group, choices] : groups) {
    const std::string rule = most_frequent(choices);
    table.row({std::to_string(group.second), group.first ? "definite" : "general", rule,
               exceptions(choices, rule)});
  }
  const std::string measured =
      solvers.measured.empty() ? "not measured here" : "measured " + solvers.measured;
  return "\nlinear solvers on " + printable(solvers.device) + " (" + measured + ", " +
         printable(solvers.origin) + ")\n" + table.text(2);
}

}  // namespace

std::string solver_tables_text(const std::vector<SolverTable>& tables) {
  std::string text;
  for (const SolverTable& table : tables) text += table_text(table);
  return text;
}

}  // namespace gradus::cli
