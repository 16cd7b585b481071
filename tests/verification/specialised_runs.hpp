// Runs by kernels made for their mechanism beside runs by general ones.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/motion/design_run.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"

namespace gradus::specialise {

// A setting of the environment while this lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// Nothing is known of earlier tests.
inline const Setting no_cache("GRADUS_KERNEL_CACHE", "off");

struct Specialised {
  Specialised(const Model& model, Options options, Sensitivity sensitivity)
      : mechanism(model, wanting(options)), request(mechanism.request()) {
    request.sensitivity = sensitivity;
    request.parameters = design_values(model, options, mechanism.plan().nominal);
    request.n_design = options.designs.count;
    request.memory = options.memory;
    run = make_host_run(request, 2);
  }
  static Options wanting(Options options) {
    if (options.kernels == "general") options.kernels = "specialised";
    return options;
  }
  std::shared_ptr<SpecialisedSteps> steps() {
    // The one that the runs have asked for.
    return request.workshop->all().at(0);
  }
  // Evaluations by programs so far; the first run asks for them.
  std::size_t steps_made() {
    return request.workshop->all().empty() ? 0 : steps()->counts().programmed;
  }
  MotionOutcome go() { return run->run(request.parameters, request.n_design); }

  CompiledMechanism mechanism;
  MotionRequest request;
  std::unique_ptr<HostRun> run;
};

// With objectives of its last body, of energies and of the time.
inline Model with_objectives(Model model) {
  const std::string place = model.bodies.back().name + ".com";
  model.sensors.push_back({"seen_at", "position", place});
  model.sensors.push_back({"seen_moving", "velocity", place});
  model.sensors.push_back({"seen_pushed", "acceleration", place});
  model.sensors.push_back({"seen_energy", "energy", "total"});
  const auto add = [&](const char* name, ObjectiveKind kind, const char* expression) {
    model.objectives.push_back({name, kind, expression, "", ""});
  };
  add("way", ObjectiveKind::integral, "dot(seen_at, seen_at) + t*dot(seen_moving, [1, 0.5, -0.3])");
  add("push", ObjectiveKind::integral, "1e-2*dot(seen_pushed, seen_pushed) + seen_energy");
  add("end", ObjectiveKind::terminal, "dot(seen_at, [1, 2, -0.5]) + dot(seen_moving, seen_moving)");
  return model;
}

// Signs of zeros may differ.
inline void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_FALSE(a.empty());
  EXPECT_TRUE(a == b);
}

// One design takes the way of the run before, much of which is known by then. What the lanes of a
// pack take together are many ways, and which of them were learnt depends on the time that is left.
inline void expect_programmed(const StepCounts& before, const StepCounts& after,
                              std::size_t designs) {
  EXPECT_GT(after.programmed, 0u);
  const std::size_t programmed = after.programmed - before.programmed,
                    missed = after.missed - before.missed;
  EXPECT_TRUE(designs > 1 || 4 * programmed > missed)
      << programmed << " of " << programmed + missed;
}

// Runs until no steps are news, at most so often. Returns the counts.
inline StepCounts expect_same_numbers(const Model& model, const Options& options,
                                      Sensitivity sensitivity, std::size_t designs = 1,
                                      int most_runs = 4) {
  Options asked = options;
  asked.designs.count = designs;
  asked.designs.spread = designs > 1 ? 0.01 : 0.0;
  Specialised specialised(model, asked, sensitivity);
  MotionRequest request = specialised.request;
  request.workshop = nullptr;
  const MotionOutcome general = run_on_host(request, 1);
  StepCounts before;
  for (int k = 0; k < most_runs; ++k) {
    SCOPED_TRACE("run " + std::to_string(k));
    if (k > 0) before = specialised.steps()->counts();
    const MotionOutcome outcome = specialised.go();
    specialised.steps()->settle({});
    EXPECT_EQ(outcome.status, general.status);
    expect_same(outcome.objectives, general.objectives);
    if (sensitivity != Sensitivity::none) expect_same(outcome.gradient, general.gradient);
    expect_same(outcome.violation, general.violation);
    expect_same(outcome.iterations, general.iterations);
    expect_same(outcome.steps, general.steps);
    EXPECT_EQ(outcome.recomputation, general.recomputation);
    EXPECT_EQ(outcome.recomputation > 0.0, options.memory > 0);
  }
  const StepCounts counts = specialised.steps()->counts();
  EXPECT_EQ(counts.obstacle, "");
  expect_programmed(before, counts, designs);
  if (is_adjoint(sensitivity) && request.formulation->has_stages) {
    EXPECT_TRUE(specialised.steps()->are_ready(step_back));
  }
  return counts;
}

// What the environment names as the compiler, while this lives.
struct NamedCompiler : Setting {
  explicit NamedCompiler(const std::string& name) : Setting("GRADUS_CC", name) {}
};

// One that does not optimise, which takes a third of the time; by clang a sixth.
class QuickCompiler {
 public:
  QuickCompiler()
      : script_(testing::TempDir() + "/compiler_" + std::to_string(getpid()) + "_" +
                std::to_string(count++)),
        named_(written(script_)) {}
  QuickCompiler(const QuickCompiler&) = delete;
  QuickCompiler& operator=(const QuickCompiler&) = delete;
  ~QuickCompiler() { std::filesystem::remove(script_); }

 private:
  static std::string written(const std::string& script) {
    std::ofstream(script) << "#!/bin/sh\nfor word; do shift; [ \"$word\" = -O1 ] && word=-O0\n"
                             "  set -- \"$@\" \"$word\"\ndone\n"
                             "exec \"$(command -v clang || echo cc)\" \"$@\"\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return script;
  }

  static inline int count = 0;
  std::string script_;
  NamedCompiler named_;
};

}  // namespace gradus::specialise
