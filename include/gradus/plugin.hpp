// Forces of one's own for gradus, as a library that it loads by name (docs/api.md; a complete one
// is examples/plugin). C++17, nothing but the standard library, nothing to link.
//
//   struct Magnets : gradus::plugin::ForceAlongLine {
//     static void describe(Description& force) {
//       force.number("strength", "N m^2").required().positive();
//     }
//     template <class Scalar>
//     Scalar force(const Inputs<Scalar>& in) const {
//       return in["strength"] / (in.length() * in.length());
//     }
//   };
//   GRADUS_PLUGIN_FORCE("magnets", Magnets)
#pragma once

#include <deque>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gradus/plugin_formula.hpp"

namespace gradus::plugin {

// A key of a force in model files.
class Key {
 public:
  Key(std::string name, std::string unit, int content, int size)
      : name_(std::move(name)), unit_(std::move(unit)), content_(content), size_(size) {}

  Key& required() { return is_required_ = true, *this; }
  // Of single numbers: above 0. Designs in which it is not fail.
  Key& positive() { return is_positive_ = true, *this; }

 private:
  friend class Description;
  friend class Library;
  std::string name_, unit_;
  int content_, size_;
  bool is_required_ = false, is_positive_ = false;
  std::vector<std::string> choices_;
};

// A first-order state, "FORCE.NAME" in sensors.
class State {
 public:
  State(std::string name, std::string unit) : name_(std::move(name)), unit_(std::move(unit)) {}
  // The key of its value at time 0; without one it starts at 0.
  State& starts_at(std::string key) { return initial_ = std::move(key), *this; }

 private:
  friend class Library;
  friend class Description;
  std::string name_, unit_, initial_;
};

// What model files may say of a force, beside where it acts.
class Description {
 public:
  // A number of parameters, or a vector of them; 0 if a model does not say it.
  Key& number(std::string name, std::string unit) {
    return add({std::move(name), std::move(unit), GRADUS_PLUGIN_NUMBER, 1});
  }
  Key& vector(std::string name, std::string unit) {
    return add({std::move(name), std::move(unit), GRADUS_PLUGIN_NUMBER, 3});
  }
  // An expression that may also depend on what laws of forces use: time, the motion, reactions.
  Key& law(std::string name, std::string unit) {
    return add({std::move(name), std::move(unit), GRADUS_PLUGIN_LAW, 1});
  }
  Key& law_vector(std::string name, std::string unit) {
    return add({std::move(name), std::move(unit), GRADUS_PLUGIN_LAW, 3});
  }
  // One of these names; the first, if a model does not say it.
  Key& choice(std::string name, std::initializer_list<const char*> choices) {
    Key& key = add({std::move(name), "", GRADUS_PLUGIN_CHOICE, 1});
    key.choices_.assign(choices.begin(), choices.end());
    return key;
  }
  State& state(std::string name, std::string unit) {
    return states_.emplace_back(std::move(name), std::move(unit));
  }

  int key_count() const { return static_cast<int>(keys_.size()); }
  int state_count() const { return static_cast<int>(states_.size()); }
  // Throw std::invalid_argument where there is none of that name.
  int key(std::string_view name, bool is_choice, int size) const;
  int state(std::string_view name) const;
  const std::string& choice(int key, int number) const {
    return keys_[static_cast<std::size_t>(key)].choices_.at(static_cast<std::size_t>(number));
  }
  int choice_count(int key) const {
    return static_cast<int>(keys_[static_cast<std::size_t>(key)].choices_.size());
  }

 private:
  friend class Library;
  Key& add(Key key) { return keys_.emplace_back(std::move(key)); }

  std::deque<Key> keys_;
  std::deque<State> states_;
};

inline int Description::key(std::string_view name, bool is_choice, int size) const {
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    if (keys_[k].name_ != name) continue;
    if (size != 0 &&
        ((keys_[k].content_ == GRADUS_PLUGIN_CHOICE) != is_choice || keys_[k].size_ != size))
      throw std::invalid_argument("it asks the key '" + std::string(name) +
                                  "' for what it is not: a number, a vector or a choice");
    return static_cast<int>(k);
  }
  throw std::invalid_argument("it asks for the key '" + std::string(name) +
                              "', which it does not describe");
}

inline int Description::state(std::string_view name) const {
  for (std::size_t s = 0; s < states_.size(); ++s)
    if (states_[s].name_ == name) return static_cast<int>(s);
  throw std::invalid_argument("it asks for the state '" + std::string(name) +
                              "', which it does not describe");
}

