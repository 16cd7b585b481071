// What rows over generalised forces and constraints make of elements, and these of parameters,
// against the partials by every parameter; and what sensors make of them.
#include "kernels/stages/objective_elements.hpp"
#include "kernels/stages/solve_adjoint.hpp"
#include "tests/derivative/kernel_check.hpp"

namespace gradus::derivative {
namespace {

using support::Numbers;

// The gradient by parameter p that the elements' numbers stand for.
double gathered(Fixture<double>& f, int p) {
  const kernels::PlanView& v = f.view();
  double sum = 0.0;
  for (int k = v.partial_begin[p]; k < v.partial_begin[p + 1]; ++k) {
    const kernels::PartialEntry& entry = v.partials[k];
    const kernels::ElementEntry& element = v.elements[entry.element];
    for (int i = 0; i < element.count; ++i)
      sum += f.value(f.layout().element.gradient, element.place + i) *
             f.value(f.layout().direction, entry.direction + i);
  }
  return sum;
}

class ElementPair {
 public:
  ElementPair(const Model& model, Reference reference, unsigned seed)
      : columns(model, reference), rows(model, reference, {}, Sensitivity::adjoint) {
    columns.set_random_state(seed);
    rows.set_random_state(seed);
    evaluate_everything(columns.design());
    evaluate_everything(rows.design());
    kernels::parameter_partials(columns.design());
    for (int i = 0; i < rows.view().element_size; ++i)
      rows.at(rows.layout().element.gradient, i) = 0;
  }
  Fixture<double> columns, rows;
};

TEST(Elements, RowsOfStages) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    for (int stage = 0; stage < 3; ++stage) {
      SCOPED_TRACE(stage);
      ElementPair f(model, reference, 21);
      const kernels::Layout& l = f.rows.layout();
      const int n = f.rows.view().coordinate_count;
      Numbers numbers(5);
      f.rows.set(l.element.row, numbers.next(n));
      for (const int level : l.element.constraint_row)
        f.rows.set(level,
                   std::vector<double>(static_cast<std::size_t>(f.rows.view().constraint_rows)));
      const std::vector<double> row = Numbers(5).next(n);
      kernels::add_element_adjoint(f.rows.design(), stage, 0);
      kernels::features_to_elements(f.rows.design(), 0);
      Comparison comparison("stage by elements");
      const int parameters = f.rows.view().parameter_count;
      for (int p = 0; p < parameters; ++p) {
        double sum = 0.0;
        for (int c = 0; c < n; ++c)
          sum += row[static_cast<std::size_t>(c)] *
                 f.columns.value(f.columns.layout().residual_partial[stage], c * parameters + p);
        comparison.add(gathered(f.rows, p), sum);
      }
      comparison.expect_equal();
    }
  });
}

TEST(Elements, RowsOfConstraints) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    ElementPair f(model, reference, 22);
    const kernels::Layout& l = f.rows.layout();
    const int m = f.rows.view().constraint_rows;
    const kernels::ConstraintEntry* constraints = f.rows.view().constraints;
    bool ties = false;
    for (int k = 0; k < f.rows.view().constraint_count; ++k)
      ties = ties || constraints[k].kind != kernels::ConstraintKind::normalisation;
    if (!ties) return;
    for (int level = 0; level < 3; ++level)
      f.rows.set(l.element.constraint_row[level],
                 Numbers(7 + static_cast<unsigned>(level)).next(m));
    kernels::add_element_adjoint(f.rows.design(), -1, 0);
    kernels::features_to_elements(f.rows.design(), 0);
    Comparison comparison("constraints by elements");
    const int parameters = f.rows.view().parameter_count;
    for (int p = 0; p < parameters; ++p) {
      double sum = 0.0;
      for (int level = 0; level < 3; ++level) {
        const auto row = Numbers(7 + static_cast<unsigned>(level)).next(m);
        for (int i = 0; i < m; ++i)
          sum += row[static_cast<std::size_t>(i)] *
                 f.columns.value(f.columns.layout().constraint_partial[level], i * parameters + p);
      }
      comparison.add(gathered(f.rows, p), sum);
    }
    comparison.expect_equal();
  });
}

TEST(Elements, Sensors) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    ElementPair f(model, reference, 23);
    const kernels::Layout& l = f.rows.layout();
    const int parameters = f.rows.view().parameter_count;
    kernels::energy_rows(f.columns.design());
    kernels::energy_rows(f.rows.design());
    Comparison comparison("sensors by elements");
    for (int s = 0; s < f.rows.view().sensor_count; ++s) {
      const kernels::SensorEntry& sensor = f.rows.view().sensors[s];
      if (kernels::is_reaction(sensor.kind)) continue;
      for (Fixture<double>* fixture : {&f.columns, &f.rows})
        fixture->set(fixture->layout().signal_adjoint, Numbers(31).next(sensor.size));
      const auto d = f.rows.design();
      for (int i = 0; i < f.rows.view().element_size; ++i) f.rows.at(l.element.gradient, i) = 0;
      if (!kernels::add_sensor_features(d, kernels::features_of(d, 0), sensor, 1.0,
                                        d.at(l.signal_adjoint)))
        kernels::add_sensor_elements(d, sensor, 1.0, d.at(l.signal_adjoint), l.element.gradient);
      kernels::features_to_elements(d, 0);
      const auto c = f.columns.design();
      for (int p = 0; p < parameters; ++p) {
        double sum = 0.0;
        for (int k = c.plan.partial_begin[p]; k < c.plan.partial_begin[p + 1]; ++k) {
          const kernels::PartialEntry& entry = c.plan.partials[k];
          const auto axis = kernels::is_locked_axis(entry.kind)
                                ? kernels::locked_axis(c, entry).actual
                                : kernels::AxisMotion<double>{};
          sum += kernels::sensor_partial(c, sensor, entry, axis,
                                         c.at(f.columns.layout().signal_adjoint));
        }
        comparison.add(gathered(f.rows, p), sum);
      }
    }
    comparison.expect_equal();
  });
}

}  // namespace
}  // namespace gradus::derivative
