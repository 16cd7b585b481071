// Places the arrays of a design in its block of memory.
#include "src/plan/layout.hpp"

#include <algorithm>
#include <initializer_list>

namespace gradus {
namespace {

class Allocator {
 public:
  // Every array in `arrays` gets `count` scalars.
  void place(int count, std::initializer_list<int*> arrays) {
    for (int* array : arrays) {
      *array = size_;
      size_ += count;
    }
  }
  int size() const { return size_; }

 private:
  int size_ = 0;
};

void place_motion(Allocator& a, const kernels::PlanView& p, kernels::MotionLayout& m) {
  a.place(6 * p.body_count, {&m.velocity, &m.acceleration});
  a.place(6 * p.coordinate_count, {&m.axis_rate, &m.axis_acceleration});
  a.place(3 * p.feature_count, {&m.feature_velocity, &m.feature_acceleration});
}

void place_load(Allocator& a, const kernels::PlanView& p, kernels::LoadLayout& load) {
  a.place(6 * p.body_count, {&load.wrench});
  a.place(3 * p.body_count, {&load.force});
  a.place(9 * p.body_count, {&load.virial});
  a.place(3 * p.coordinate_count, {&load.turning});
}

void place_state(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  a.place(p.coordinate_count,
          {&l.position, &l.velocity, &l.acceleration, &l.free_velocity, &l.free_acceleration,
           &l.predicted_position, &l.predicted_velocity, &l.predicted_acceleration, &l.correction,
           &l.earlier_correction, &l.velocity_change, &l.acceleration_change});
  a.place(p.constraint_rows, {&l.multiplier, &l.earlier_multiplier, &l.velocity_multiplier,
                              &l.acceleration_multiplier});
}

void place_kinematics(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  a.place(9 * p.body_count, {&l.rotation});
  a.place(3 * p.body_count, {&l.origin, &l.joint_point, &l.reference});
  a.place(6 * p.coordinate_count, {&l.axis});
  a.place(3 * p.feature_count, {&l.feature});
  place_motion(a, p, l.free_motion);
  place_motion(a, p, l.motion);
  a.place(6 * p.body_count, {&l.velocity_change_rate, &l.acceleration_change_rate});
  a.place(6 * p.coordinate_count, {&l.velocity_change_axis, &l.acceleration_change_axis});
}

void place_composites(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  a.place(p.body_count, {&l.mass});
  a.place(3 * p.body_count, {&l.moment, &l.momentum});
  a.place(6 * p.body_count, {&l.inertia, &l.sub_tree_momentum});
  a.place(9 * p.body_count, {&l.turning_inertia});
  place_load(a, p, l.load);
  place_load(a, p, l.velocity_load);
  place_load(a, p, l.acceleration_load);
  a.place(6 * p.coordinate_count, {&l.axis_momentum});
  a.place(3 * p.coordinate_count, {&l.axis_gyration});
}

void place_matrices(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  const int n = p.coordinate_count;
  const int m = p.constraint_rows;
  const int free = p.independent_count;
  const int rank = p.constraint_rank;
  a.place(n * n, {&l.mass_matrix, &l.stiffness, &l.damping, &l.velocity_stiffness,
                  &l.acceleration_stiffness, &l.position_matrix, &l.product});
  a.place(m, {&l.constraint, &l.constraint_rate, &l.constraint_acceleration, &l.pivot, &l.bottom,
              &l.multiplier_change});
  a.place(m * n, {&l.jacobian, &l.jacobian_rate, &l.jacobian_acceleration, &l.reflected});
  a.place(n * rank, {&l.range});
  a.place(n * free, {&l.null_space});
  a.place(rank * rank, {&l.triangle});
  a.place(free * free, {&l.position_factor, &l.mass_factor, &l.kinematic_factor});
  a.place(free, {&l.position_pivot, &l.mass_pivot, &l.kinematic_pivot});
  a.place(n, {&l.top, &l.solution});
  a.place(2 * n, {&l.scratch});
}

void place_columns(Allocator& a, const kernels::PlanView& p, kernels::Layout& l,
                   bool with_columns) {
  const int columns = with_columns ? p.parameter_count : 0;
  const int n = p.coordinate_count * columns;
  const int m = p.constraint_rows * columns;
  a.place(with_columns ? p.direction_count : 0, {&l.direction});
  for (int& set : l.columns) a.place(n, {&set});
  for (int stage = 0; stage < 3; ++stage) {
    a.place(n, {&l.residual_partial[stage]});
    a.place(m, {&l.constraint_partial[stage]});
  }
  a.place(n, {&l.start_partial[0], &l.start_partial[1], &l.column_top});
  a.place(m, {&l.column_bottom});
  a.place(2 * n, {&l.column_scratch});
  a.place(p.objective_count * columns, {&l.objective_gradient});
}

void place_objectives(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  const int instructions =
      std::max(p.slot_program.instruction_count, p.objective_program.instruction_count);
  a.place(p.signal_count, {&l.signal});
  a.place(instructions, {&l.program_value, &l.program_adjoint});
  a.place(p.parameter_count + 1 + p.signal_count, {&l.signal_adjoint});
  a.place(3 * p.coordinate_count, {&l.objective_rows, &l.energy_rows});
  a.place(p.objective_count, {&l.objective_value});
  a.place(3, {&l.violation});
  a.place(1, {&l.iterations});
}

}  // namespace

kernels::Layout make_layout(const kernels::PlanView& plan, bool with_columns) {
  kernels::Layout layout{};
  Allocator allocator;
  allocator.place(plan.parameter_count, {&layout.parameter});  // first: the host writes it
  allocator.place(plan.slot_count, {&layout.slot});
  place_state(allocator, plan, layout);
  place_kinematics(allocator, plan, layout);
  place_composites(allocator, plan, layout);
  place_matrices(allocator, plan, layout);
  place_columns(allocator, plan, layout, with_columns);
  place_objectives(allocator, plan, layout);
  layout.size = allocator.size();
  return layout;
}

}  // namespace gradus
