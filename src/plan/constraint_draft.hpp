// What the formula of a constraint reads of what it names, in a law.
#pragma once

#include "src/plan/recorded.hpp"

namespace gradus {

// What the expressions and values of all constraints of a model are read with.
struct ConstraintReaders {
  explicit ConstraintReaders(Draft& draft)
      : values(draft, LawPlace::constraint_value), expressions(draft, LawPlace::constraint) {}
  LawReader values, expressions;
};

class ConstraintFormula {
 public:
  ConstraintFormula(Draft& draft, const ConstraintReaders& readers, const Constraint& constraint,
                    LawWriter& law)
      : draft_(draft), readers_(readers), constraint_(constraint), law_(law) {}

  // Of two points: their distance.
  Recorded length() const;
  // Of two vectors: number k, 0 or 1, in global axes.
  Recorded3 vector(int k) const;
  Recorded coordinate() const;
  // What it states itself, of sensors.
  Recorded expression() const;
  // What it is kept at.
  Recorded value() const;

 private:
  Draft& draft_;
  const ConstraintReaders& readers_;
  const Constraint& constraint_;
  LawWriter& law_;
};

// The feature that is one of the two points of a constraint.
int point_of(Draft& draft, const Constraint& constraint, int k);

}  // namespace gradus
