// Draws mechanisms to check.
#include "tests/verification/check_mechanisms.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/support/random_forces.hpp"

namespace gradus::test {
namespace {

using Type = oracle::JointType;

MechanismPair random_pair(unsigned seed) {
  const auto variant = static_cast<int>(seed / 4);
  switch (seed % 4) {
    case 0:
      return random_tree(seed, 2 + variant % 5, 0.4);
    case 1:
      return random_loop(seed, 6 + variant % 2, variant % 2 == 0);
    case 2:
      return random_tree_of_all_joints(seed, 3 + variant % 5);
    default: {
      const Type cuts[] = {Type::kRevolute,  Type::kPrismatic,   Type::kUniversal,
                           Type::kSpherical, Type::kCylindrical, Type::kPlanar};
      return random_loop_of_all_joints(seed, 3 + variant % 6, cuts[variant % 6]);
    }
  }
}

void set_method(Model& model, unsigned seed, Draw& draw) {
  Analysis& analysis = model.analysis;
  analysis.duration = 0.03;
  analysis.step = 5e-4;
  const char* others[] = {"matrix-r", "index1", "penalty", "fully-recursive"};
  if (draw.below(2) == 0) return;  // as most models: ali3p
  analysis.formulation =
      model.loops.empty() && draw.below(2) == 0 ? "semi-recursive" : others[draw.below(4)];
  analysis.integrator = std::vector<std::string>{"dopri5", "dop853", "rk4",
                                                 "newmark"}[static_cast<std::size_t>(seed % 4)];
  analysis.penalty = 1e8;
}

void add_objectives(Model& model) {
  const std::string body = model.bodies.back().name;
  const std::string own_point = model.joints.back().child;
  model.sensors = {{"r", "position", body + ".p1"},
                   {"v", "velocity", body + ".p1"},
                   {"a", "acceleration", body + ".p1"},
                   {"own", "position", own_point},
                   {"total", "energy", "total"}};
  const auto add = [&](const std::string& name, ObjectiveKind kind, const std::string& text) {
    model.objectives.push_back({name, kind, text, "", ""});
  };
  add("position", ObjectiveKind::integral, "dot(r - [0.3, 0.2, -0.1], r)");
  add("velocity", ObjectiveKind::terminal, "dot(v, [0.7, -1, 0.4])");
  add("acceleration", ObjectiveKind::integral, "dot(a, a)");
  add("energy", ObjectiveKind::terminal, "total");
  add("length", ObjectiveKind::terminal, "dot(r - own, r - own)");
}

Model with_parameters(const Model& model, Draw& draw) {
  std::vector<std::string> paths;
  derivative::parametrise(model, [&](const std::string& path) {
    if (path.rfind("guess", 0) != 0) paths.push_back(path);
    return false;
  });
  std::set<std::string> chosen;
  while (chosen.size() < std::min<std::size_t>(8, paths.size()))
    chosen.insert(paths[static_cast<std::size_t>(draw.below(static_cast<int>(paths.size())))]);
  return derivative::parametrise(model,
                                 [&](const std::string& path) { return chosen.count(path) > 0; });
}

}  // namespace

Model random_model_to_check(unsigned seed) {
  Draw draw(1000 + seed);
  MechanismPair pair = random_pair(seed);
  if (seed % 3 == 0) add_random_forces(pair, draw);
  pair.model.name = "mechanism " + std::to_string(seed);
  set_method(pair.model, seed, draw);
  pair.model.objectives.clear();
  add_objectives(pair.model);
  return with_parameters(pair.model, draw);
}

}  // namespace gradus::test
