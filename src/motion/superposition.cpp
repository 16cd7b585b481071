// Which parameters act through splines of time alone, and the plan whose columns theirs are made
// of.
#include "src/motion/superposition.hpp"

#include <algorithm>
#include <utility>

#include "src/motion/specialised_steps.hpp"

namespace gradus {
namespace {

using kernels::Instruction;
using kernels::PartialEntry;
using kernels::PartialKind;

std::size_t as_size(int i) {
  return static_cast<std::size_t>(i);
}

// [spline] whether the time itself is its argument, in all laws and objectives.
std::vector<bool> splines_of_time(const Plan& plan) {
  std::vector<bool> of_time(plan.splines.size(), true);
  const auto look_at = [&](const kernels::SplineCallEntry& call, const Instruction* program,
                           const auto& is_time) {
    const Instruction& argument = program[program[call.instruction].a];
    if (argument.operation != kernels::Operation::input || !is_time(argument.a))
      of_time[as_size(call.spline)] = false;
  };
  for (const kernels::LawEntry& law : plan.laws)
    for (int k = law.call_begin; k < law.call_end; ++k)
      look_at(plan.spline_calls[as_size(k)], plan.law_instructions.data() + law.instruction_begin,
              [&](int input) {
                return plan.law_inputs[as_size(law.input_begin + input)].kind ==
                       kernels::LawInputKind::time;
              });
  for (const kernels::SplineCallEntry& call : plan.objective_splines)
    look_at(call, plan.objective_program.instructions.data(),
            [&](int input) { return input == plan.parameter_count(); });
  return of_time;
}

bool contains(const std::vector<int>& list, int x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

// Whether objectives are sums over instants, each of them linear in the columns.
bool has_sums_only(const Plan& plan) {
  return plan.search_count == 0 && plan.least_squares_count == 0 && plan.samples.empty() &&
         plan.events.empty() &&
         std::all_of(plan.objectives.begin(), plan.objectives.end(),
                     [](const kernels::ObjectiveEntry& o) { return o.weight < 0; });
}

class Writer {
 public:
  explicit Writer(const MotionRequest& request)
      : plan_(*request.plan),
        of_time_(splines_of_time(plan_)),
        course_of_(plan_.splines.size(), -1) {
    using namespace kernels;
    const StepSettings settings = request.settings();
    s_.carried = {kPosition, kVelocity, kAcceleration};
    if (settings.algorithmic[0] != 0.0 || settings.algorithmic[1] != 0.0)
      s_.carried.push_back(kAlgorithmic);
  }

  std::unique_ptr<const Superposition> write() {
    order_parameters();
    const int states = static_cast<int>(s_.carried.size()) * plan_.coordinate_count();
    if (2 * (s_.own + states + s_.pieces()) > plan_.parameter_count()) return nullptr;
    s_.plan = plan_;
    s_.of = &plan_;
    renumber();
    write_partials();
    return std::make_unique<const Superposition>(std::move(s_));
  }

 private:
  using Named = std::pair<PartialEntry, std::string>;  // with what it changes

  // What parameter p of the mechanism changes.
  std::vector<Named> entries_of(int p) const {
    std::vector<Named> entries;
    for (int k = plan_.partial_begin[as_size(p)]; k < plan_.partial_begin[as_size(p + 1)]; ++k)
      entries.emplace_back(plan_.partials[as_size(k)], plan_.partial_names[as_size(k)]);
    return entries;
  }

  void order_parameters() {
    std::vector<int> superposed;
    s_.share_begin.push_back(0);
    for (int p = 0; p < plan_.parameter_count(); ++p) {
      const std::vector<Named> entries = entries_of(p);
      const bool acts_by_courses =
          std::all_of(entries.begin(), entries.end(), [&](const Named& named) {
            const PartialEntry& entry = named.first;
            return entry.kind == PartialKind::spline && of_time_[as_size(entry.index)];
          });
      if (!acts_by_courses || contains(plan_.explicit_parameters, p)) {
        s_.order.push_back(p);
        continue;
      }
      for (const auto& [entry, name] : entries) s_.shares.push_back({course_of(entry), entry});
      superposed.push_back(p);
      s_.share_begin.push_back(static_cast<int>(s_.shares.size()));
    }
    s_.own = static_cast<int>(s_.order.size());
    s_.order.insert(s_.order.end(), superposed.begin(), superposed.end());
  }

  int course_of(const PartialEntry& entry) {
    int& course = course_of_[as_size(entry.index)];
    if (course < 0) {
      course = static_cast<int>(s_.courses.size());
      s_.courses.push_back({entry.index, 0, {}});
      entries_.push_back(entry);
    }
    return course;
  }

  // Columns are of parameters by their numbers.
  void renumber() {
    std::vector<int> place(s_.order.size());
    for (std::size_t k = 0; k < s_.order.size(); ++k) {
      place[as_size(s_.order[k])] = static_cast<int>(k);
      s_.plan.nominal[k] = plan_.nominal[as_size(s_.order[k])];
    }
    const auto renumber_inputs = [&](expression::Program& program) {
      for (Instruction& instruction : program.instructions)
        if (instruction.operation == kernels::Operation::input &&
            instruction.a < plan_.parameter_count())
          instruction.a = place[as_size(instruction.a)];
    };
    renumber_inputs(s_.plan.slot_program);
    renumber_inputs(s_.plan.objective_program);
    for (kernels::DirectionEntry& direction : s_.plan.directions)
      direction.parameter = place[as_size(direction.parameter)];
    for (int& parameter : s_.plan.explicit_parameters) parameter = place[as_size(parameter)];
  }

  // What a column of a course changes: numbers that are zero but for those of the piece at hand.
  PartialEntry column_entry(std::size_t course, int number) {
    const kernels::SplineEntry& spline = plan_.splines[as_size(s_.courses[course].spline)];
    PartialEntry entry = entries_[course];
    entry.direction = static_cast<int>(s_.plan.directions.size());
    entry.first = 0;
    entry.count = spline.knots;
    s_.courses[course].directions[number] = entry.direction;
    const int given = spline.given_slopes != 0 ? 2 : 0;
    s_.plan.directions.resize(s_.plan.directions.size() + as_size(2 * spline.knots + given),
                              {-1, 0});
    return entry;
  }

  void write_partials() {
    s_.plan.partials.clear();
    s_.plan.partial_names.clear();
    s_.plan.partial_begin.assign(1, 0);
    const auto append = [&](const std::vector<Named>& entries) {
      for (const auto& [entry, name] : entries) {
        s_.plan.partials.push_back(entry);
        s_.plan.partial_names.push_back(name);
      }
    };
    const auto end_column = [&] {
      s_.plan.partial_begin.push_back(static_cast<int>(s_.plan.partials.size()));
    };
    for (int k = 0; k < s_.own; ++k) {
      append(entries_of(s_.order[as_size(k)]));
      end_column();
    }
    for (int k = 0; k < s_.states(); ++k) end_column();
    for (std::size_t course = 0; course < s_.courses.size(); ++course) {
      s_.courses[course].first_column = static_cast<int>(s_.plan.partial_begin.size()) - 1;
      for (int number = 0; number < kPieceNumbers; ++number) {
        append({{column_entry(course, number), ""}});
        end_column();
      }
    }
    while (s_.plan.partial_begin.size() <= s_.order.size()) end_column();
    // No column is theirs, but how they change slopes is found with those of all that are listed.
    for (std::size_t k = as_size(s_.own); k < s_.order.size(); ++k) append(entries_of(s_.order[k]));
  }

  const Plan& plan_;
  std::vector<bool> of_time_;
  std::vector<int> course_of_;         // [spline]
  std::vector<PartialEntry> entries_;  // [course] one of it
  Superposition s_;
};

}  // namespace

std::unique_ptr<const Superposition> superposition_of(const MotionRequest& request) {
  if (!request.formulation->has_stages || !has_sums_only(*request.plan)) return nullptr;
  return Writer(request).write();
}

bool superposes(const MotionRequest& request) {
  const bool takes_general_steps = request.workshop == nullptr || request.workshop->waits();
  return request.superposition != nullptr && request.superposition->of == request.plan &&
         request.with_columns() && !request.columns && request.first_column == 0 &&
         takes_general_steps;
}

}  // namespace gradus
