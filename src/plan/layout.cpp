// Places the arrays of a design in its block of memory.
#include "src/plan/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include "gradus/error.hpp"
#include "kernels/core/arguments.hpp"

namespace gradus {
namespace {

// Counts of scalars, whose products do not overflow.
using Count = std::int64_t;

class Allocator {
 public:
  // Every array in `arrays` gets `count` scalars. Kernels know offsets as int.
  void place(Count count, std::initializer_list<int*> arrays) {
    for (int* array : arrays) {
      *array = static_cast<int>(size_);
      skip(count);
    }
  }
  void skip(Count count) {
    constexpr Count kMost = std::numeric_limits<int>::max();
    if (count > kMost - size_)
      throw InputError("model: a design would take more than " + std::to_string(kMost) +
                       " numbers (bodies, objectives and parameters multiply), leave out what is "
                       "not needed");
    size_ += count;
  }
  int size() const { return static_cast<int>(size_); }

 private:
  Count size_ = 0;
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
  a.place(p.coordinate_count, {&load.direct});
}

// Scratch of what columns ask of laws too.
void place_laws(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  a.place(p.law_count > 0 ? 2 * p.coordinate_count : 0, {&l.law_slopes});
  a.place(law_scratch_size(p), {&l.law_scratch});
}

void place_algebraic(Allocator& a, const kernels::PlanView& p, kernels::AlgebraicLayout& s,
                     Count widest_columns, bool has_columns, bool has_steps) {
  const Count k = p.algebraic_count;
  if (k == 0) return;
  const Count n = p.coordinate_count;
  a.place(k, {&s.value, &s.step, &s.size, &s.counts, &s.pivot, &s.diagonal, &s.adjoint, &s.worth,
              &s.own_pivot, &s.bordered_pivot});
  a.place(p.action_count, {&s.share});
  a.place(k * n, {&s.load, &s.response});
  a.place(k * p.constraint_rows, {&s.multiplier_response});
  a.place(n, {&s.base_acceleration});
  a.place(p.constraint_rows, {&s.base_multiplier});
  a.place(p.signal_count, {&s.base_signal});
  a.place(k * p.signal_count, {&s.gain});
  a.place(k * k, {&s.matrix, &s.own, &s.bordered});
  a.place(k * p.widest_law, {&s.slope});
  a.place(k * (n + p.constraint_rows), {&s.undo});
  int largest = 0;
  for (int i = 0; i < p.sensor_count; ++i) largest = std::max(largest, p.sensors[i].size);
  a.place(largest, {&s.unit});
  a.place(3 * k * n, {&s.row});
  a.place(has_columns ? k * p.column_count : 0, {&s.partial});
  a.place(k * widest_columns, {&s.columns});
  a.place(1, {&s.of_step});
  if (!has_steps) return;
  a.place(p.coordinate_count * k, {&s.by_acceleration});
  a.place(p.constraint_rows, {&s.kept_multiplier});
  a.place(k * p.objective_count, {&s.step_worth});
}

void place_start_slip(Allocator& a, const kernels::PlanView& p, kernels::StartSlipLayout& s) {
  const Count k = p.rate_law_count;
  const Count n = p.coordinate_count;
  a.place(2 * k * n, {&s.row});
  a.place(k * n, {&s.response});
  a.place(k * k, {&s.matrix});
  a.place(k, {&s.pivot, &s.step});
}

void place_splines(Allocator& a, const kernels::PlanView& p, kernels::Layout& l,
                   Sensitivity sensitivity) {
  a.place(p.polynomial_numbers, {&l.polynomial});
  a.place(2 * Count{p.spline_count}, {&l.extrapolation});
  a.place(sensitivity == Sensitivity::none ? 0 : 8 * Count{p.most_polynomials},
          {&l.polynomial_scratch});
}

void place_state(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  a.place(p.coordinate_count,
          {&l.position, &l.velocity, &l.acceleration, &l.free_velocity, &l.free_acceleration,
           &l.predicted_position, &l.predicted_velocity, &l.predicted_acceleration, &l.correction,
           &l.earlier_correction, &l.algorithmic, &l.velocity_change, &l.acceleration_change});
  a.place(p.constraint_rows, {&l.multiplier, &l.earlier_multiplier, &l.velocity_multiplier,
                              &l.acceleration_multiplier});
  a.place(1, {&l.time});
}

void place_kinematics(Allocator& a, const kernels::PlanView& p, kernels::Layout& l) {
  a.place(9 * p.body_count, {&l.rotation});
  a.place(3 * p.body_count, {&l.origin, &l.joint_point, &l.reference});
  a.place(6 * p.coordinate_count, {&l.axis});
  a.place(3 * p.feature_count, {&l.feature});
  a.place(p.line_count, {&l.line_length, &l.inverse_line_length});
  a.place(3 * p.line_count, {&l.line_direction});
  l.line_column = a.size();
  for (int k = 0; k < p.line_count; ++k)
    a.skip(3 * Count{p.lines[k].touch_end - p.lines[k].touch_begin});
  a.place(kernels::kPoseNumbers * p.pose_count, {&l.pose});
  a.place(3 * p.pose_count, {&l.pose_line});
  a.place(3 * kernels::kPoseNumbers * p.pose_count, {&l.pose_direction});
  l.pose_column = a.size();
  for (int k = 0; k < p.pose_count; ++k)
    a.skip(6 * Count{p.poses[k].touch_end - p.poses[k].touch_begin});
  a.place(p.action_count, {&l.action_size});
  a.place(p.action_count > 0 ? p.law_input_count : 0, {&l.action_slope});
  a.place(p.action_count > 0 && kernels::shows_reactions(p) ? 2 * Count{p.touch_count} : 0,
          {&l.size_slope});
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

void place_matrices(Allocator& a, const kernels::PlanView& p, kernels::Layout& l,
                    const Extras& extras) {
  const Count n = p.coordinate_count;
  const Count m = p.constraint_rows;
  const Count free = p.independent_count + p.start_rows;  // of the motion
  const Count rank = p.constraint_rank;                   // of the start
  a.place(n * n, {&l.mass_matrix, &l.stiffness, &l.damping, &l.velocity_stiffness,
                  &l.acceleration_stiffness, &l.position_matrix, &l.product, &l.held_rate});
  a.place(m, {&l.constraint, &l.constraint_rate, &l.constraint_acceleration, &l.constraint_time,
              &l.pivot, &l.bottom, &l.multiplier_change});
  a.place(m * n, {&l.jacobian, &l.jacobian_rate, &l.jacobian_acceleration, &l.reflected});
  a.place(p.split_step_count > 0 ? 2 * rank : 0, {&l.reflection});
  a.place(p.split_step_count > 0 ? 1 : 0, {&l.poor_split});
  a.place(n * rank, {&l.range});
  a.place(n * free, {&l.null_space});
  a.place(rank * rank, {&l.triangle});
  a.place(free * free, {&l.position_factor, &l.mass_factor, &l.kinematic_factor});
  a.place(free, {&l.held, &l.position_pivot, &l.mass_pivot, &l.kinematic_pivot});
  a.place(n, {&l.top, &l.solution, &l.gathered_row, &l.closure_position, &l.factor_position});
  a.place(2 * n + m, {&l.scratch});
  a.place(2, {&l.skipped});
  a.place(extras.reduced ? free * free : 0, {&l.reduced});
  const Count saddle = extras.saddle ? n + m : 0;
  a.place(saddle * saddle, {&l.saddle});
  a.place(saddle, {&l.saddle_pivot});
}

// Columns per parameter, or rows per objective.
Count carried_width(const kernels::PlanView& p, Sensitivity sensitivity) {
  if (sensitivity == Sensitivity::none) return 0;
  return sensitivity == Sensitivity::direct ? p.column_count : p.objective_count;
}

void place_columns(Allocator& a, const kernels::PlanView& p, kernels::Layout& l,
                   Sensitivity sensitivity, const kernels::TableauView& tableau) {
  const Count width = carried_width(p, sensitivity);
  const Count partials = sensitivity == Sensitivity::direct ? p.column_count : 0;
  const Count n = p.coordinate_count * width;
  const bool jacobians =
      tableau.implicit != 0 || (tableau.stages > 0 && sensitivity == Sensitivity::continuous);
  const Count units = jacobians ? 2 * p.coordinate_count : 0;
  const bool has_steps = tableau.stages == 0;  // of ali3p, which solves for rows of unknowns
  const Count unknowns = has_steps ? p.algebraic_count : 0;
  const Count widest = std::max({width, units, unknowns});
  place_algebraic(a, p, l.algebraic, widest, partials > 0, has_steps);
  for (int& set : l.columns) a.place(n, {&set});
  a.place(p.rate_law_count * partials, {&l.start_slip.partial});
  a.place(p.rate_law_count * width, {&l.start_slip.columns});
  for (int& set : l.residual_partial) a.place(p.coordinate_count * partials, {&set});
  for (int& level : l.constraint_partial) a.place(p.constraint_rows * partials, {&level});
  a.place(p.coordinate_count * widest, {&l.column_top});
  a.place(p.constraint_rows * widest, {&l.column_bottom});
  a.place((2 * p.coordinate_count + p.constraint_rows) * widest, {&l.column_scratch});
  for (int& set : l.jacobian_columns) a.place(p.coordinate_count * units, {&set});
  const bool direct = sensitivity == Sensitivity::direct;
  const Count matrices = direct ? Count{p.least_squares_count} * p.column_count : 0;
  a.place(sensitivity == Sensitivity::none ? 0 : (p.objective_count + matrices) * p.column_count,
          {&l.objective_gradient});
  a.place(matrices > 0 ? p.column_count : 0, {&l.residual_gradient});
  a.place(direct ? Count{p.search_count} * kernels::kSearchPlaces * p.column_count : 0,
          {&l.search.sample_gradient});
}

void place_costates(Allocator& a, const kernels::PlanView& p, kernels::CostateLayout& s,
                    Sensitivity sensitivity, const kernels::TableauView& tableau) {
  if (sensitivity != Sensitivity::continuous) return;
  const Count size = 2 * p.coordinate_count;
  a.place(size * p.objective_count, {&s.rows});
  a.place(p.independent_count + p.start_rows, {&s.held});
  a.place(Count{p.constraint_rows} * p.objective_count, {&s.gap});
  if (tableau.stages == 0) return;
  a.place(size * p.objective_count, {&s.instant});
  a.place(size * size, {&s.matrix});
  a.place(size, {&s.pivot});
}

void place_elements(Allocator& a, const kernels::PlanView& p, kernels::ElementLayout& e,
                    Sensitivity sensitivity) {
  if (!is_adjoint(sensitivity)) return;
  const bool pools = pools_elements(p, sensitivity);
  const int slots = p.objective_count + (pools ? 1 : 0);
  a.place(Count{slots} * p.element_size, {&e.gradient});
  if (pools) a.place(Count{p.objective_count} * p.element_size, {&e.pooled});
  if (pools) a.place(p.objective_count, {&e.touched});
  a.place(p.coordinate_count, {&e.row});
  a.place(p.constraint_rows, {&e.constraint_row[0], &e.constraint_row[1], &e.constraint_row[2]});
  a.place(6 * p.body_count,
          {&e.moved, &e.free_force[0], &e.free_force[1], &e.force[0], &e.force[1], &e.force[2]});
  a.place(12 * p.body_count, {&e.inner, &e.outer});
  int longest = 1;
  for (int k = 0; k < p.element_count; ++k) longest = std::max(longest, p.elements[k].count);
  a.place(longest, {&e.unit});
  kernels::FeatureLayout& f = e.features;
  f.begin = a.size();
  a.place(3 * p.feature_count, {&f.free_feature[0], &f.free_feature[1], &f.feature[0],
                                &f.feature[1], &f.feature[2], &f.own_feature});
  a.place(3 * p.body_count, {&f.free_turn, &f.turn, &f.free_twist, &f.twist});
  a.place(p.law_input_count, {&f.law_slot});
  f.size = a.size() - f.begin;
  a.skip(Count{std::max(slots, 1) - 1} * f.size);
}

// Normalisations alone are independent of each other wherever they hold.
bool ties_anything(const kernels::PlanView& p) {
  return std::any_of(p.constraints, p.constraints + p.constraint_count,
                     [](const kernels::ConstraintEntry& constraint) {
                       return constraint.kind != kernels::ConstraintKind::normalisation;
                     });
}

bool follows_states(const kernels::PlanView& p) {
  return std::any_of(p.coordinates, p.coordinates + p.coordinate_count,
                     [](const kernels::CoordinateEntry& c) { return c.start_rate >= 0; });
}

void place_watch(Allocator& a, const kernels::PlanView& p, kernels::WatchLayout& w) {
  const Count rank = ties_anything(p) ? p.constraint_rank : 0;
  a.place(1, {&w.time, &w.known, &w.reversed, &w.least});
  const bool is_sparse = p.split_step_count > 0;
  const Count spanned = is_sparse ? p.split_free_count : rank;
  Count compared = spanned;
  for (int g = 0; g < p.row_group_count; ++g)
    compared = std::max(compared, Count{p.row_groups[g].rows});
  a.place(spanned * p.coordinate_count, {&w.basis, &w.now});
  a.place(rank, {&w.rows});
  a.place(is_sparse ? 2 : 0, {&w.orientation});
  a.place(is_sparse ? rank * p.coordinate_count : 0, {&w.vectors});
  a.place(is_sparse ? 2 * rank : 0, {&w.factors});
  a.place(compared, {&w.pivot});
  a.place(compared * compared, {&w.product});
  if (follows_states(p)) a.place(kernels::kRateNumbers * Count{p.state_count}, {&w.rates});
  if (p.row_group_count == 0) return;
  const kernels::RowGroupEntry& last = p.row_groups[p.row_group_count - 1];
  a.place(last.row_begin + last.rows, {&w.group_rows});
  a.place(last.number_begin + Count{last.rows} * last.columns, {&w.group_numbers});
  a.place(p.row_group_count, {&w.group_known});
}

void place_objectives(Allocator& a, const kernels::PlanView& p, kernels::Layout& l,
                      bool records_columns) {
  const int instructions =
      std::max(p.slot_program.instruction_count, p.objective_program.instruction_count);
  a.place(p.signal_count, {&l.signal});
  a.place(instructions, {&l.program_value, &l.program_adjoint});
  const Count objectives = std::max(p.objective_count, 1);  // sensors use the room of one
  a.place(objectives * (p.parameter_count + 1 + p.signal_count + p.objective_spline_count),
          {&l.signal_adjoint});
  const bool reactions = p.uses_reactions != 0 || (records_columns && shows_reactions(p));
  a.place(objectives * (reactions ? 5 : 3) * p.coordinate_count, {&l.objective_rows});
  a.place(reactions ? p.constraint_rows : 0, {&l.reaction_multiplier});
  a.place(reactions ? p.coordinate_count : 0, {&l.virtual_motion});
  a.place(reactions ? p.coordinate_count + p.constraint_rows : 0, {&l.penalty_motion});
  a.place(3 * p.coordinate_count, {&l.energy_rows});
  a.place(p.objective_count, {&l.objective_value, &l.objective_history});
  a.place(3, {&l.violation});
  place_watch(a, p, l.watch);
  a.place(1, {&l.regularity, &l.risen, &l.most_regular, &l.blamed, &l.passage, &l.jump,
              &l.stiff_since, &l.iterations, &l.steps, &l.rejected_steps});
}

void place_search(Allocator& a, const kernels::PlanView& p, kernels::SearchLayout& s) {
  const Count searches = p.search_count;
  if (searches == 0) return;
  a.place(searches, {&s.count, &s.edge, &s.side, &s.nothing, &s.passages, &s.improved});
  a.place(searches * kernels::kSearchPlaces, {&s.time, &s.sample, &s.choice, &s.weight, &s.instant,
                                              &s.settled_weight, &s.settled_instant});
  a.place(1, {&s.fine_step, &s.fine_end});
}

void place_integrator(Allocator& a, const kernels::PlanView& p, kernels::IntegratorLayout& s,
                      Sensitivity sensitivity, const kernels::TableauView& tableau,
                      bool records_columns) {
  if (tableau.stages == 0) return;
  const Count n = p.coordinate_count;
  const Count columns = carried_width(p, sensitivity);
  a.place(1, {&s.time, &s.step, &s.error, &s.last_time, &s.mark, &s.whole, &s.part, &s.parts_done,
              &s.sampled, &s.recorded, &s.taken, &s.pending});
  a.place(4, {&s.stage_weights});
  a.place(n, {&s.position, &s.velocity, &s.acceleration, &s.last_position, &s.last_velocity,
              &s.last_acceleration});
  a.place(n * columns, {&s.position_columns, &s.velocity_columns});
  a.place(n * tableau.stages, {&s.stages});
  a.place(n * tableau.stages * columns, {&s.stage_columns});
  a.place(p.objective_count, {&s.integrand, &s.integral});
  const Count gradient = sensitivity == Sensitivity::direct
                             ? (p.objective_count + p.least_squares_count * columns) * columns
                             : 0;
  a.place(gradient, {&s.integrand_gradient, &s.integral_gradient});
  if (tableau.error_order > 0) {
    a.place(p.objective_count, {&s.course, &s.course_size, &s.course_reach});
    a.place(2 * p.objective_count, {&s.course_error});
    a.place(gradient, {&s.gradient_before});
    a.place(2 * gradient, {&s.gradient_error});
  }
  const bool controls_implicit = tableau.controls_implicit();
  a.place(records_columns || controls_implicit ? n * columns : 0, {&s.acceleration_columns});
  a.place(records_columns ? n * columns : 0,
          {&s.last_position_columns, &s.last_velocity_columns, &s.last_acceleration_columns});
  if (tableau.implicit == 0 && tableau.error_order > 0) {
    a.place(5, {&s.stretch_time});
    a.place(10 * n, {&s.stretch_state});
    a.place(1, {&s.stretch_steps, &s.stiff_stretches});
  }
  if (tableau.implicit == 0) return;
  if (tableau.linear != 0) {
    a.place(2 * n * n, {&s.base_jacobian});
    a.place(n * n, {&s.block_matrix});
    a.place(n, {&s.block_pivot, &s.time_slope, &s.increment});
    a.place(n * tableau.stages, {&s.evaluations});
    a.place(n * columns, {&s.increment_columns});
    a.place(1, {&s.last_length, &s.has_base_jacobian, &s.learned_length, &s.has_jacobian});
    return;
  }
  const Count unknown = (tableau.stages - tableau.known) * n;
  a.place(unknown * unknown, {&s.newton_matrix});
  a.place(unknown, {&s.newton_pivot, &s.newton_residual});
  a.place(unknown * columns, {&s.newton_columns});
  a.place(unknown * 2 * n, {&s.stage_jacobian});
  a.place(1, {&s.has_jacobian});
  if (!controls_implicit) return;
  a.place(unknown, {&s.last_stages, &s.block_pivot, &s.block_residual});
  a.place(1, {&s.last_length, &s.has_base_jacobian, &s.learned_length});
  a.place(2 * n * n, {&s.base_jacobian});
  a.place((2 * Count{tableau.stages} - 1) * n * n, {&s.block_matrix});
  a.place(n, {&s.position_error, &s.velocity_error});
  a.place(n * columns, {&s.position_error_columns, &s.velocity_error_columns});
}

void place_articulated(Allocator& a, const kernels::PlanView& p, kernels::ArticulatedLayout& s,
                       const kernels::TableauView& tableau) {
  if (tableau.stages == 0) return;
  a.place(21 * p.body_count, {&s.inertia});
  a.place(6 * p.coordinate_count, {&s.answer});
  a.place(p.coordinate_count, {&s.alone, &s.pivot});
  a.place(p.body_count, {&s.length, &s.growth});
}

void place_ties(Allocator& a, const kernels::PlanView& p, kernels::TieLayout& s) {
  const Count n = p.coordinate_count;
  const Count rows = p.tie_rows;
  const Count rank = kernels::tie_rank(p);
  s.closes = 1;
  a.place(rows * n, {&s.rows, &s.scaled, &s.free, &s.kept_rows});
  a.place(rows * rows, {&s.gram, &s.schur, &s.product});
  a.place(rank * rows, {&s.lower});
  a.place(rank * rank, {&s.block, &s.block_factor});
  a.place(rank, {&s.pivot, &s.order, &s.dependent, &s.block_pivot, &s.solved});
  a.place(rows, {&s.right, &s.multiplier, &s.kept_pivots, &s.product_pivot});
  a.place(n, {&s.mark, &s.line});
  a.place(p.body_count, {&s.leader});
  a.place(1, {&s.least, &s.kept_size});
}

// In directions of columns, or rows of objectives.
void place_events(Allocator& a, const kernels::PlanView& p, kernels::EventLayout& e,
                  Sensitivity sensitivity, bool logs) {
  if (p.event_count == 0) return;
  const Count n = p.coordinate_count;
  const Count wide = carried_width(p, sensitivity);
  Count resets = 0;
  for (int k = 0; k < p.event_count; ++k)
    resets = std::max(resets, Count{p.events[k].reset_end - p.events[k].reset_begin});
  a.place(1, {&e.pending});
  a.place(1, {&e.passed, &e.followed, &e.log_count});
  a.place(p.event_count, {&e.side, &e.due, &e.value, &e.rate, &e.terms, &e.end_value, &e.end_rate,
                          &e.end_terms, &e.scale, &e.rate_scale});
  a.place(1, {&e.chain, &e.chain_time, &e.last_time});
  a.place(kernels::kEventPoints * (1 + 3 * Count{p.event_count}), {&e.points});
  a.place(n, {&e.velocity, &e.acceleration, &e.new_position, &e.new_velocity, &e.new_acceleration,
              &e.response});
  a.place(2 * n, {&e.row, &e.closing_row});
  a.place(resets, {&e.next});
  a.place(resets * wide, {&e.next_columns});
  a.place(wide, {&e.shift, &e.change, &e.size});
  a.place(n * wide, {&e.position_rows, &e.velocity_rows, &e.response_rows});
  e.log_size = logs ? 256 : 0;
  a.place(2 * e.log_size, {&e.log});
}

// What kernels/stages/restore_step.hpp and kernels/integrators/step_state.hpp keep.
int record_size(const kernels::PlanView& p, const kernels::TableauView& tableau) {
  const int n = p.coordinate_count;
  if (tableau.stages == 0) return 7 * n + 3 * (p.constraint_rows - p.start_rows) + 2;
  return kernels::kGivenStepNumbers + 1 + (2 + tableau.stages) * n + p.independent_count +
         p.start_rows;
}

}  // namespace

bool pools_elements(const kernels::PlanView& p, Sensitivity sensitivity) {
  const Count units = Count{p.coordinate_count} + p.constraint_rows;
  return sensitivity == Sensitivity::adjoint && p.algebraic_count == 0 && p.element_count > 0 &&
         p.objective_count >= 2 * units + 8;
}

kernels::Layout make_layout(const kernels::PlanView& plan, Sensitivity sensitivity,
                            const kernels::TableauView& tableau, const Extras& extras) {
  kernels::Layout layout{};
  Allocator allocator;
  allocator.place(plan.parameter_count, {&layout.parameter});  // first: the host writes it
  allocator.place(plan.slot_count, {&layout.slot});
  allocator.place(sensitivity == Sensitivity::none ? 0 : plan.direction_count, {&layout.direction});
  place_splines(allocator, plan, layout, sensitivity);
  place_state(allocator, plan, layout);
  place_kinematics(allocator, plan, layout);
  place_composites(allocator, plan, layout);
  place_matrices(allocator, plan, layout, extras);
  place_elements(allocator, plan, layout.element, sensitivity);
  place_costates(allocator, plan, layout.costate, sensitivity, tableau);
  place_objectives(allocator, plan, layout, extras.columns);
  place_search(allocator, plan, layout.search);
  place_integrator(allocator, plan, layout.integrator, sensitivity, tableau, extras.columns);
  place_articulated(allocator, plan, layout.articulated, tableau);
  if (extras.ties) place_ties(allocator, plan, layout.tie);
  place_start_slip(allocator, plan, layout.start_slip);
  place_events(allocator, plan, layout.event, sensitivity, extras.events);
  layout.shared = allocator.size();
  place_laws(allocator, plan, layout);
  place_columns(allocator, plan, layout, sensitivity, tableau);
  allocator.place(extras.columns ? Count{plan.signal_count} * plan.column_count : 0,
                  {&layout.signal_columns});
  allocator.place(extras.columns ? Count{plan.objective_count} * plan.column_count : 0,
                  {&layout.gradient_history});
  allocator.place(extras.reduced ? 1 : 0, {&layout.refused});
  layout.size = allocator.size();
  if (is_adjoint(sensitivity) || extras.records) layout.record_size = record_size(plan, tableau);
  return layout;
}

}  // namespace gradus
