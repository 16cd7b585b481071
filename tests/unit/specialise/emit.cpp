// Programs that the compiler of the host compiled, beside the interpreter.
#include "src/specialise/emit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "src/backend/step_kernel.hpp"
#include "src/specialise/device_compiler.hpp"
#include "src/specialise/host_compiler.hpp"

namespace gradus::specialise {
namespace {

using Function = int(double*, double);

constexpr int places = 64;

// Nodes of every kind, drawn at random, a guard that holds in about half of the points, and a
// choice of two paths, of numbers or by one of three numbers in memory.
Program random_program(unsigned seed, int length) {
  std::mt19937 draw(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(draw() % count); };
  Program program;
  Graph& graph = program.graph();
  std::vector<int> before, numbers, masks;
  for (int p = 0; p < places; ++p) before.push_back(graph.memory(p));
  numbers = before;
  numbers.push_back(graph.time());
  for (const double value : {0.5, -1.25, 3.0, 1e-3}) numbers.push_back(graph.constant(value));
  masks = {graph.constant(0.0), graph.constant(1.0)};
  const auto number = [&] { return numbers[below(numbers.size())]; };
  const auto mask = [&] { return masks[below(masks.size())]; };
  for (int k = 0; k < length; ++k) {
    const auto kind = static_cast<NodeKind>(static_cast<std::size_t>(NodeKind::add) +
                                            below(static_cast<std::size_t>(NodeKind::select) -
                                                  static_cast<std::size_t>(NodeKind::add) + 1));
    if (kind == NodeKind::less || kind == NodeKind::less_equal || kind == NodeKind::equal)
      masks.push_back(graph.add(kind, number(), number()));
    else if (kind == NodeKind::finite)
      masks.push_back(graph.add(kind, number()));
    else if (kind == NodeKind::both || kind == NodeKind::either)
      masks.push_back(graph.add(kind, mask(), mask()));
    else if (kind == NodeKind::opposite)
      masks.push_back(graph.add(kind, mask()));
    else if (kind == NodeKind::select && draw() % 3 == 0)
      masks.push_back(graph.add(kind, mask(), mask(), mask()));
    else if (kind == NodeKind::select)
      numbers.push_back(graph.add(kind, mask(), number(), number()));
    else if (operand_count(kind) == 2)
      numbers.push_back(graph.add(kind, number(), number()));
    else
      numbers.push_back(graph.add(kind, number()));
  }
  const int chosen = seed % 3 == 0 ? before[2] : graph.add(NodeKind::less, before[4], before[5]);
  for (const double way : {1.0, 0.0}) {
    Recording recording(graph);
    recording.take_for_granted(graph.add(NodeKind::less, before[0], before[1]), 1.0);
    recording.take_for_granted(chosen, way);
    recording.take_for_granted(graph.add(NodeKind::less, before[6], graph.constant(1.9)), 1.0);
    std::vector<int> after = before;
    std::swap(after[2], after[3]);
    const auto shift = static_cast<std::size_t>(way);
    for (std::size_t p = 4; p < places; ++p)
      after[p] = p % 2 == 0 ? numbers[numbers.size() - p - shift]
                            : graph.add(NodeKind::select, masks[masks.size() - p - shift],
                                        graph.constant(1.0), graph.constant(2.0));
    EXPECT_TRUE(program.add(recording, before, after));
  }
  return program;
}

bool is_same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

struct Emitted : testing::TestWithParam<int> {};

TEST_P(Emitted, DoesWhatTheInterpreterDoes) {
  const std::string compiler = host_compiler();
  if (compiler.empty()) GTEST_SKIP() << "no C compiler";
  const int lanes = GetParam();
  std::string text = emitted_head(lanes);
  std::vector<Program> programs;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    programs.push_back(random_program(seed, 400));
    text += emitted(programs.back(), "program" + std::to_string(seed), seed % 2 ? 1000 : 37);
  }
  const CompiledText compiled(compiler, text);
  std::mt19937 draw(7);
  std::uniform_real_distribution<double> between(-2.0, 2.0);
  std::vector<double> values;
  int held = 0, refused = 0;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    Function* const run = compiled.function<Function>("program" + std::to_string(k + 1));
    for (int point = 0; point < 20; ++point) {
      // [place, lanes], and each lane alone.
      alignas(64) double memory[places * 8];
      std::vector<std::vector<double>> alone(static_cast<std::size_t>(lanes));
      for (int i = 0; i < places * lanes; ++i) memory[i] = between(draw);
      const bool together = point % 3 == 0;
      for (int i = 0; i < lanes; ++i) {
        const double way = static_cast<double>((together ? point : point + i) % 2);
        memory[2 * lanes + i] = point == 5 ? 0.5 : way;
        if ((memory[4 * lanes + i] < memory[5 * lanes + i]) != (way != 0.0))
          std::swap(memory[4 * lanes + i], memory[5 * lanes + i]);
      }
      for (int i = 0; i < lanes && point % 4 != 0; ++i)
        if (memory[i] > memory[lanes + i]) std::swap(memory[i], memory[lanes + i]);
      const std::vector<double> start(memory, memory + places * lanes);
      const double time = between(draw);
      int path = -2;  // of all lanes; -1 if they have none in common
      for (int i = 0; i < lanes; ++i) {
        std::vector<double>& own = alone[static_cast<std::size_t>(i)];
        for (int p = 0; p < places; ++p) own.push_back(memory[p * lanes + i]);
        const int own_path = programs[k].run(own.data(), time, values);
        path = path == -2 || path == own_path ? own_path : -1;
      }
      const bool all_hold = path >= 0;
      EXPECT_EQ(run(memory, time), path + 1);
      ++(all_hold ? held : refused);
      for (int i = 0; i < places * lanes; ++i) {
        const double wanted =
            all_hold
                ? alone[static_cast<std::size_t>(i % lanes)][static_cast<std::size_t>(i / lanes)]
                : start[static_cast<std::size_t>(i)];
        EXPECT_TRUE(is_same(memory[i], wanted)) << memory[i] << " instead of " << wanted;
      }
    }
  }
  EXPECT_GT(held, 40);
  EXPECT_GT(refused, 10);
}

