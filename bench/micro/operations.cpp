// The program gradus_bench_operations: counts the floating-point operations of every kernel per
// step, and per column.
//   gradus_bench_operations [MODEL.json [STEPS]]      default: the five-bar, 100 steps
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "bench/micro/count.hpp"
#include "bench/models.hpp"
#include "kernels/launch/kernel_table.hpp"

namespace gradus::bench {
namespace {

void print_counts(const Model& model, std::size_t steps) {
  const StepCount count = count_step(model, steps);
  std::printf(
      "%s: %zu coordinates, %zu constraint equations, %zu objectives, %zu parameters; %zu numbers "
      "per design\n\n",
      model.name.c_str(), count.coordinates, count.constraint_rows, count.objectives,
      count.parameters, count.numbers);
  std::printf("%-24s %10s %10s %10s %10s %10s %12s %12s %12s\n", "per step", "add", "multiply",
              "divide", "functions", "total", "per column", "accesses", "distinct");
  for (std::size_t k = 0; k < count.kernels.size(); ++k) {
    const KernelStep& s = count.kernels[k];
    if (s.operations() == 0.0 && s.accesses == 0.0) continue;
    std::printf("%-24s %10.1f %10.1f %10.1f %10.1f %10.1f %12.1f %12.1f %12.1f\n",
                kernels::kernel_name(static_cast<kernels::KernelId>(k)), s.additions,
                s.multiplications, s.divisions, s.functions, s.operations(),
                s.operations() / count.columns(), s.accesses, s.distinct);
  }
  const KernelStep all = count.sum();
  std::printf("%-24s %10.1f %10.1f %10.1f %10.1f %10.1f %12.1f %12.1f %12.1f\n", "all",
              all.additions, all.multiplications, all.divisions, all.functions, all.operations(),
              all.operations() / count.columns(), all.accesses, all.distinct);
}

}  // namespace
}  // namespace gradus::bench

int main(int count, char** values) {
  if (count > 1 && std::string(values[1]) == "--help") {
    std::puts(
        "gradus_bench_operations [MODEL.json [STEPS]]: floating-point operations of every kernel "
        "per step");
    return 0;
  }
  try {
    const gradus::Model model =
        count > 1 ? gradus::read_model(values[1]) : gradus::bench::five_bar();
    const long steps = count > 2 ? std::strtol(values[2], nullptr, 10) : 100;
    if (steps < 1)
      throw gradus::InputError(std::string("steps: found ") + values[2] + ", expected at least 1");
    gradus::bench::print_counts(model, static_cast<std::size_t>(steps));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gradus_bench_operations: %s\n", error.what());
    return 1;
  }
}
