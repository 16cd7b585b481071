// Constraints that depend on each other only where the motion begins, or cannot hold for long: the
// design fails, with the constraint and the time.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"

namespace gradus::derivative {
namespace {

struct Contradiction {
  Model model;
  const char* name;  // of what is to blame
  double begins;     // s, when it cannot hold any more
};

Body bar(const std::string& name, double length) {
  return make_body(name, length, {0.5 * length, 0, 0}, {0.01, 0.1, 0.1, 0, 0, 0},
                   {{"tip", {length, 0, 0}}});
}

Constraint driver(const std::string& name, const std::string& expression) {
  Constraint constraint;
  constraint.name = name;
  constraint.type = "expression";
  constraint.value = expression;
  return constraint;
}

Model pendulum() {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {bar("bar", 1.0)};
  model.joints = {make_guess("hinge", JointType::revolute, "ground", "bar", {0, 0, 1}, 0.0)};
  model.sensors = {{"turn", "coordinate", "hinge"}, {"tip", "position", "bar.tip"}};
  model.analysis.duration = 1.0;
  model.analysis.step = 0.002;
  return model;
}

Contradiction drivers_that_part() {
  Model model = pendulum();
  model.name = "drivers that part";
  model.constraints = {driver("one", "turn - t"), driver("two", "turn - t - 5*max(t-0.5, 0)")};
  return {model, "two", 0.5};
}

// The same, stated on a scale of its own.
Contradiction small_drivers() {
  Model model = pendulum();
  model.name = "drivers on different scales";
  model.constraints = {driver("one", "turn - t"), driver("two", "1e-4*(turn - t - max(t-0.5, 0))")};
  return {model, "two", 0.5};
}

// Of points that part where they are asked to be together, beside a driver.
Contradiction drivers_of_points() {
  Model model = pendulum();
  model.name = "drivers of points";
  model.constraints = {driver("turn", "turn - sin(t)"), driver("height", "tip.y - sin(t)")};
  return {model, "height", 0.0};
}

// Two rods between the same points, one of which grows.
Contradiction growing_rod() {
  Model model = pendulum();
  model.name = "growing rod";
  model.bodies.push_back(bar("second", 1.0));
  model.joints.push_back(
      make_guess("elbow", JointType::revolute, "bar.tip", "second", {0, 0, 1}, 1.0));
  model.joints[0].start[0] = {0.3, 0.0, false, false};
  for (const char* name : {"first", "copy"}) {
    Constraint rod;
    rod.name = name;
    rod.type = "distance";
    rod.first = "ground";
    rod.second = "second.tip";
    rod.value = std::string(name) == "first" ? "1.5" : "1.5 + 0.3*max(t-0.25, 0)^2";
    model.constraints.push_back(rod);
  }
  return {model, "copy", 0.25};
}

struct Way {
  const char* formulation;
  const char* integrator;
  const char* projections;
  const char* stabilisation;
};

TEST(Contradictions, FailWithNameAndTime) {
  const std::vector<Way> ways{{"ali3p", "newmark", "exact", "projection"},
                              {"ali3p", "newmark", "none", "projection"},
                              {"ali3p", "generalised-alpha", "penalty", "projection"},
                              {"matrix-r", "rk4", "exact", "projection"},
                              {"matrix-r", "radau5", "exact", "projection"},
                              {"index1", "dop853", "exact", "projection"},
                              {"index1", "rk4", "exact", "none"},
                              {"index1", "rk4", "exact", "baumgarte"},
                              {"penalty", "dop853", "exact", "projection"}};
  for (const Contradiction& contradiction :
       {drivers_that_part(), drivers_of_points(), growing_rod(), small_drivers()})
    for (const Way& way : ways)
      for (const char* backend : {"cpu:1", "debug"}) {
        SCOPED_TRACE(contradiction.model.name + ", " + way.formulation + ", " + way.integrator +
                     ", " + way.projections + ", " + way.stabilisation + ", " + backend);
        Options options;
        options.backend = backend;
        options.formulation = way.formulation;
        options.integrator = way.integrator;
        options.projections = way.projections;
        options.stabilisation = way.stabilisation;
        const Result result = simulate(contradiction.model, options);
        ASSERT_FALSE(result.all_ok()) << result.constraint_violation[0];
        EXPECT_GE(result.status[0].time, contradiction.begins);
        EXPECT_LT(result.status[0].time, contradiction.begins + 0.4);
        EXPECT_EQ(
            result.status[0].message.find("the equations of \"" + std::string(contradiction.name) +
                                          "\" stopped holding"),
            0U)
            << result.status[0].message;
      }
}

// Differences blame what the neighbour violates, not what held most loosely at the design itself.
TEST(Contradictions, OfNeighboursAreNamed) {
  Model model = drivers_that_part().model;
  model.parameters = {make_parameter("apart", 0.0)};
  model.constraints[1].value = "turn - t - 1e4*apart*max(t-0.5, 0)";
  model.objectives = {{"turned", ObjectiveKind::integral, "turn^2", "", ""}};
  Options options;
  options.method = "finite-difference";
  EXPECT_TRUE(simulate(model, options).all_ok());
  const Result result = gradient(model, options);
  ASSERT_FALSE(result.all_ok());
  EXPECT_GE(result.status[0].time, 0.5);
  EXPECT_NE(result.status[0].message.find("the equations of \"two\" stopped holding"),
            std::string::npos)
      << result.status[0].message;
}

}  // namespace
}  // namespace gradus::derivative