INSTANTIATE_TEST_SUITE_P(Lanes, Emitted, testing::Values(1, 2, 4, 8));

// Folders of its own are gone, those of others and young ones stay.
TEST(HostCompiler, RemovesWhatKilledRunsHaveLeft) {
  if (host_compiler().empty()) GTEST_SKIP() << "no C compiler";
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "compiler_folders";
  fs::remove_all(folder);
  const auto age = [&](const char* name, int hours) {
    fs::create_directories(folder / name);
    fs::last_write_time(folder / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  age("gradus-compiler-old", 7);
  age("gradus-compiler-new", 1);
  age("another-old", 7);
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", folder.c_str(), 1);
  const CompiledText text(host_compiler(), "int two(void) { return 2; }");
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(text.function<int()>("two")(), 2);
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder)) left.push_back(entry.path().filename());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"another-old", "gradus-compiler-new"}));
}

TEST(HostCompiler, SaysWhatIsWrong) {
  if (host_compiler().empty()) GTEST_SKIP() << "no C compiler";
  try {
    const CompiledText text(host_compiler(), "int f( {");
    ADD_FAILURE() << "compiled";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("text.c"), std::string::npos) << error.what();
  }
  EXPECT_THROW(CompiledText("/nowhere/cc", "int f(void) { return 1; }"), Error);
  const CompiledText text(host_compiler(), "int f(void) { return 7; }");
  EXPECT_EQ(text.function<int()>("f")(), 7);
  EXPECT_THROW(text.function<int()>("g"), Error);
}