// What a formula reads.
template <class Scalar>
class Inputs {
 public:
  // `acts_on` is that of gradus_plugin_acts_on. The description must outlive the inputs.
  Inputs(const Description& force, int acts_on)
      : force_(&force),
        acts_on_(acts_on),
        values_(static_cast<std::size_t>(force.key_count())),
        said_(values_.size(), 0),
        choices_(values_.size(), 0),
        states_(static_cast<std::size_t>(force.state_count())) {}

  // The value of a number or a law; 0 if the model does not say it.
  const Scalar& operator[](std::string_view key) const { return at(key, 1)[0]; }
  const Vector<Scalar>& vector(std::string_view key) const { return at(key, 3); }
  // For the `if` of C++: these do not change during the motion.
  bool says(std::string_view key) const { return said_[place(force_->key(key, false, 0))] != 0; }
  std::string_view choice(std::string_view key) const {
    const int k = force_->key(key, true, 1);
    return force_->choice(k, choices_[place(k)]);
  }

  // Of a force along a line, from the first place to the second.
  const Scalar& length() const { return of(GRADUS_PLUGIN_LINE, "length", extent_); }
  // Of a force on a joint [rad or m].
  const Scalar& coordinate() const { return of(GRADUS_PLUGIN_JOINT, "coordinate", extent_); }
  // The time derivative of the length or the coordinate.
  const Scalar& rate() const {
    return of(acts_on_ == GRADUS_PLUGIN_JOINT ? acts_on_ : GRADUS_PLUGIN_LINE, "rate", rate_);
  }
  // Of a force at a point, in global axes.
  const Vector<Scalar>& position() const { return of(GRADUS_PLUGIN_POINT, "position", position_); }
  // Of a force between two bodies, in the axes of the first: where the second place is, seen from
  // the first, and the rotation vector (angle of 0 to pi times axis) of the second body.
  const Vector<Scalar>& displacement() const {
    return of(GRADUS_PLUGIN_BODIES, "displacement", position_);
  }
  const Vector<Scalar>& rotation() const { return of(GRADUS_PLUGIN_BODIES, "rotation", rotation_); }
  // Of a point, in global axes; or the rate of the displacement.
  const Vector<Scalar>& velocity() const {
    return of(acts_on_ == GRADUS_PLUGIN_BODIES ? acts_on_ : GRADUS_PLUGIN_POINT, "velocity",
              velocity_);
  }
  // Of a body, in global axes; or that of the second body relative to the first, in its axes.
  const Vector<Scalar>& angular_velocity() const {
    return of(acts_on_ == GRADUS_PLUGIN_BODIES ? acts_on_ : GRADUS_PLUGIN_BODY, "angular velocity",
              angular_velocity_);
  }
  // The torque that does the work of moments on the rotation vector, such as what an energy grows
  // by with its components: about one axis, and in small rotations, the moments themselves.
  Vector<Scalar> torque_of(const Vector<Scalar>& moments) const {
    const Vector<Scalar> once = Functions::cross(rotation(), moments);
    const Vector<Scalar> twice = Functions::cross(rotation(), once);
    Vector<Scalar> torque{};
    for (std::size_t k = 0; k < 3; ++k) torque[k] = moments[k] + 0.5 * once[k] + share_ * twice[k];
    return torque;
  }
  const Scalar& state(std::string_view name) const { return states_[place(force_->state(name))]; }
  const Scalar& time() const { return time_; }

 protected:
  template <class Force>
  friend void state_formula(const gradus_plugin_question*, const gradus_plugin_reply*);

  static std::size_t place(int number) { return static_cast<std::size_t>(number); }
  const Vector<Scalar>& at(std::string_view key, int size) const {
    return values_[place(force_->key(key, false, size))];
  }
  template <class Value>
  const Value& of(int acts_on, const char* what, const Value& value) const {
    if (acts_on_ != acts_on)
      throw std::invalid_argument(std::string("what it acts on has no ") + what);
    return value;
  }

  const Description* force_;
  int acts_on_;
  std::vector<Vector<Scalar>> values_;  // [key]
  std::vector<int> said_, choices_;     // [key]
  std::vector<Scalar> states_;
  Scalar extent_{}, rate_{}, time_{}, share_{};
  Vector<Scalar> position_{}, velocity_{}, rotation_{}, angular_velocity_{};
};

