// A million designs in one run: within memory, each as if it were alone, and one that fails harms
// no other.
#include <cmath>
#include <fstream>
#include <string>

#include "src/study/benchmark/measurement.hpp"
#include "tests/backend/five_bar.hpp"

namespace gradus::test {
namespace {

constexpr std::size_t kDesigns = 1'000'000;
constexpr std::size_t kDistinct = 1'000;
constexpr std::size_t kFailing = 654'321;

const Model& double_pendulum() {
  static const Model model = chain_of_bars("pendulum", 2, 2, false);
  return model;
}

// Designs that repeat after kDistinct: mass and length.
Options designs(std::size_t count) {
  Options options;
  options.backend = "cpu";
  options.duration = 0.002;  // two steps
  for (std::size_t d = 0; d < count; ++d) {
    options.designs.values.push_back(1.0 + 1e-3 * static_cast<double>(d % kDistinct));
    options.designs.values.push_back(0.5 - 1e-4 * static_cast<double>(d % kDistinct));
  }
  return options;
}

// Bytes, of this process: "VmRSS" now, "VmHWM" at most so far.
double memory(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key + ":", 0) == 0) return 1024.0 * std::stod(line.substr(key.size() + 1));
  return NAN;
}

std::size_t bytes_of(const Result& r) {
  std::size_t numbers = 0;
  for (const auto* array : {&r.parameter_values, &r.objective_values, &r.gradient, &r.final_sensors,
                            &r.constraint_violation, &r.singular_passage, &r.newton_iterations,
                            &r.step_count, &r.rejected_steps, &r.jump})
    numbers += array->size();
  return numbers * sizeof(double) + r.status.size() * sizeof(DesignStatus);
}

bool same_row(const std::vector<double>& a, std::size_t i, const std::vector<double>& b,
              std::size_t j, std::size_t width) {
  return std::memcmp(a.data() + i * width, b.data() + j * width, width * sizeof(double)) == 0;
}

bool same_design(const Result& a, std::size_t i, const Result& b, std::size_t j) {
  return a.status[i].ok && b.status[j].ok &&
         same_row(a.objective_values, i, b.objective_values, j, a.objectives.size()) &&
         same_row(a.gradient, i, b.gradient, j, a.objectives.size() * a.parameters.size()) &&
         same_row(a.final_sensors, i, b.final_sensors, j, a.sensor_components.size());
}

TEST(MillionDesigns, StayWithinMemoryAndDoNotHarmEachOther) {
  const Result few = gradient(double_pendulum(), designs(kDistinct));
  ASSERT_TRUE(few.all_ok());
  ASSERT_FALSE(same_design(few, 0, few, 1));
  ASSERT_NE(few.gradient[0], 0.0);

  Options options = designs(kDesigns);
  options.designs.values[2 * kFailing] = -1.0;
  const double before = memory("VmRSS");
  const Result many = gradient(double_pendulum(), options);
  const double growth = memory("VmHWM") - before;

  ASSERT_EQ(many.n_design, kDesigns);
  for (std::size_t d = 0; d < kDesigns; ++d)
    if (d != kFailing && !same_design(many, d, few, d % kDistinct)) {
      FAIL() << "design " << d << " is not what it is in a batch of " << kDistinct << ": "
             << many.status[d].message;
    }
  EXPECT_FALSE(many.status[kFailing].ok);
  EXPECT_NE(many.status[kFailing].message, "");
  EXPECT_TRUE(std::isnan(many.objective_values[kFailing]));
  EXPECT_TRUE(std::isnan(many.gradient[2 * kFailing]));
  // The result, and as much again for the designs on their way through and what a run of any size
  // takes.
  EXPECT_LT(growth, 2.0 * static_cast<double>(bytes_of(many)));
  RecordProperty("bytes_per_design", std::to_string(growth / kDesigns));
  RecordProperty("bytes_of_the_result_per_design",
                 std::to_string(static_cast<double>(bytes_of(many)) / kDesigns));
  RecordProperty("seconds", std::to_string(many.timing.total_s));
}

}  // namespace
}  // namespace gradus::test