// The sum of so many numbers that are all there before the first is added.
Program program_of_a_late_sum(int count) {
  Program program;
  Graph& graph = program.graph();
  const std::vector<int> before{graph.memory(0), graph.memory(1)};
  std::vector<int> powers{graph.add(NodeKind::multiply, before[0], before[1])};
  while (static_cast<int>(powers.size()) < count)
    powers.push_back(graph.add(NodeKind::multiply, powers.back(), before[1]));
  int sum = powers.back();
  for (std::size_t k = powers.size() - 1; k-- > 0;) sum = graph.add(NodeKind::add, sum, powers[k]);
  EXPECT_TRUE(program.add(Recording(graph), before, {sum, before[1]}));
  return program;
}

int slots_of(const std::string& text) {
  const std::string declared = "Slot s[";
  return std::stoi(text.substr(text.find(declared) + declared.size()));
}

TEST(EmittedSlots, AreAsManyAsNumbersThatWaitTogether) {
  // A chain passes one number from each function to the next.
  Program chain;
  Graph& graph = chain.graph();
  const std::vector<int> before{graph.memory(0), graph.memory(1)};
  int last = before[0];
  for (int k = 0; k < 1000; ++k)
    last = graph.add(k % 2 == 0 ? NodeKind::multiply : NodeKind::subtract, last, before[1]);
  EXPECT_TRUE(chain.add(Recording(graph), before, {last, before[1]}));
  EXPECT_LE(slots_of(emitted(chain, "chain", 10)), 2);
  const Program sum = program_of_a_late_sum(300);
  const int slots = slots_of(emitted(sum, "sum", 10));
  EXPECT_GE(slots, 290);
  EXPECT_LE(slots, 301);
  EXPECT_NO_THROW(emitted(sum, "sum", 10, {0, 0, slots}));
  EXPECT_THROW(emitted(sum, "sum", 10, {0, 0, slots - 1}), Error);
}

// A way that is left leads back to the next, whose guard was computed before the first.
TEST(EmittedSlots, KeepGuardsOfWaysThatAreTriedLater) {
  Program program;
  Graph& graph = program.graph();
  std::vector<int> before;
  for (int p = 0; p < 5; ++p) before.push_back(graph.memory(p));
  const int first = graph.add(NodeKind::less, before[0], before[1]);
  const int second = graph.add(NodeKind::less, before[0], before[2]);
  int sum = before[3];
  for (int k = 0; k < 100; ++k)
    sum = graph.add(k % 2 == 0 ? NodeKind::add : NodeKind::multiply, sum, before[4]);
  for (const bool longer : {true, false}) {
    Recording recording(graph);
    recording.lanes = 2;  // which may ask for different nodes
    recording.take_for_granted(longer ? first : second, longer ? 1.0 : 0.0);
    if (longer) recording.take_for_granted(graph.add(NodeKind::less, before[3], sum), 1.0);
    std::vector<int> after = before;
    after[3] = longer ? sum : before[4];
    EXPECT_TRUE(program.add(recording, before, after));
  }
  const CompiledText compiled(host_compiler(), emitted_head(1) + emitted(program, "program", 5));
  std::vector<double> memory{0.0, 1.0, -1.0, 3.0, 0.3};
  std::vector<double> expected = memory;
  EXPECT_EQ(compiled.function<Function>("program")(memory.data(), 0.0), 2);
  expected[3] = 0.3;
  EXPECT_EQ(memory, expected);
}

// Counts up to a number and sums on the way; `ends`: whether it knows what to do when it is there.
Program counting_program(bool ends) {
  Program program;
  Graph& graph = program.graph();
  const std::vector<int> before{graph.memory(0), graph.memory(1), graph.memory(2)};
  const int count = graph.add(NodeKind::add, before[0], graph.constant(1.0));
  const int sum = graph.add(NodeKind::add, before[1], count);
  const int goes_on = graph.add(NodeKind::less, count, before[2]);
  for (const double way : {1.0, 0.0}) {
    Recording recording(graph);
    recording.take_for_granted(goes_on, way);
    if (way == 0.0 && !ends) break;
    EXPECT_TRUE(program.add(recording, before, {count, sum, before[2]}));
  }
  return program;
}