// What forces derive from: it says on what they act, and has the functions of formulas. A force has
//
//   static void describe(Description& force)               its keys and states
//   Scalar force(const Inputs<Scalar>& in) const           for any Scalar; Vector<Scalar> at points
//                                                          and on bodies, Wrench<Scalar> between
//                                                          bodies
//   std::array<Scalar, N> rates(const Inputs<Scalar>& in) const      of its states, if it has any
//
// and no members of its own: it is made anew for each question.
struct Force : Functions {
  template <class Scalar>
  using Inputs = plugin::Inputs<Scalar>;
  template <class Scalar>
  using Vector = plugin::Vector<Scalar>;
  template <class Scalar>
  using Wrench = plugin::Wrench<Scalar>;
  using Description = plugin::Description;
};
// Keys "from" and "to"; the force is the tension, positive where it pulls [N].
struct ForceAlongLine : Force {
  static constexpr int acts_on = GRADUS_PLUGIN_LINE;
};
// Key "joint"; a force or torque in the direction of the coordinate [N or N m].
struct ForceOnJoint : Force {
  static constexpr int acts_on = GRADUS_PLUGIN_JOINT;
};
// Key "at"; a vector in global axes [N].
struct ForceAtPoint : Force {
  static constexpr int acts_on = GRADUS_PLUGIN_POINT;
};
// Key "body"; a vector in global axes [N m].
struct TorqueOnBody : Force {
  static constexpr int acts_on = GRADUS_PLUGIN_BODY;
};
// Keys "from" and "to"; what pulls and turns the body of "to" back, at that place, in the axes of
// the body of "from", on which the opposite acts.
struct ForceBetweenBodies : Force {
  static constexpr int acts_on = GRADUS_PLUGIN_BODIES;
};

namespace detail {

template <class Force, class = void>
struct has_rates : std::false_type {};
template <class Force>
struct has_rates<Force, std::void_t<decltype(&Force::template rates<double>)>> : std::true_type {};

}  // namespace detail

// A force with plain numbers, for tests of one's own:
//   gradus::plugin::Trial<Magnets> magnets;
//   magnets.say("strength", 2.0).length(0.5);
//   assert(magnets.force() == 8.0);
template <class Force>
class Trial {
 public:
  Trial() : inputs_(description_) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  Trial& say(std::string_view key, double value) { return inputs_.say(key, {value}, 1), *this; }
  Trial& say(std::string_view key, const Vector<double>& v) {
    return inputs_.say(key, v, 3), *this;
  }
  Trial& say(std::string_view key, const char* choice) {
    return inputs_.choose(key, choice), *this;
  }
  Trial& length(double value) { return inputs_.set_extent(value), *this; }
  Trial& coordinate(double value) { return inputs_.set_extent(value), *this; }
  Trial& rate(double value) { return inputs_.set_rate(value), *this; }
  Trial& position(const Vector<double>& value) { return inputs_.set_position(value), *this; }
  Trial& velocity(const Vector<double>& value) { return inputs_.set_velocity(value), *this; }
  Trial& angular_velocity(const Vector<double>& v) {
    return inputs_.set_angular_velocity(v), *this;
  }
  Trial& displacement(const Vector<double>& value) { return inputs_.set_position(value), *this; }
  Trial& rotation(const Vector<double>& value) { return inputs_.set_rotation(value), *this; }
  Trial& state(std::string_view name, double v) { return inputs_.set_state(name, v), *this; }
  Trial& time(double value) { return inputs_.set_time(value), *this; }

  // A number, a vector or a wrench.
  auto force() const { return Force().force(static_cast<const Inputs<double>&>(inputs_)); }
  auto rates() const { return Force().rates(static_cast<const Inputs<double>&>(inputs_)); }

 private:
  struct Described : Description {
    Described() { Force::describe(*this); }
  };
  struct Given : Inputs<double> {
    explicit Given(const Description& force) : Inputs<double>(force, Force::acts_on) {}
    void say(std::string_view key, const Vector<double>& value, int size) {
      const std::size_t k = place(force_->key(key, false, size));
      values_[k] = value;
      said_[k] = 1;
    }
    void choose(std::string_view key, std::string_view choice) {
      const int k = force_->key(key, true, 1);
      int number = 0;
      while (number < force_->choice_count(k) && force_->choice(k, number) != choice) ++number;
      force_->choice(k, number);
      choices_[place(k)] = number;
      said_[place(k)] = 1;
    }
    void set_extent(double value) { extent_ = value; }
    void set_rate(double value) { rate_ = value; }
    void set_position(const Vector<double>& value) { position_ = value; }
    void set_velocity(const Vector<double>& value) { velocity_ = value; }
    void set_angular_velocity(const Vector<double>& value) { angular_velocity_ = value; }
    void set_rotation(const Vector<double>& value) {
      const double square = Functions::dot(value, value);
      const double half = std::sqrt(square) / 2;
      rotation_ = value;
      share_ = half < 0.01 ? 1.0 / 12 + square * (1.0 / 720 + square / 30240)
                           : (1.0 - half / std::tan(half)) / square;
    }
    void set_state(std::string_view name, double v) { states_[place(force_->state(name))] = v; }
    void set_time(double value) { time_ = value; }
  };

  const Described description_;
  Given inputs_;
};

}  // namespace gradus::plugin

#include "gradus/plugin_library.hpp"
