// A kind of force that a plug-in brings along: described by it in C, checked, and turned into what
// gradus knows of its own forces.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "gradus/plugin_interface.h"
#include "src/model/force_kind.hpp"

namespace gradus {

struct PluginForce : ForceKind {
  // Throws InputError, beginning with `file`, if the description is of no use.
  PluginForce(const gradus_plugin_force& described, const std::string& file);
  PluginForce(const PluginForce&) = delete;
  PluginForce& operator=(const PluginForce&) = delete;

  void (*formula)(const gradus_plugin_question* question, const gradus_plugin_reply* reply);

 private:
  void take_keys(const gradus_plugin_force& described);
  void take_key(const gradus_plugin_key& described);
  void take_states(const gradus_plugin_force& described);
  [[noreturn]] void refuse(const std::string& found, const std::string& why,
                           const std::string& hint) const;
  std::string_view name_of(const char* name, const char* of);
  std::string_view keep(const char* text);

  std::string where_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string_view>> choices_;
  std::vector<ForceKey> keys_;
  std::vector<ForceState> states_;
};

// What the plug-in replies about a force of a model.
struct PluginFormula {
  std::vector<gradus_plugin_instruction> instructions;
  std::vector<int> results;  // of the force, then of the rates of its states
  std::vector<bool> needed;  // [instruction] whether a result depends on it
  std::string problem;       // why there is none; empty if there is one
};

// Asks for the formula and checks it.
PluginFormula formula_of(const PluginForce& kind, const Force& force);
// The same of a force whose kind is that of a plug-in. Throws InputError, beginning with `where`,
// if there is a problem.
PluginFormula usable_formula_of(const Force& force, const std::string& where);

// How many of the results are the force.
int size_of_force(const PluginForce& kind);
bool has_two_operands(const gradus_plugin_instruction& instruction);

// As of ForceKind.
void check_plugin_force(const Force& force, const std::string& where);
void write_plugin_force(ForceDraft& draft);

}  // namespace gradus
