// What backend texts mean, and what is said of those that cannot run.
#include "src/backend/choice.hpp"

#include "src/backend/device.hpp"
#include "tests/backend/five_bar.hpp"
#include "tests/support/messages.hpp"

namespace gradus::test {
namespace {

std::string chosen(const std::string& text, std::size_t designs = 1) {
  return choose_backend(text, {designs}, {}).name();
}

void expect_rejected(const std::string& text, const std::string& why) {
  const std::string message = message_of<InputError>([&] { choose_backend(text, {}, {}); });
  EXPECT_NE(message.find("\"" + text + "\""), std::string::npos) << message;
  EXPECT_NE(message.find(why), std::string::npos) << message;
}

TEST(BackendChoice, ReadsBackendsOfTheHost) {
  EXPECT_EQ(chosen("cpu:2"), "cpu:2");
  EXPECT_EQ(chosen("cpu:4096"), "cpu:4096");
  EXPECT_EQ(chosen("cpu").rfind("cpu:", 0), 0U);
  EXPECT_GE(choose_backend("cpu", {}, {}).threads, 1);
  EXPECT_EQ(chosen("debug"), "debug");
}

TEST(BackendChoice, TellsWhatWasAskedForFromWhatIsTaken) {
  EXPECT_TRUE(read_backend("auto").is_automatic());
  EXPECT_EQ(read_backend("cpu").number, -1);
  EXPECT_EQ(read_backend("cpu:7").number, 7);
  // Whether it is there is not asked.
  EXPECT_EQ(read_backend("cuda:9").kind, BackendKind::cuda);
  EXPECT_EQ(read_backend("cuda:9").number, 9);
}

TEST(BackendChoice, RejectsWhatIsNoBackend) {
  for (const char* text : {"", "gpu", "CPU", "cpu ", " cpu", "cuda0", "auto:1"})
    expect_rejected(text, "unknown backend");
  for (const char* text : {"cpu:0", "cpu:", "cpu:-1", "cpu:two", "cpu:2x", "cpu:4097",
                           "cpu:99999999999999999999", "cpu:1:2"})
    expect_rejected(text, "whole number from 1 to 4096");
  for (const char* text : {"cuda:-1", "cuda:", "cuda:x", "cuda:65536"})
    expect_rejected(text, "whole number from 0 to 65535");
  expect_rejected("debug:1", "takes no number");
}

TEST(BackendChoice, ReachesTheResult) {
  EXPECT_EQ(simulate(five_bar(), short_run("cpu:2", 1)).backend, "cpu:2");
  EXPECT_EQ(simulate(five_bar(), short_run("debug", 1)).backend, "debug");
  EXPECT_THROW(simulate(five_bar(), short_run("nonsense", 1)), InputError);
}

// Where there is no choice there is nothing to say; who has a GPU is told what becomes of it.
TEST(BackendChoice, AutomaticSpeaksOfAGpuWhereThereIsOne) {
  std::vector<std::string> lines;
  const auto log = [&](const std::string& line) { lines.push_back(line); };
  EXPECT_EQ(choose_backend("auto", {}, log).kind, BackendKind::cpu);
  EXPECT_TRUE(lines.empty()) << lines[0];

  const BackendChoice choice = choose_backend("auto", {131'072, 4, 5, "direct", 1}, log);
  if (!cuda_obstacle(0).empty()) {
    EXPECT_EQ(choice.kind, BackendKind::cpu);
    EXPECT_TRUE(lines.empty()) << lines[0];
    return;
  }
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("backend: auto chose " + choice.name()), std::string::npos) << lines[0];
}

TEST(BackendChoice, AutomaticMayBeSilent) {
  EXPECT_EQ(choose_backend("auto", {}, {}).kind, BackendKind::cpu);
}

TEST(CudaChoice, WithoutAGpuIsAnErrorWithAReason) {
  const std::string obstacle = cuda_obstacle(0);
  if (obstacle.empty()) GTEST_SKIP() << "there is a usable GPU";
  for (const char* text : {"cuda", "cuda:0"}) {
    const std::string message = message_of<BackendError>([&] { choose_backend(text, {}, {}); });
    EXPECT_NE(message.find("cuda:0 cannot run here: " + obstacle), std::string::npos) << message;
  }
  EXPECT_GT(obstacle.size(), 10U) << obstacle;
  EXPECT_NE(message_of<BackendError>([] { make_cuda_device(0); }).find(obstacle),
            std::string::npos);
  EXPECT_THROW(simulate(five_bar(), short_run("cuda", 1)), BackendError);
}

TEST(BackendLines, NameEveryBackend) {
  const std::vector<std::string> lines = backend_lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].rfind("cpu: ", 0), 0U);
  EXPECT_EQ(lines[1].rfind("debug: ", 0), 0U);
  EXPECT_EQ(lines[2].rfind("cuda: ", 0), 0U);
  const std::string obstacle = cuda_obstacle(0);
  EXPECT_NE(lines[2].find(obstacle.empty() ? "cuda:0 (" : "not available (" + obstacle + ")"),
            std::string::npos)
      << lines[2];
}

}  // namespace
}  // namespace gradus::test
