// Which parameters act through splines of time alone, and the plan whose columns theirs are made
// of.
#include "src/motion/superposition.hpp"

#include <algorithm>
#include <utility>

#include "src/model/functions.hpp"

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

// What becomes of the parameters, slots, splines and partials of a plan.
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
    sort_parameters();
    const int states = static_cast<int>(s_.carried.size()) * plan_.coordinate_count();
    if (2 * (s_.own_count() + states + s_.pieces()) > plan_.parameter_count()) return nullptr;
    s_.plan = plan_;
    s_.of = &plan_;
    number_parameters();
    rewrite_slots();
    rewrite_objectives();
    open_windows();
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
  bool is_of_course(const PartialEntry& entry) const {
    return entry.kind == PartialKind::spline && of_time_[as_size(entry.index)];
  }

  bool is_read_by_objectives(int p) const {
    const auto reads = [p](const Instruction& instruction) {
      return instruction.operation == kernels::Operation::input && instruction.a == p;
    };
    const std::vector<Instruction>& all = plan_.objective_program.instructions;
    return std::any_of(all.begin(), all.end(), reads);
  }

  // Sums of columns are columns: what acts through courses and otherwise has both.
  void sort_parameters() {
    s_.share_begin.push_back(0);
    place_.assign(as_size(plan_.parameter_count()), -1);
    for (int p = 0; p < plan_.parameter_count(); ++p) {
      const std::size_t shares = s_.shares.size();
      bool has_others = contains(plan_.explicit_parameters, p) || is_read_by_objectives(p);
      for (const auto& [entry, name] : entries_of(p)) {
        if (is_of_course(entry))
          s_.shares.push_back({course_of(entry), entry});
        else
          has_others = true;
      }
      if (s_.shares.size() > shares) {
        s_.superposed.push_back(p);
        s_.share_begin.push_back(static_cast<int>(s_.shares.size()));
      }
      if (!has_others) continue;
      place_[as_size(p)] = s_.own_count();
      s_.own.push_back(p);
    }
  }

  int course_of(const PartialEntry& entry) {
    int& course = course_of_[as_size(entry.index)];
    if (course < 0) {
      course = static_cast<int>(s_.courses.size());
      s_.courses.push_back({entry.index, 0, 0});
      entries_.push_back(entry);
    }
    return course;
  }

  void number_parameters() {
    const int windows = s_.column_count();
    for (std::size_t course = 0; course < s_.courses.size(); ++course) {
      const int c = static_cast<int>(course);
      s_.courses[course].numbers = s_.own_count() + s_.states() + kPieceNumbers * c;
      s_.courses[course].window = windows + kWindowNumbers * c;
    }
    s_.plan.nominal.assign(as_size(windows) + as_size(kWindowNumbers) * s_.courses.size(), 0.0);
    for (std::size_t k = 0; k < s_.own.size(); ++k)
      s_.plan.nominal[k] = plan_.nominal[as_size(s_.own[k])];
    for (const Superposition::Course& course : s_.courses)
      s_.plan.nominal[as_size(course.window + 2)] = 1.0;
    for (int& parameter : s_.plan.explicit_parameters) parameter = place_[as_size(parameter)];
  }

  // What follows from parameters that are none any more is zero: only courses ask for it.
  void rewrite_slots() {
    expression::Program& program = s_.plan.slot_program;
    std::vector<bool> is_gone(program.instructions.size(), false);
    for (std::size_t k = 0; k < program.instructions.size(); ++k) {
      Instruction& instruction = program.instructions[k];
      if (instruction.operation == kernels::Operation::constant) continue;
      if (instruction.operation == kernels::Operation::input) {
        is_gone[k] = place_[as_size(instruction.a)] < 0;
        instruction.a = std::max(place_[as_size(instruction.a)], 0);
        continue;
      }
      is_gone[k] = is_gone[as_size(instruction.a)] ||
                   (kernels::is_binary(instruction) && is_gone[as_size(instruction.b)]);
    }
    const int zero = append(program, {kernels::Operation::constant, -1, -1, 0.0});
    for (int& output : program.outputs)
      if (as_size(output) < is_gone.size() && is_gone[as_size(output)]) output = zero;
  }

  void rewrite_objectives() {
    const int shift = s_.plan.parameter_count() - plan_.parameter_count();
    for (Instruction& instruction : s_.plan.objective_program.instructions) {
      if (instruction.operation != kernels::Operation::input) continue;
      const bool is_parameter = instruction.a < plan_.parameter_count();
      instruction.a = is_parameter ? place_[as_size(instruction.a)] : instruction.a + shift;
    }
  }

  static int append(expression::Program& program, const Instruction& instruction) {
    program.instructions.push_back(instruction);
    return static_cast<int>(program.instructions.size()) - 1;
  }
  // A slot whose number is a parameter.
  int slot_of(int parameter) {
    expression::Program& program = s_.plan.slot_program;
    program.outputs.push_back(append(program, {kernels::Operation::input, parameter, -1, 0.0}));
    s_.plan.slot_count = static_cast<int>(program.outputs.size());
    return s_.plan.slot_count - 1;
  }

  // In the place of each course a spline of two knots with given slopes, which has any polynomial.
  void open_windows() {
    const int numbers = static_cast<int>(s_.plan.spline_numbers.size());
    const std::vector<double> knots{0.0, 1.0};
    const std::vector<double> rows = expression::spline_rows(
        {kernels::SplineKind::clamped, kernels::SplineEnds::window, true, knots, {}});
    s_.plan.spline_numbers.insert(s_.plan.spline_numbers.end(), knots.begin(), knots.end());
    s_.plan.spline_numbers.insert(s_.plan.spline_numbers.end(), rows.begin(), rows.end());
    for (const Superposition::Course& course : s_.courses) {
      kernels::SplineEntry& spline = s_.plan.splines[as_size(course.spline)];
      spline.kind = kernels::SplineKind::clamped;
      spline.ends = kernels::SplineEnds::window;
      spline.knots = static_cast<int>(knots.size());
      spline.given_slopes = 1;
      spline.number = numbers;
      spline.slot = slot_of(course.numbers);
      for (const int number : {2, 1, 3}) slot_of(course.numbers + number);
      spline.window = slot_of(course.window);
      for (const int number : {1, 2}) slot_of(course.window + number);
    }
    int polynomial = 0;
    for (kernels::SplineEntry& spline : s_.plan.splines) {
      spline.polynomial = polynomial;
      polynomial += 4 * (spline.knots + 1);
    }
    int place = 0;
    for (kernels::ElementEntry& element : s_.plan.elements) {
      if (element.kind == PartialKind::spline && course_of_[as_size(element.index)] >= 0)
        element.count = kPieceNumbers;
      element.place = place;
      place += element.count;
    }
  }

  // Where the directions of each partial end.
  int end_of(int direction) const {
    const auto next = std::upper_bound(begins_.begin(), begins_.end(), direction);
    return next == begins_.end() ? static_cast<int>(plan_.directions.size()) : *next;
  }

  void write_partials() {
    Plan& plan = s_.plan;
    plan.partials.clear();
    plan.partial_names.clear();
    plan.partial_begin.assign(1, 0);
    plan.directions.clear();
    for (const PartialEntry& entry : plan_.partials) begins_.push_back(entry.direction);
    std::sort(begins_.begin(), begins_.end());
    for (int k = 0; k < s_.own_count(); ++k) {
      for (const Named& named : entries_of(s_.own[as_size(k)]))
        if (!is_of_course(named.first)) copy_partial(named, k);
      end_parameter();
    }
    for (int k = 0; k < s_.states(); ++k) end_parameter();
    for (std::size_t course = 0; course < s_.courses.size(); ++course)
      for (int number = 0; number < kPieceNumbers; ++number) {
        add_piece_number(course, number);
        end_parameter();
      }
    while (plan.partial_begin.size() <= plan.nominal.size()) end_parameter();
    order_directions(plan);
  }
  void end_parameter() {
    s_.plan.partial_begin.push_back(static_cast<int>(s_.plan.partials.size()));
  }
  void copy_partial(const Named& named, int place) {
    PartialEntry entry = named.first;
    const auto begin = plan_.directions.begin();
    entry.direction = static_cast<int>(s_.plan.directions.size());
    for (auto k = begin + named.first.direction; k != begin + end_of(named.first.direction); ++k)
      s_.plan.directions.push_back({k->slot, place});
    s_.plan.partials.push_back(entry);
    s_.plan.partial_names.push_back(named.second);
  }
  // Directions of both values, of both slopes, which follow, and of these as they are given.
  void add_piece_number(std::size_t course, int number) {
    const Superposition::Course& c = s_.courses[course];
    const int slot = s_.plan.splines[as_size(c.spline)].slot;
    PartialEntry entry = entries_[course];
    entry.direction = static_cast<int>(s_.plan.directions.size());
    entry.first = 0;
    entry.count = 2;
    const int parameter = c.numbers + number;
    const int numbers[6] = {0, 2, -1, -1, 1, 3};
    const int slots[6] = {slot, slot + 1, -1, -1, slot + 2, slot + 3};
    for (int k = 0; k < 6; ++k)
      s_.plan.directions.push_back({numbers[k] == number ? slots[k] : -1, parameter});
    s_.plan.partials.push_back(entry);
    s_.plan.partial_names.emplace_back();
  }

  const Plan& plan_;
  std::vector<bool> of_time_;
  std::vector<int> place_;             // [parameter of the mechanism] among those of its own, or -1
  std::vector<int> course_of_;         // [spline]
  std::vector<PartialEntry> entries_;  // [course] one of it
  std::vector<int> begins_;            // of directions of partials, ascending
  Superposition s_;
};

}  // namespace

std::unique_ptr<const Superposition> superposition_of(const MotionRequest& request) {
  if (!request.formulation->has_stages || !has_sums_only(*request.plan)) return nullptr;
  return Writer(request).write();
}

bool superposes(const MotionRequest& request) {
  if (request.superposition == nullptr || request.superposition->of != request.plan) return false;
  return request.sensitivity == Sensitivity::adjoint ||
         (request.with_columns() && !request.columns && request.first_column == 0);
}

}  // namespace gradus
