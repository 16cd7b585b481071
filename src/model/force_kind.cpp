// Looks forces up, and their kinds.
#include "src/model/force_kind.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <forward_list>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include "src/model/message.hpp"

namespace gradus {
namespace {

using Kinds = std::vector<const ForceKind*>;

// What is in force, and what was: readers may still be using that.
struct KindTables {
  std::mutex adding;
  std::forward_list<Kinds> all;
  std::atomic<const Kinds*> current = nullptr;
};

KindTables& tables() {
  static KindTables* const once = new KindTables;  // used up to the last moment
  return *once;
}

}  // namespace

std::span<const ForceKind* const> force_kinds() {
  const Kinds* const current = tables().current.load(std::memory_order_acquire);
  return current == nullptr ? built_in_force_kinds() : std::span(*current);
}

void add_force_kinds(std::span<const ForceKind* const> kinds, const std::string& origin) {
  KindTables& known = tables();
  const std::lock_guard lock(known.adding);
  const auto before = force_kinds();
  Kinds after(before.begin(), before.end());
  for (const ForceKind* const kind : kinds) {
    const auto same =
        std::find_if(after.begin(), after.end(), [&](auto* k) { return k->type == kind->type; });
    if (same != after.end())
      reject(origin, "found a force of the type " + in_quotes(kind->type),
             (*same)->origin.empty() ? "gradus has one of that type"
             : (*same)->origin == kind->origin
                 ? "it has two of that type"
                 : "the plug-in " + std::string((*same)->origin) + " has one of that type",
             "rename one of them");
    after.push_back(kind);
  }
  known.all.push_front(std::move(after));
  known.current.store(&known.all.front(), std::memory_order_release);
}

const ForceKind* find_force_kind(std::string_view type) {
  const auto kinds = force_kinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [type](auto* kind) { return kind->type == type; });
  return found == kinds.end() ? nullptr : *found;
}

const ForceKind& kind_of(const Force& force) {
  if (const ForceKind* kind = find_force_kind(force.type)) return *kind;
  throw std::logic_error("a force of no kind");
}

std::span<const std::string_view> place_keys(ActsOn acts_on) {
  static constexpr std::array<std::string_view, 2> two{"from", "to"};
  static constexpr std::array<std::string_view, 1> point{"at"}, body{"body"}, joint{"joint"};
  switch (acts_on) {
    case ActsOn::point:
      return point;
    case ActsOn::body:
      return body;
    case ActsOn::coordinate:
    case ActsOn::joint:
      return joint;
    case ActsOn::line:
    case ActsOn::bodies:
    case ActsOn::surface:
      break;
  }
  return two;
}

std::vector<ForceState> states_of(const Model& model, const Force& force) {
  std::vector<ForceState> states;
  const ForceKind* const kind = find_force_kind(force.type);
  if (kind != nullptr && kind->on_joint != nullptr) {
    if (const Joint* const joint = joint_of(model, force))
      states = kind->on_joint->states(force, joint->type);
  } else if (kind != nullptr) {
    std::copy_if(kind->states.begin(), kind->states.end(), std::back_inserter(states),
                 [&](const ForceState& state) {
                   return state.key.empty() || force.find(state.key) != nullptr;
                 });
  }
  return states;
}

const Joint* joint_of(const Model& model, const Force& force) {
  const ForceValue* const name = force.find("joint");
  if (name == nullptr || name->is_vector() || !name->number().is_expression()) return nullptr;
  for (const auto* const list : {&model.joints, &model.loops})
    for (const Joint& joint : *list)
      if (joint.name == name->text()) return &joint;
  return nullptr;
}

const std::string& place_of(const Force& force) {
  return text_of(force, place_keys(kind_of(force).acts_on).back());
}

const std::string& text_of(const Force& force, std::string_view key) {
  static const std::string none;
  const ForceValue* const value = force.find(key);
  return value == nullptr ? none : value->text();
}

const Force* find_force(const Model& model, std::string_view name) {
  const auto found = std::find_if(model.forces.begin(), model.forces.end(),
                                  [name](const Force& force) { return force.name == name; });
  return found == model.forces.end() ? nullptr : &*found;
}

}  // namespace gradus