TEST(EmittedSteps, GoFromPartToPartAndAreUndone) {
  for (const bool ends : {true, false}) {
    const std::string text = emitted_head(1) + emitted(counting_program(ends), "count") +
                             emitted_steps({{"count", {0, -1}}}, {0, 1}, "step");
    const CompiledText compiled(host_compiler(), text);
    std::vector<double> memory{0.0, 0.0, 4.0};
    const int done = compiled.function<Function>("step")(memory.data(), 0.0);
    EXPECT_EQ(done, ends ? 1 : 0);
    EXPECT_EQ(memory,
              ends ? (std::vector<double>{4.0, 10.0, 4.0}) : (std::vector<double>{0.0, 0.0, 4.0}));
  }
}

TEST(EmittedSteps, DoNotGoOnForEver) {
  const std::string text = emitted_head(1) + emitted(counting_program(true), "count") +
                           emitted_steps({{"count", {0, 0}}}, {0, 1}, "step");
  const CompiledText compiled(host_compiler(), text);
  std::vector<double> memory{0.0, 0.0, 4.0};
  EXPECT_EQ(compiled.function<Function>("step")(memory.data(), 0.0), 0);
  EXPECT_EQ(memory, (std::vector<double>{0.0, 0.0, 4.0}));
}

std::string counting_steps(DeviceKind kind, bool ends) {
  return emitted_device_head(kind, 2) + emitted(counting_program(ends), "part0") +
         emitted_device_steps({{"part0", {0, -1}}}, {0, 1}, "step");
}

// More designs than a tile has; the last place is a column.
TEST(EmittedDeviceSteps, TakeEachDesignAsFarAsItKnowsTheWay) {
  constexpr int designs = 40, failed = 7, tile = 32;
  for (const bool ends : {true, false}) {
    const CompiledText compiled(host_compiler(), counting_steps(DeviceKind::host, ends));
    std::vector<double> motions(2 * 2 * tile, 0.0), columns(2 * tile, 0.0);
    std::vector<kernels::Status> status(designs, kernels::Status::ok);
    std::vector<int> reached(designs, 1);
    status[failed] = kernels::Status::negative_mass;
    for (int d = 0; d < designs; ++d)
      columns[static_cast<std::size_t>(d / tile * tile + d % tile)] = d % 5;
    const StepBatch batch{
        motions.data(), 2 * tile, columns.data(), tile, status.data(), reached.data(), 3, 0.5,
        designs};
    compiled.function<void(StepBatch)>("step")(batch);
    for (int d = 0; d < designs; ++d) {
      double count = 0.0, sum = 0.0;
      for (int step = 1; step < 3 && ends && d != failed; ++step) do
          sum += ++count;
        while (count < d % 5);
      const auto place = static_cast<std::size_t>(d / tile * 2 * tile + d % tile);
      EXPECT_EQ(motions[place], count) << d;
      EXPECT_EQ(motions[place + tile], sum) << d;
      EXPECT_EQ(reached[static_cast<std::size_t>(d)], ends && d != failed ? 3 : 1) << d;
    }
  }
}

TEST(DeviceCompiler, CompilesWhatIsEmittedOrSaysWhatIsWrong) {
  if (device_compiler().empty()) GTEST_SKIP() << "no NVRTC";
  const std::string image = compiled_for_device(counting_steps(DeviceKind::gpu, true), "sm_90");
  EXPECT_EQ(image.substr(0, 4),
            "\x7f"
            "ELF");
  EXPECT_NE(image.find("step"), std::string::npos);
  try {
    compiled_for_device("int f( {", "sm_90");
    ADD_FAILURE() << "compiled";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("steps.cu"), std::string::npos) << error.what();
  }
  EXPECT_THROW(compiled_for_device("", "sm_1"), Error);
}

}  // namespace
}  // namespace gradus::specialise
