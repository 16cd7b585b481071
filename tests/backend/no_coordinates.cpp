// Where everything is fixed nothing moves, and derivatives are those of the numbers alone.
#include <gtest/gtest.h>

#include "gradus/gradus.hpp"
#include "src/motion/formulation.hpp"

namespace gradus::test {
namespace {

Model fixed_body() {
  Body body;
  body.name = "block";
  body.mass = "m";
  body.com = {"0", "0", "0"};
  body.inertia.xx = body.inertia.yy = body.inertia.zz = "1";
  body.points = {{"end", {"3", "0", "0"}}};
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::fixed;
  weld.parent = "ground";
  weld.child = "block";
  Model model;
  model.parameters = {{"m", 2.0, "kg", {}, ""}};
  model.bodies = {body};
  model.joints = {weld};
  model.sensors = {{"end", "position", "block.end"}};
  model.objectives = {{"sum", ObjectiveKind::integral, "m^2*end.x", "", ""}};
  model.analysis.duration = 0.1;
  model.analysis.step = 0.01;
  return model;
}

TEST(NoCoordinates, EveryMethodOfEveryFormulation) {
  for (const FormulationTraits& traits : formulations())
    for (const char* backend : {"cpu:1", "debug"})
      for (const char* method : {"direct", "adjoint", "dual"}) {
        if (std::string(method) == "dual" && std::string(backend) == "debug") continue;
        SCOPED_TRACE(std::string(traits.name) + ", " + backend + ", " + method);
        Options options;
        options.formulation = traits.name;
        options.backend = backend;
        options.method = method;
        options.designs.values = {2.0, 5.0};
        const Result result = gradient(fixed_body(), options);
        ASSERT_TRUE(result.all_ok()) << result.status[0].message;
        EXPECT_NEAR(result.objective_values[0], 1.2, 1e-14);
        EXPECT_NEAR(result.gradient[0], 1.2, 1e-14);
        EXPECT_NEAR(result.gradient[1], 3.0, 1e-14);
      }
}

}  // namespace
}  // namespace gradus::test
