// How long rows of the constraints are by nature, seen where numbers are slightly different.
#include "src/motion/start_constraints.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "kernels/expressions/evaluate.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "src/motion/decompositions.hpp"
#include "src/plan/layout.hpp"

namespace gradus {

Scaling::Scaling(const Eigen::VectorXd& natural, const Eigen::VectorXd& even,
                 const Eigen::VectorXd& coordinate_units)
    : rows(Eigen::VectorXd::Ones(even.size())),
      units(Eigen::VectorXd::Ones(coordinate_units.size())),
      longest(natural.maxCoeff()) {
  const double least = AssemblyLimits::noise * even.maxCoeff();
  const auto is_usual = [&](double length) {
    return (length > 0.01 && length < 100.0) || length <= least;
  };
  if (std::all_of(even.begin(), even.end(), is_usual) &&
      std::all_of(coordinate_units.begin(), coordinate_units.end(), is_usual))
    return;
  is_one = false;
  units = coordinate_units;
  rows = (even.array() > least).select(even, Eigen::VectorXd::Ones(even.size()));
  longest = 1.0;
}

Eigen::MatrixXd Scaling::of(const Eigen::MatrixXd& jacobian) const {
  return rows.head(jacobian.rows()).cwiseInverse().asDiagonal() * jacobian * units.asDiagonal();
}

StartConstraints::StartConstraints(const Plan& plan, const std::vector<double>& parameters)
    : layout_(make_layout(plan.view(), Sensitivity::none)) {
  memory_.assign(static_cast<std::size_t>(layout_.size), 0.0);
  arguments_.chunk.plan = plan.view();
  arguments_.chunk.layout = layout_;
  arguments_.chunk.settings = {1.0, 0.25, 0.5, 1e-10, 1, 0};
  arguments_.chunk.memory = memory_.data();
  arguments_.chunk.status = &status_;
  arguments_.chunk.failure_time = &failure_time_;
  arguments_.chunk.design_count = 1;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    memory_[static_cast<std::size_t>(layout_.parameter) + p] = parameters[p];
  launch_(kernels::KernelId::prepare_numbers, arguments_);
  launch_(kernels::KernelId::set_start, arguments_);
}

Eigen::VectorXd StartConstraints::natural_rows(const Eigen::VectorXd& units,
                                               Eigen::VectorXd& even) {
  evaluate();
  Eigen::VectorXd natural = jacobian().rowwise().norm();
  even = largest_entries(units);
  const Eigen::VectorXd value_here = value();
  const std::vector<double> here = memory_;
  std::minstd_rand generator;  // the same every time
  for (int k = 0; k < kDisturbances; ++k) {
    disturb(generator, units);
    evaluate();
    natural = natural.cwiseMax(jacobian().rowwise().norm())
                  .cwiseMax((value() - value_here).cwiseAbs() / kElsewhere);
    even = even.cwiseMax(largest_entries(units));
    std::copy(here.begin(), here.end(), memory_.begin());
  }
  lengthen_round_off(natural);
  // What holds wherever the bodies are shows in the values only.
  even = (even.array() > AssemblyLimits::noise * natural.array()).select(even, natural);
  evaluate();
  return natural;
}

std::vector<Eigen::MatrixXd> StartConstraints::jacobians_elsewhere(const Eigen::VectorXd& units) {
  std::vector<Eigen::MatrixXd> all;
  const std::vector<double> here = memory_;
  std::minstd_rand generator;
  for (int k = 0; k < kDisturbances; ++k) {
    disturb(generator, units);
    set_time(kElsewhere * k);
    evaluate();
    all.push_back(jacobian());
    std::copy(here.begin(), here.end(), memory_.begin());
  }
  evaluate();
  return all;
}

Eigen::VectorXd StartConstraints::units(const Plan& plan) {
  double arm = arms().size() > 0 ? arms().maxCoeff() : 0.0;
  if (!(arm > 0.0))
    for_each_point(
        [&](int, int slot) { arm = std::max(arm, vector(layout_.slot + slot, 3).norm()); });
  Eigen::VectorXd all = Eigen::VectorXd::Ones(coordinates());
  for (Eigen::Index c = 0; c < all.size(); ++c)
    if (plan.coordinate_names[static_cast<std::size_t>(c)].unit == "m" && arm > 0.0) all(c) = arm;
  return all;
}

Eigen::MatrixXd StartConstraints::jacobian() {
  const Eigen::VectorXd flat = vector(layout_.jacobian, rows() * coordinates());
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      flat.data(), rows(), coordinates());
}

