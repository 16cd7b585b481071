// How the forces of a plug-in get across: gradus/plugin.hpp includes it. What this file keeps is
// hidden, so that several plug-ins in one process, each with its copy, do not share it.
#pragma once

#include "gradus/plugin.hpp"

namespace gradus::plugin {

// Runs the formula of a force on a tape, and replies with that.
template <class Force>
void state_formula(const gradus_plugin_question* question, const gradus_plugin_reply* reply) {
  try {
    Description description;
    Force::describe(description);
    Tape tape;
    Inputs<Recorded> in(description, Force::acts_on);
    const auto input = [&tape](int kind, int which) {
      return Recorded(tape, GRADUS_PLUGIN_INPUT, kind, which);
    };
    const auto inputs = [&](int kind) {
      return Vector<Recorded>{input(kind, 0), input(kind, 1), input(kind, 2)};
    };
    for (int k = 0; k < description.key_count(); ++k) {
      const std::size_t place = static_cast<std::size_t>(k);
      for (int i = 0; i < 3; ++i)
        in.values_[place][static_cast<std::size_t>(i)] = input(GRADUS_PLUGIN_KEY, 3 * k + i);
      in.said_[place] = question->said[k];
      in.choices_[place] = question->choice[k];
    }
    for (int s = 0; s < description.state_count(); ++s)
      in.states_[static_cast<std::size_t>(s)] = input(GRADUS_PLUGIN_STATE, s);
    in.extent_ = input(GRADUS_PLUGIN_EXTENT, 0);
    in.rate_ = input(GRADUS_PLUGIN_RATE, 0);
    in.time_ = input(GRADUS_PLUGIN_TIME, 0);
    in.position_ = inputs(GRADUS_PLUGIN_POSITION);
    in.velocity_ = inputs(GRADUS_PLUGIN_VELOCITY);
    in.angular_velocity_ = inputs(GRADUS_PLUGIN_ANGULAR_VELOCITY);
    in.rotation_ = inputs(GRADUS_PLUGIN_ROTATION);
    in.share_ = input(GRADUS_PLUGIN_ROTATION, 3);
    const Force force{};
    std::vector<int> results;
    const auto add = [&](const Recorded& result) { results.push_back(result.on(tape)); };
    if constexpr (Force::acts_on == GRADUS_PLUGIN_LINE || Force::acts_on == GRADUS_PLUGIN_JOINT) {
      add(force.template force<Recorded>(in));
    } else if constexpr (Force::acts_on == GRADUS_PLUGIN_BODIES) {
      const Wrench<Recorded> wrench = force.template force<Recorded>(in);
      for (const Vector<Recorded>& part : {wrench.force, wrench.torque})
        for (const Recorded& component : part) add(component);
    } else {
      for (const Recorded& component : force.template force<Recorded>(in)) add(component);
    }
    if constexpr (detail::has_rates<Force>::value)
      for (const Recorded& rate : force.template rates<Recorded>(in)) add(rate);
    reply->formula(reply->context, tape.instructions().data(),
                   static_cast<int>(tape.instructions().size()), results.data(),
                   static_cast<int>(results.size()));
  } catch (const std::exception& error) {
    reply->problem(reply->context, error.what());
  } catch (...) {
    reply->problem(reply->context, "it threw something that is no std::exception");
  }
}

// A force that a source file registers, in a list that is made before any of it is asked for.
struct Registration {
  const char* type;
  int acts_on;
  void (*describe)(Description&);
  void (*formula)(const gradus_plugin_question*, const gradus_plugin_reply*);
  const Registration* next;

