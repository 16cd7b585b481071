// The plan: a model compiled once to flat arrays, the same for all designs.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/result.hpp"
#include "kernels/core/plan_view.hpp"
#include "src/model/graph.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/plan/exact_integrals.hpp"
#include "src/plan/extension.hpp"
#include "src/plan/time_laws.hpp"

namespace gradus {

enum class Reference { rtdyn0, rtdyn1 };

template <class Array>
using EntryOf = std::remove_const_t<std::remove_pointer_t<Array>>;

// Owns what a PlanView shows, and the names behind the numbers.
struct Plan : kernels::PlanNumbers {
#define GRADUS_ARRAY(TYPE, NAME, COUNT) \
  std::vector<EntryOf<decltype(kernels::PlanView::NAME)>> NAME;
  GRADUS_PLAN_ARRAYS(GRADUS_ARRAY)
#undef GRADUS_ARRAY
#define GRADUS_PROGRAM(NAME) expression::Program NAME;
  GRADUS_PLAN_PROGRAMS(GRADUS_PROGRAM)
#undef GRADUS_PROGRAM

  TimeLaws time_laws;
  ExactIntegrals exact_integrals;
  std::vector<HeldRow> held_rows;  // at the start
  std::vector<HeldRow> guesses;    // what may be held besides, if the constraints leave it free
  // Of the held rows those whose rates follow from nonholonomic constraints at the start.
  std::vector<HeldRow> released_rows;
  Reference reference = Reference::rtdyn0;
  std::size_t joint_starts = 0;  // the last of the constraints, start values of joints that are cut
  std::size_t stated_objectives = 0;  // rows of the model's own; those of extensions follow

  std::vector<double> nominal;               // [parameter] values the model states
  std::vector<std::string> parameter_names;  // of the model, before those of extensions
  std::vector<std::string> body_names;       // in tree order
  std::vector<std::string> joint_names;      // joint i carries body i
  std::vector<NamedUnit> coordinate_names;
  std::vector<NamedUnit> signal_names;
  std::vector<std::string> sensor_names;
  std::vector<NamedUnit> objective_names;
  std::vector<std::string> law_names;         // [law] what it belongs to
  std::vector<std::string> followed_states;   // states that constraints read
  std::vector<std::string> constraint_names;  // [constraint] loops, constraints, joints
  std::vector<int> shown_normals;  // constraints that keep what rolls, whose forces sensors show
  std::vector<std::vector<std::string>>
      spline_owners;                       // [spline] the laws or objectives that have it
  std::vector<std::string> partial_names;  // [partial] what it changes, for people

  // "tyre", or of one that several have alike: "front tyre, rear tyre and 2 more".
  std::string spline_name(std::size_t spline) const;
  // What a law of an algebraic unknown belongs to: the force "brake", the state "s".
  std::string unknown_name(int law) const;
  // Whether a body has position and Euler parameters of its own; the ground, -1, counts as such.
  bool has_own_coordinates(int body) const {
    if (body < 0) return true;
    const kernels::BodyEntry& entry = bodies[static_cast<std::size_t>(body)];
    return entry.parent < 0 && entry.joint == kernels::JointKind::floating;
  }
  // Numbers that sensors show; kernels have more signals behind them where laws read accelerations
  // that no sensor of the model shows.
  int shown_signals() const {
    return static_cast<int>(signal_names.size());
  }
  int coordinate_count() const {
    return static_cast<int>(coordinates.size());
  }
  int parameter_count() const {
    return static_cast<int>(nominal.size());
  }
  // Degrees of freedom of the motion, and the rank of what ties it.
  int independent_count() const {
    return static_cast<int>(held.size()) + start_rows;
  }
  int constraint_rank() const {
    return coordinate_count() - independent_count();
  }
  // Holds these rows as well.
  void hold(const std::vector<HeldRow>& rows);
  // With what holds at the start only; kernels::after_start() makes that of the motion.
  kernels::PlanView view() const;
};

// Sorts the directions that follow from slots by these.
void order_directions(Plan& plan);

// Whether a coordinate's rate is the size of an impulse, which is no number of the motion.
inline bool is_impulse(const Plan& plan, int coordinate) {
  return std::any_of(plan.events.begin(), plan.events.end(),
                     [&](const auto& event) { return event.impulse == coordinate; });
}

// Compiles a valid model and what extends it. Along a direction, the plan has the parameters of the
// model, then those of the direction and one more, at zero, whose derivatives are along it. Throws
// InputError if held coordinates and loops cannot fit together, and for extensions.
Plan build_plan(const Model& model, Reference reference, const std::string& origin = "model",
                const Extension& extension = {});
// The same of what takes the place of the model: its spanning tree, or the bodies by themselves.
Plan build_plan(SpanningTree tree, Reference reference, const std::string& origin = "model",
                const Extension& extension = {});

}  // namespace gradus