Eigen::MatrixXd StartConstraints::rate_laws() {
  launch_(kernels::KernelId::start_velocity, arguments_);
  const Eigen::Index n = coordinates();
  const Eigen::Index laws = arguments_.chunk.plan.rate_law_count;
  const Eigen::VectorXd flat = vector(layout_.start_slip.row, 2 * laws * n);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
             flat.data(), laws, 2 * n)
      .rightCols(n);
}

Eigen::VectorXd StartConstraints::signals_by(const Eigen::VectorXd& multipliers) {
  vector(layout_.acceleration_change, coordinates()).setZero();
  vector(layout_.acceleration_multiplier, rows()) = multipliers;
  launch_(kernels::KernelId::evaluate_signals, arguments_);
  return vector(layout_.signal, arguments_.chunk.plan.signal_count);
}

double StartConstraints::law_at(const Plan& plan, int number, const Eigen::VectorXd& signals,
                                unsigned seed) {
  using kernels::LawInputKind;
  using kernels::Operation;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const kernels::LawEntry& law = plan.laws[static_cast<std::size_t>(number)];
  for (int k = law.instruction_begin; k < law.instruction_end; ++k)
    for (const Operation rough :
         {Operation::absolute, Operation::minimum, Operation::maximum, Operation::at_least,
          Operation::floor, Operation::spline, Operation::scale})
      if (plan.law_instructions[static_cast<std::size_t>(k)].operation == rough) return unknown;
  const auto is_moved = [&plan](int feature) {
    return std::any_of(plan.partials.begin(), plan.partials.end(), [&](const auto& partial) {
      return partial.kind == kernels::PartialKind::feature && partial.index == feature;
    });
  };
  std::minstd_rand generator(seed);
  std::uniform_real_distribution<double> share(-kElsewhere, kElsewhere);
  const auto value_of = [&](const kernels::LawInputEntry& in) {
    const auto at = [this](int offset, int place) {
      return memory_[static_cast<std::size_t>(offset + place)];
    };
    if (in.kind == LawInputKind::slot) {
      const double here = slot(in.index);
      return here + share(generator) * (1.0 + std::abs(here));
    }
    if (in.kind == LawInputKind::coordinate) return at(layout_.position, in.index);
    if (in.kind == LawInputKind::feature && !is_moved(in.index))
      return at(layout_.feature, 3 * in.index + in.component);
    if (in.kind == LawInputKind::sensor)
      return signals(plan.sensors[static_cast<std::size_t>(in.index)].signal + in.component);
    return unknown;
  };
  std::vector<double> inputs;
  for (int i = law.input_begin; i < law.input_end; ++i)
    inputs.push_back(value_of(plan.law_inputs[static_cast<std::size_t>(i)]));
  const kernels::ProgramView program{plan.law_instructions.data() + law.instruction_begin, nullptr,
                                     law.instruction_end - law.instruction_begin, 1};
  std::vector<double> values(static_cast<std::size_t>(program.instruction_count));
  kernels::evaluate(program, inputs, values);
  return values.back();
}

Eigen::VectorXd StartConstraints::row(const HeldRow& held) {
  Eigen::VectorXd b = Eigen::VectorXd::Zero(coordinates());
  if (held.turn < 0) {
    b(held.coordinate) = 1.0;
    return b;
  }
  const auto p = kernels::load_euler(memory_.data() + layout_.position + held.coordinate);
  for (int k = 0; k < 4; ++k) {
    const auto axis = kernels::half_axis(p, k);
    const double entries[3] = {axis.x, axis.y, axis.z};
    b(held.coordinate + k) = entries[held.turn];
  }
  return b;
}