  __attribute__((visibility("hidden"))) static const Registration*& first() {
    static const Registration* list = nullptr;
    return list;
  }
  template <class Force>
  static Registration of(const char* type) {
    // The formula must hold for plain numbers, too.
    if constexpr (Force::acts_on == GRADUS_PLUGIN_LINE || Force::acts_on == GRADUS_PLUGIN_JOINT)
      static_assert(std::is_same_v<decltype(Trial<Force>().force()), double>,
                    "force() of a line or a joint returns a Scalar");
    else if constexpr (Force::acts_on == GRADUS_PLUGIN_BODIES)
      static_assert(std::is_same_v<decltype(Trial<Force>().force()), Wrench<double>>,
                    "force() between bodies returns a Wrench<Scalar>");
    else
      static_assert(std::is_same_v<decltype(Trial<Force>().force()), Vector<double>>,
                    "force() at a point or on a body returns a Vector<Scalar>");
    return {type, Force::acts_on, Force::describe, state_formula<Force>, nullptr};
  }
};

struct __attribute__((visibility("hidden"))) Registered : Registration {
  explicit Registered(const Registration& force) : Registration(force) {
    next = first();
    first() = this;
  }
};

// All forces of the plug-in, in the words of C.
class __attribute__((visibility("hidden"))) Library {
 public:
  static const gradus_plugin* get() {
    static const Library library;
    return &library.plugin_;
  }

 private:
  Library() noexcept {
    try {
      for (const Registration* force = Registration::first(); force != nullptr; force = force->next)
        add(*force);
      plugin_.forces = forces_.data();
      plugin_.force_count = static_cast<int>(forces_.size());
    } catch (const std::exception& error) {
      fail(error.what());
    } catch (...) {
      fail("describing its forces threw something that is no std::exception");
    }
  }

  void fail(const char* what) noexcept {
    try {
      problem_ = what;
      plugin_.problem = problem_.c_str();
    } catch (...) {
      plugin_.problem = "memory ran out";
    }
  }

  void add(const Registration& registration) {
    Description& of = descriptions_.emplace_back();
    registration.describe(of);
    std::vector<gradus_plugin_key>& keys = keys_.emplace_back();
    for (const Key& key : of.keys_) {
      std::vector<const char*>& choices = choices_.emplace_back();
      for (const std::string& choice : key.choices_) choices.push_back(choice.c_str());
      keys.push_back({key.name_.c_str(), key.unit_.c_str(), key.content_, key.size_,
                      key.is_required_, key.is_positive_, choices.data(),
                      static_cast<int>(choices.size())});
    }
    std::vector<gradus_plugin_state>& states = states_.emplace_back();
    for (const State& state : of.states_)
      states.push_back({state.name_.c_str(), state.unit_.c_str(),
                        state.initial_.empty() ? nullptr : state.initial_.c_str()});
    forces_.push_back({registration.type, registration.acts_on, keys.data(), of.key_count(),
                       states.data(), of.state_count(), registration.formula});
  }

  std::deque<Description> descriptions_;
  std::deque<std::vector<gradus_plugin_key>> keys_;
  std::deque<std::vector<gradus_plugin_state>> states_;
  std::deque<std::vector<const char*>> choices_;
  std::vector<gradus_plugin_force> forces_;
  std::string problem_;
  gradus_plugin plugin_{GRADUS_PLUGIN_INTERFACE, nullptr, nullptr, 0};
};

}  // namespace gradus::plugin

extern "C" __attribute__((visibility("default"), used)) inline const gradus_plugin*
gradus_plugin_entry() {
  return gradus::plugin::Library::get();
}

// Adds a force to the plug-in, under the type by which model files call it. At namespace scope, in
// a source file.
#define GRADUS_PLUGIN_FORCE(TYPE, ...)                                                     \
  namespace {                                                                              \
  const ::gradus::plugin::Registered GRADUS_PLUGIN_JOINED(gradus_plugin_force_, __LINE__)( \
      ::gradus::plugin::Registration::of<__VA_ARGS__>(TYPE));                              \
  }
#define GRADUS_PLUGIN_JOINED(a, b) GRADUS_PLUGIN_JOINED_TEXTS(a, b)
#define GRADUS_PLUGIN_JOINED_TEXTS(a, b) a##b
