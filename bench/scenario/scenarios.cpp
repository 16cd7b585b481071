// The scenarios of the gradient benchmark.
#include "bench/scenario/scenarios.hpp"

#include <utility>

#include "bench/models.hpp"

namespace gradus::bench {
namespace {

// One five-bar gradient of 5 s in less than this.
constexpr double kFiveBarTarget = 0.05;  // s
constexpr double kAdjointTarget = 0.07;  // s, by the discrete adjoint
constexpr double kMatrixRTarget = 0.08;  // s, by Matrix R
// Two exact methods differ by round-off over thousands of steps only.
constexpr double kExact = 1e-8;
// Central differences at their default step, over 5000 steps.
constexpr double kDifference = 1e-4;

Scenario scenario(std::string name, Model model, int threads, int designs, const char* method) {
  Scenario s;
  s.name = std::move(name);
  s.model = std::move(model);
  s.options.backend = "cpu:" + std::to_string(threads);
  s.options.method = method;
  s.options.designs.count = static_cast<std::size_t>(designs);
  s.options.designs.spread = designs > 1 ? 0.02 : 0.0;
  s.deviation = s.options.method == "finite-difference" ? kDifference : kExact;
  return s;
}

}  // namespace

std::vector<Scenario> scenarios(bool quick) {
  std::vector<Scenario> all;
  const Model mechanism = five_bar();
  const auto add = [&](Scenario s) {
    if (quick) s.options.duration = 4.0 * s.model.analysis.step;
    all.push_back(std::move(s));
  };
  Scenario one = scenario("five-bar, direct", mechanism, 1, 1, "direct");
  one.target_s = kFiveBarTarget;
  add(std::move(one));
  add(scenario("five-bar, finite-difference", mechanism, 1, 1, "finite-difference"));
  add(scenario("five-bar, dual", mechanism, 1, 1, "dual"));
  const int many = quick ? 3 : 64;
  for (const int threads : {1, 2})
    add(scenario("five-bar, " + std::to_string(many) + " designs", mechanism, threads, many,
                 "direct"));
  const std::vector<std::pair<int, int>> sizes =
      quick ? std::vector<std::pair<int, int>>{{4, 4}, {4, 16}}
            : std::vector<std::pair<int, int>>{{4, 4},   {4, 16},  {8, 4},  {8, 32},  {16, 4},
                                               {16, 16}, {16, 64}, {32, 4}, {32, 32}, {32, 128}};
  const auto name = [](int bodies, int parameters) {
    return "chain of " + std::to_string(bodies) + ", " + std::to_string(parameters) + " parameters";
  };
  for (const auto& [bodies, parameters] : sizes)
    add(scenario(name(bodies, parameters), chain(bodies, parameters), 1, 1, "direct"));
  Scenario backwards = scenario("five-bar, adjoint", mechanism, 1, 1, "adjoint");
  backwards.target_s = kAdjointTarget;
  add(std::move(backwards));
  Scenario projected = scenario("five-bar, matrix-r", mechanism, 1, 1, "direct");
  projected.options.formulation = "matrix-r";
  projected.options.integrator = "newmark";
  projected.target_s = kMatrixRTarget;
  add(std::move(projected));
  if (quick) return all;
  add(scenario(name(32, 4096), chain(32, 4096), 1, 1, "direct"));
  // Long enough that reading thousands of parameters does not count.
  for (const int parameters : {4, 32, 128, 1024, 4096}) {
    Scenario flat =
        scenario(name(32, parameters) + ", adjoint", chain(32, parameters), 1, 1, "adjoint");
    flat.options.duration = 5.0;
    add(std::move(flat));
  }
  add(scenario(name(32, 128) + ", finite-difference", chain(32, 128), 1, 1, "finite-difference"));
  return all;
}

}  // namespace gradus::bench
