// Finds the order of definitions and what they depend on.
#include "src/model/definitions.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "src/model/lexer.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

std::string where_of_definition(const Definition& definition, const std::string& origin) {
  return origin + ": /definitions/" + definition.name;
}

[[noreturn]] void reject_circle(const std::vector<Definition>& definitions,
                                const std::vector<std::vector<std::size_t>>& needs,
                                const std::vector<bool>& done, const std::string& origin) {
  // Every definition left over needs another one left over: walking on must come back to where it
  // has been.
  std::vector<std::size_t> way;
  std::size_t next = static_cast<std::size_t>(
      std::distance(done.begin(), std::find(done.begin(), done.end(), false)));
  std::vector<bool> seen(definitions.size(), false);
  while (!seen[next]) {
    seen[next] = true;
    way.push_back(next);
    next = *std::find_if(needs[next].begin(), needs[next].end(),
                         [&done](std::size_t need) { return !done[need]; });
  }
  way.erase(way.begin(), std::find(way.begin(), way.end(), next));
  std::string circle;
  constexpr std::size_t longest = 8;
  for (std::size_t i = 0; i < std::min(way.size(), longest); ++i)
    circle += in_quotes(definitions[way[i]].name) + " needs ";
  if (way.size() > longest) circle += "... needs ";
  circle += in_quotes(definitions[next].name);
  reject(where_of_definition(definitions[next], origin), "cyclic definition", circle,
         "express one of them by parameters, sensors and numbers only");
}

}  // namespace

DefinitionUses::DefinitionUses(const Model& model, const std::string& origin) : model_(model) {
  const std::vector<Definition>& definitions = model.definitions;
  std::unordered_set<std::string> sensors{"t"};
  for (const Sensor& sensor : model.sensors) sensors.insert(sensor.name);
  // States become sensors of their names, in a model of which runs are made.
  for (const State& state : model.states) sensors.insert(state.name);
  for (std::size_t i = 0; i < definitions.size(); ++i) places_.emplace(definitions[i].name, i);
  needs_.resize(definitions.size());
  sensors_.resize(definitions.size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    const std::string where = where_of_definition(definitions[i], origin);
    for (const std::string& name : expression::names_in(definitions[i].expression, where)) {
      const auto found = places_.find(name);
      if (found != places_.end()) needs_[i].push_back(found->second);
      if (sensors.count(name) > 0) sensors_[i].push_back(name);
    }
  }
  find_order(origin);
  moves_.resize(definitions.size(), false);
  for (const std::size_t i : order_)
    moves_[i] = !sensors_[i].empty() || std::any_of(needs_[i].begin(), needs_[i].end(),
                                                    [&](std::size_t need) { return moves_[need]; });
}

void DefinitionUses::find_order(const std::string& origin) {
  std::vector<std::vector<std::size_t>> needed_by(needs_.size());
  std::vector<std::size_t> missing(needs_.size());
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    missing[i] = needs_[i].size();
    for (const std::size_t need : needs_[i]) needed_by[need].push_back(i);
  }
  std::vector<bool> done(needs_.size());
  for (std::size_t i = 0; i < needs_.size(); ++i)
    if (missing[i] == 0) order_.push_back(i);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    done[order_[k]] = true;
    for (const std::size_t user : needed_by[order_[k]])
      if (--missing[user] == 0) order_.push_back(user);
  }
  if (order_.size() < needs_.size()) reject_circle(model_.definitions, needs_, done, origin);
}

std::vector<std::string> DefinitionUses::way(
    std::string_view definition, const std::function<bool(const std::string&)>& is_met) const {
  const auto start = places_.find(std::string(definition));
  if (start == places_.end()) return {};
  // Depth first, each definition once; chains may be long, so without recursion.
  std::vector<bool> seen(needs_.size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> open{{start->second, 0}};  // next need to visit
  seen[start->second] = true;
  while (!open.empty()) {
    const std::size_t at = open.back().first;
    if (open.back().second == 0)
      for (const std::string& sensor : sensors_[at])
        if (is_met(sensor)) {
          std::vector<std::string> way;
          for (const auto& [place, next] : open) way.push_back(model_.definitions[place].name);
          way.push_back(sensor);
          return way;
        }
    const std::size_t next = open.back().second++;
    if (next == needs_[at].size()) {
      open.pop_back();
    } else if (const std::size_t need = needs_[at][next]; !seen[need]) {
      seen[need] = true;
      open.push_back({need, 0});
    }
  }
  return {};
}

std::string told(const std::vector<std::string>& way, std::string_view kind) {
  const std::string& met = way.back();
  std::string text = met == "t" ? "the time t" : "the sensor " + in_quotes(met);
  if (!kind.empty()) text += " of kind " + in_quotes(kind);
  if (way.size() > 2)
    text += " through " + quoted_list(std::vector<std::string>(way.begin() + 1, way.end() - 1), 8);
  return text;
}

}  // namespace gradus