Eigen::MatrixXd StartConstraints::rows_of(const std::vector<HeldRow>& held) {
  Eigen::MatrixXd b(static_cast<Eigen::Index>(held.size()), coordinates());
  for (std::size_t i = 0; i < held.size(); ++i)
    b.row(static_cast<Eigen::Index>(i)) = row(held[i]).transpose();
  return b;
}

Eigen::VectorXd StartConstraints::largest_entries(const Eigen::VectorXd& units) {
  return (jacobian() * units.asDiagonal()).cwiseAbs().rowwise().maxCoeff();
}

Eigen::VectorXd StartConstraints::arms() {
  Eigen::VectorXd arm = Eigen::VectorXd::Zero(arguments_.chunk.plan.body_count);
  for_each_point([&](int body, int slot) {
    if (body >= 0) arm(body) = std::max(arm(body), vector(layout_.slot + slot, 3).norm());
  });
  return arm;
}

void StartConstraints::lengthen_round_off(Eigen::VectorXd& natural) {
  using kernels::ConstraintKind;
  double longest = 0.0;
  for_each_point(
      [&](int, int slot) { longest = std::max(longest, vector(layout_.slot + slot, 3).norm()); });
  for (int i = 0; i < arguments_.chunk.plan.body_count; ++i)
    longest = std::max(longest, origin(i).norm());
  for (int k = 0; k < arguments_.chunk.plan.constraint_count; ++k) {
    const kernels::ConstraintEntry& constraint = arguments_.chunk.plan.constraints[k];
    if (constraint.kind == ConstraintKind::law) continue;
    const double of_terms = constraint.kind == ConstraintKind::perpendicular ? 1.0 : longest;
    for (double& length : natural.segment(constraint.row, constraint.rows))
      if (length < kRoundOff * of_terms) length = of_terms;
  }
}

void StartConstraints::disturb(std::minstd_rand& generator, const Eigen::VectorXd& units) {
  const kernels::PlanView& plan = arguments_.chunk.plan;
  const int bodies = plan.body_count - plan.state_count;  // frames of states matter to nothing
  Eigen::VectorXd arm = arms();
  const double longest = arm.size() > 0 ? arm.maxCoeff() : 0.0;
  for (double& length : arm)
    if (!(length > 0.0)) length = longest > 0.0 ? longest : 1.0;
  const auto random = [&] {
    return kElsewhere * (2.0 * static_cast<double>(generator()) / generator.max() - 1.0);
  };
  std::set<int> disturbed;
  const auto change = [&](int slot, double size) {
    if (!disturbed.insert(slot).second) return;
    for (double& number : vector(layout_.slot + slot, 3)) number += size * random();
  };
  const auto turn = [&](int slot) {
    if (!disturbed.insert(slot).second) return;
    const Eigen::Vector3d by{random(), random(), random()};
    double* const first = memory_.data() + layout_.slot + slot;
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> frame(first);
    frame = (frame * Eigen::AngleAxisd(by.norm(), by.normalized())).eval();
  };
  for_each_point([&](int body, int slot) {
    if (body >= 0 && body < bodies) change(slot, arm(body));
  });
  for (int f = 0; f < plan.feature_count; ++f)
    if (plan.features[f].is_point == 0) change(plan.features[f].slot, 1.0);
  for (int i = 0; i < bodies; ++i) {
    turn(plan.bodies[i].parent_frame_slot);
    turn(plan.bodies[i].child_frame_slot);
  }
  const auto is_read = [&](Eigen::Index c) {
    return c < coordinates() - plan.state_count || plan.coordinates[c].start_rate >= 0;
  };
  for (Eigen::Index c = 0; c < coordinates(); ++c)
    if (is_read(c)) position()(c) += units(c) * random();
}

Eigen::MatrixXd free_motions(const Eigen::MatrixXd& rows, double scale) {
  if (rows.rows() == 0) return Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  const auto [values, right] = singular_vectors(rows);
  const double least =
      AssemblyLimits::redundancy * (values(0) > AssemblyLimits::noise * scale ? values(0) : scale);
  Eigen::Index rank = 0;
  while (rank < values.size() && values(rank) > least) ++rank;
  return right.rightCols(rows.cols() - rank);
}

}  // namespace gradus
