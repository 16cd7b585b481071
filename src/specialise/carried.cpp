// The list of what steps of ali3p carry on.
#include "src/specialise/carried.hpp"

#include <initializer_list>

#include "src/plan/layout.hpp"

namespace gradus::specialise {
namespace {

class Spans {
 public:
  void add(int count, std::initializer_list<int> arrays) {
    for (const int begin : arrays)
      if (count > 0) spans_.push_back({begin, count});
  }
  const std::vector<Span>& all() const { return spans_; }

 private:
  std::vector<Span> spans_;
};

// What never changes in a motion.
void add_numbers(const kernels::Layout& l, const kernels::PlanView& p, Company company,
                 Spans& spans) {
  spans.add(p.parameter_count, {l.parameter});
  spans.add(p.slot_count, {l.slot});
  spans.add(company != Company::none ? p.direction_count : 0, {l.direction});
  spans.add(p.polynomial_numbers, {l.polynomial});
  spans.add(2 * p.spline_count, {l.extrapolation});
}

// The motion, what its iterations begin with, and the factors that they go on with until these
// serve no longer.
void add_motion(const kernels::Layout& l, const kernels::PlanView& p, Spans& spans) {
  const int n = p.coordinate_count, m = p.constraint_rows, rank = p.constraint_rank;
  const int free = p.independent_count + p.start_rows;
  spans.add(n, {l.position, l.velocity, l.acceleration, l.algorithmic, l.correction,
                l.earlier_correction});
  spans.add(m, {l.multiplier, l.earlier_multiplier, l.pivot});
  spans.add(m * n, {l.jacobian});
  if (p.split_step_count > 0) {
    spans.add(m * n, {l.reflected});
    spans.add(2 * rank, {l.reflection});
    spans.add(1, {l.poor_split});
  }
  spans.add(n * rank, {l.range});
  spans.add(n * free, {l.null_space});
  spans.add(rank * rank, {l.triangle});
  spans.add(n * n, {l.position_matrix});
  spans.add(free * free, {l.position_factor});
  spans.add(free, {l.position_pivot});
  spans.add(m, {l.constraint_time});  // rows of joints are never written, and zero
}

void add_objectives(const kernels::Layout& l, const kernels::PlanView& p, Company company,
                    Spans& spans) {
  const bool with_columns = company == Company::columns;
  spans.add(p.objective_count, {l.objective_value});
  const int matrices = with_columns ? p.least_squares_count * p.column_count : 0;
  spans.add(with_columns ? (p.objective_count + matrices) * p.column_count : 0,
            {l.objective_gradient});
  // Of parameters that no objective names derivatives are never written, and zero.
  spans.add((p.objective_count > 0 ? p.objective_count : 1) *
                (p.parameter_count + 1 + p.signal_count + p.objective_spline_count),
            {l.signal_adjoint});
  const kernels::SearchLayout& s = l.search;
  spans.add(p.search_count, {s.count, s.edge, s.side, s.nothing, s.passages, s.improved});
  spans.add(p.search_count * kernels::kSearchPlaces,
            {s.time, s.sample, s.choice, s.weight, s.instant, s.settled_weight, s.settled_instant});
  spans.add(with_columns ? p.search_count * kernels::kSearchPlaces * p.column_count : 0,
            {s.sample_gradient});
}

// What the whole motion is watched for.
void add_watch(const kernels::Layout& l, const kernels::PlanView& p, Spans& spans) {
  spans.add(3, {l.violation});
  spans.add(1, {l.regularity, l.risen, l.most_regular, l.blamed, l.passage, l.jump, l.stiff_since,
                l.iterations, l.steps, l.rejected_steps});
  const kernels::WatchLayout& w = l.watch;
  spans.add(1, {w.time, w.known, w.reversed, w.least});
  if (w.rates > 0)  // where constraints read states
    spans.add(kernels::kRateNumbers * p.state_count, {w.rates});
  const bool is_sparse = p.split_step_count > 0;
  const int rank = w.orientation > w.rows ? p.constraint_rank : 0;
  const int spanned = is_sparse ? p.split_free_count : rank;
  spans.add(spanned * p.coordinate_count, {w.basis});
  spans.add(rank, {w.rows});
  spans.add(is_sparse ? 2 : 0, {w.orientation});
  if (p.row_group_count == 0) return;
  const kernels::RowGroupEntry& last = p.row_groups[p.row_group_count - 1];
  spans.add(last.row_begin + last.rows, {w.group_rows});
  spans.add(last.number_begin + last.rows * last.columns, {w.group_numbers});
  spans.add(p.row_group_count, {w.group_known});
}

// What keep_step() of kernels/stages/restore_step.hpp keeps, and adjoints find again.
void add_kept(const kernels::Layout& l, const kernels::PlanView& p, Spans& spans) {
  spans.add(p.coordinate_count, {l.position, l.velocity, l.acceleration, l.free_velocity,
                                 l.free_acceleration, l.velocity_change, l.acceleration_change});
  spans.add(p.constraint_rows, {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier});
  spans.add(2, {l.skipped});
}

// Algebraic unknowns of a step that is taken back, by what it begins with.
void add_unknowns(const kernels::Layout& l, const kernels::PlanView& p, Spans& spans) {
  const kernels::AlgebraicLayout& a = l.algebraic;
  const int count = p.algebraic_count;
  spans.add(count, {a.value, a.own_pivot, a.bordered_pivot});
  spans.add(count > 0 ? 1 : 0, {a.of_step});
  spans.add(count * count, {a.own, a.bordered});
  spans.add(count > 0 ? p.action_count : 0, {a.share});
  spans.add(count * p.coordinate_count, {a.load});
  spans.add(count * 3 * p.coordinate_count, {a.row});
  spans.add(count * p.objective_count, {a.step_worth});
}

// What objectives owe to parameters and elements so far.
void add_sums(const kernels::Layout& l, const kernels::PlanView& p, Spans& spans) {
  spans.add(p.objective_count * p.parameter_count, {l.objective_gradient});
  const bool pools = l.element.pooled != 0;
  const int slots = p.objective_count + (pools ? 1 : 0);
  spans.add(slots * p.element_size, {l.element.gradient});
  if (pools) spans.add(p.objective_count * p.element_size, {l.element.pooled});
  // Sums that are zero again behind each step.
  if (pools) spans.add(p.objective_count, {l.element.touched});
  const int features = slots > 0 ? slots : 1;
  spans.add(features * l.element.features.size, {l.element.features.begin});
}

// What a step means to objectives, on the way back.
void add_rows(const kernels::Layout& l, const kernels::PlanView& p, Spans& spans) {
  for (const int set : l.columns) spans.add(p.coordinate_count * p.objective_count, {set});
  add_sums(l, p, spans);
}

}  // namespace

std::vector<Span> carried_between_steps(const kernels::Layout& layout,
                                        const kernels::PlanView& plan, Company company) {
  Spans spans;
  add_numbers(layout, plan, company, spans);
  add_motion(layout, plan, spans);
  add_objectives(layout, plan, company, spans);
  add_watch(layout, plan, spans);
  if (company == Company::columns)
    spans.add(plan.coordinate_count * plan.column_count,
              {layout.columns[kernels::kPosition], layout.columns[kernels::kVelocity],
               layout.columns[kernels::kAcceleration], layout.columns[kernels::kAlgorithmic]});
  if (company == Company::rows) add_kept(layout, plan, spans);
  return spans.all();
}

std::vector<Span> carried_back(const kernels::Layout& layout, const kernels::PlanView& plan) {
  Spans spans;
  add_numbers(layout, plan, Company::rows, spans);
  spans.add(1, {layout.time});
  spans.add(plan.constraint_rows, {layout.constraint_time});
  add_kept(layout, plan, spans);
  add_unknowns(layout, plan, spans);
  add_rows(layout, plan, spans);
  return spans.all();
}

std::vector<Span> numbers_that_are_no_invariants(const kernels::Layout& layout,
                                                 const kernels::PlanView& plan, Company company) {
  const kernels::AlgebraicLayout& a = layout.algebraic;
  Spans spans;
  add_numbers(layout, plan, company, spans);
  add_objectives(layout, plan, company, spans);
  add_watch(layout, plan, spans);
  if (company == Company::rows) {
    spans.add(plan.objective_count * plan.parameter_count, {layout.objective_gradient});
    spans.add(plan.objective_count * plan.element_size, {layout.element.gradient});
    if (layout.element.pooled != 0)
      spans.add(plan.objective_count * plan.element_size, {layout.element.pooled});
  }
  spans.add(1, {layout.time});
  spans.add(plan.constraint_rows, {layout.pivot});
  spans.add(plan.independent_count + plan.start_rows,
            {layout.position_pivot, layout.mass_pivot, layout.kinematic_pivot});
  spans.add(plan.algebraic_count, {a.counts, a.pivot, a.own_pivot, a.bordered_pivot});
  // Where laws are run, whatever ran last leaves its numbers.
  spans.add(law_scratch_size(plan), {layout.law_scratch});
  spans.add(plan.law_count > 0 ? 2 * plan.coordinate_count : 0, {layout.law_slopes});
  return spans.all();
}

std::vector<Span> arrays_of_columns(const kernels::Layout& layout, const kernels::PlanView& plan) {
  const kernels::Layout& l = layout;
  const int n = plan.coordinate_count, m = plan.constraint_rows, columns = plan.column_count;
  const int matrices = plan.least_squares_count * columns;
  Spans spans;
  for (const int set : l.columns) spans.add(n * columns, {set});
  for (const int set : l.residual_partial) spans.add(n * columns, {set});
  for (const int level : l.constraint_partial) spans.add(m * columns, {level});
  spans.add(n * columns, {l.column_top});
  spans.add(m * columns, {l.column_bottom});
  spans.add((2 * n + m) * columns, {l.column_scratch});
  spans.add((plan.objective_count + matrices) * columns, {l.objective_gradient});
  spans.add(matrices > 0 ? columns : 0, {l.residual_gradient});
  spans.add(plan.search_count * kernels::kSearchPlaces * columns, {l.search.sample_gradient});
  spans.add(plan.algebraic_count * columns, {l.algebraic.partial, l.algebraic.columns});
  return spans.all();
}

std::vector<Span> carried_between_stages(const kernels::Layout& layout,
                                         const kernels::PlanView& plan, bool with_columns) {
  const kernels::IntegratorLayout& s = layout.integrator;
  const int n = plan.coordinate_count;
  const int columns = plan.column_count;
  Spans spans;
  spans.add(n, {layout.position, layout.velocity, layout.acceleration});
  spans.add(plan.constraint_rows, {layout.multiplier});
  spans.add(1, {layout.time, layout.iterations});
  spans.add(2 * plan.spline_count, {layout.extrapolation});
  spans.add(plan.algebraic_count, {layout.algebraic.value});
  spans.add(plan.objective_count, {s.integral});
  if (s.course_error > 0) {
    spans.add(plan.objective_count, {s.course_size});
    spans.add(2 * plan.objective_count, {s.course_error});
  }
  if (!with_columns || columns == 0) return spans.all();
  spans.add(n * columns, {layout.columns[kernels::kPosition], layout.columns[kernels::kVelocity],
                          layout.columns[kernels::kAcceleration]});
  spans.add((plan.objective_count + plan.least_squares_count * columns) * columns,
            {s.integral_gradient});
  if (s.course_error > 0) spans.add(2 * plan.objective_count * columns, {s.gradient_error});
  return spans.all();
}

std::vector<Span> carried_behind_reversed(const kernels::Layout& layout,
                                          const kernels::PlanView& plan) {
  const kernels::Layout& l = layout;
  Spans spans;
  spans.add(plan.coordinate_count, {l.position, l.velocity, l.acceleration});
  spans.add(plan.constraint_rows, {l.multiplier});
  spans.add(plan.independent_count, {l.held});
  spans.add(1, {l.time, l.iterations});
  spans.add(plan.algebraic_count, {l.algebraic.value});
  spans.add(plan.coordinate_count * plan.objective_count,
            {l.columns[kernels::kPosition], l.columns[kernels::kVelocity]});
  add_sums(l, plan, spans);
  return spans.all();
}

}  // namespace gradus::specialise
