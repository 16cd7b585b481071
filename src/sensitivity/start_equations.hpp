// What the columns of a start say about small motions: numbers of x, and the linearised equations.
// docs/theory.md, section 23.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "gradus/result.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "src/motion/mechanism.hpp"
#include "src/sensitivity/start_columns.hpp"

namespace gradus::small_motions {

using kernels::EulerParameters;
using kernels::Vector3;

// One number of x: the deviation of a held row, or of its rate.
struct StateRow {
  HeldRow row;
  bool is_rate;
};

// All of a mechanism whose start is an input: positions, then rates and states.
struct States {
  std::vector<StateRow> rows;
  std::vector<NamedUnit> names;
  std::vector<std::string> held;  // states that are in none, since a clock samples them
};
States states_of(const CompiledMechanism& mechanism);

inline std::size_t as_index(int i) {
  return static_cast<std::size_t>(i);
}

// Euler parameters ----------------------------------------------------------------------------

template <class Real, class At>
EulerParameters<Real> euler_of(const At& at) {
  return {at(0), {at(1), at(2), at(3)}};
}

// E(p) q
template <class Real>
Vector3<Real> turn_of(const EulerParameters<Real>& p, const EulerParameters<Real>& q) {
  Vector3<Real> sum = q[0] * half_axis(p, 0);
  for (int k = 1; k < 4; ++k) sum = sum + q[k] * half_axis(p, k);
  return sum;
}

template <class Real>
Vector3<Real> twice(const Vector3<Real>& v) {
  return Real(2) * v;
}

// The equations ---------------------------------------------------------------------------------

// Of a start with columns by parameters and start state, the latter from `first_state` on.
template <class Real>
class Equations {
 public:
  Equations(const StartColumns<Real>& start, const std::vector<StateRow>& rows, int first_state,
            bool in_body_axes)
      : start_(start), rows_(rows), first_(first_state), in_body_axes_(in_body_axes) {}

  // [n_state, n_state]
  std::vector<Real> a() const {
    const std::size_t size = rows_.size();
    std::vector<Real> matrix(size * size);
    for (std::size_t j = 0; j < size; ++j) {
      const Tangent tangent = tangent_of(direction_of(rows_[j]));
      for (std::size_t i = 0; i < size; ++i) matrix[i * size + j] = rate_along(rows_[i], tangent);
    }
    return matrix;
  }

  // x' and how it changes with a parameter at the same x.
  Real rate(const StateRow& row) const {
    const int level = row.is_rate ? 2 : 1;
    const HeldRow& held = row.row;
    if (held.turn < 0) return start_.values[level][as_index(held.coordinate)];
    const EulerParameters<Real> p = euler(0, held.coordinate);
    const Vector3<Real> turn = twice(turn_of(p, euler(level, held.coordinate)));
    return component(in_own_axes(p, turn), held.turn);
  }
  Real rate_by(const StateRow& row, int parameter) const {
    Tangent tangent;
    for (int level = 0; level < 3; ++level)
      for (int c = 0; c < start_.n; ++c)
        tangent[as_index(level)].push_back(start_.column(level, c, parameter));
    return rate_along(row, tangent);
  }

  // Combination of the columns of the start state: entries and their parameters.
  using Direction = std::vector<std::pair<int, Real>>;
  Direction direction_of(const StateRow& state) const {
    const int c = state.row.coordinate;
    const int position = first_ + c;
    const int rate = first_ + start_.n + c;
    if (state.row.turn < 0) return {{state.is_rate ? rate : position, Real(1)}};
    const EulerParameters<Real> p = euler(0, c);
    const Vector3<Real> turn = unit_turn(p, state.row.turn);
    Direction direction;
    if (state.is_rate) {
      for (int k = 0; k < 4; ++k)
        direction.push_back({rate + k, Real(0.5) * dot(half_axis(p, k), turn)});
      return direction;
    }
    // The angular velocity stays as it is, in the axes of x.
    const Vector3<Real> spin = twice(turn_of(p, euler(1, c)));
    EulerParameters<Real> change;
    change.scalar = Real(0.5) * dot(half_axis(p, 0), turn);
    change.vector = {Real(0.5) * dot(half_axis(p, 1), turn), Real(0.5) * dot(half_axis(p, 2), turn),
                     Real(0.5) * dot(half_axis(p, 3), turn)};
    const Vector3<Real> carried = in_body_axes_ ? cross(turn, spin) : Vector3<Real>{};
    for (int k = 0; k < 4; ++k) {
      direction.push_back({position + k, change[k]});
      direction.push_back({rate + k, Real(0.5) * (dot(half_axis(change, k), spin) +
                                                  dot(half_axis(p, k), carried))});
    }
    return direction;
  }

 private:
  using Tangent = std::array<std::vector<Real>, 3>;  // [level][coordinate]

  EulerParameters<Real> euler(int level, int c) const {
    return euler_of<Real>([&](int k) { return start_.values[level][as_index(c + k)]; });
  }
  static EulerParameters<Real> euler(const Tangent& tangent, int level, int c) {
    return euler_of<Real>([&](int k) { return tangent[as_index(level)][as_index(c + k)]; });
  }
  Vector3<Real> unit_turn(const EulerParameters<Real>& p, int axis) const {
    Vector3<Real> unit{Real(axis == 0), Real(axis == 1), Real(axis == 2)};
    return in_body_axes_ ? rotation_matrix(p) * unit : unit;
  }
  Vector3<Real> in_own_axes(const EulerParameters<Real>& p, const Vector3<Real>& v) const {
    return in_body_axes_ ? transposed_times(rotation_matrix(p), v) : v;
  }

  Tangent tangent_of(const Direction& direction) const {
    Tangent tangent;
    for (int level = 0; level < 3; ++level) {
      std::vector<Real>& own = tangent[as_index(level)];
      own.assign(as_index(start_.n), Real(0));
      for (const auto& [parameter, share] : direction)
        for (int c = 0; c < start_.n; ++c)
          own[as_index(c)] += share * start_.column(level, c, parameter);
    }
    return tangent;
  }

  // How x' changes along a tangent of the motion.
  Real rate_along(const StateRow& state, const Tangent& tangent) const {
    const int c = state.row.coordinate;
    const int level = state.is_rate ? 2 : 1;
    if (state.row.turn < 0) return tangent[as_index(level)][as_index(c)];
    const EulerParameters<Real> p = euler(0, c);
    const EulerParameters<Real> change = euler(tangent, 0, c);
    const Vector3<Real> turn = twice(turn_of(p, change));
    // 2 E(p) q for rates q = p' and accelerations q = p'', along the tangent.
    const Vector3<Real> value = twice(turn_of(p, euler(level, c)));
    Vector3<Real> along =
        twice(turn_of(change, euler(level, c)) + turn_of(p, euler(tangent, level, c)));
    if (state.is_rate) {
      if (in_body_axes_) along = along - cross(turn, value);
    } else if (!in_body_axes_) {
      along = along + cross(value, turn);
    }
    return component(in_own_axes(p, along), state.row.turn);
  }

  const StartColumns<Real>& start_;
  const std::vector<StateRow>& rows_;
  int first_;
  bool in_body_axes_;
};

}  // namespace gradus::small_motions
