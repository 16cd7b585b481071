// Runs the start of the design and looks at its lines.
#include "src/motion/coincident_ends.hpp"

#include <algorithm>

#include "src/motion/started_design.hpp"

namespace gradus {
namespace {

// Whether the law reads a line of this number, or how fast it grows.
bool reads_line(const Plan& plan, const kernels::LawEntry& law, int line) {
  using kernels::LawInputKind;
  const auto begin = plan.law_inputs.begin();
  return std::any_of(begin + law.input_begin, begin + law.input_end, [&](const auto& input) {
    return input.index == line &&
           (input.kind == LawInputKind::length || input.kind == LawInputKind::length_rate);
  });
}

}  // namespace

std::vector<std::string> laws_of_coincident_ends(const MotionRequest& request,
                                                 std::span<const double> parameters) {
  if (request.plan->lines.empty()) return {};
  StartedDesign design(request, parameters);
  run_start(design.request, design.setup.formulation, design.chunk);
  const Plan& plan = *request.plan;
  std::vector<std::string> names;
  for (int line = 0; line < static_cast<int>(plan.lines.size()); ++line) {
    if (design.chunk.entry(design.setup.layout.line_length + line, 0) != 0.0) continue;
    for (std::size_t law = 0; law < plan.laws.size(); ++law)
      if (reads_line(plan, plan.laws[law], line) &&
          std::find(names.begin(), names.end(), plan.law_names[law]) == names.end())
        names.push_back(plan.law_names[law]);
  }
  return names;
}

}  // namespace gradus
