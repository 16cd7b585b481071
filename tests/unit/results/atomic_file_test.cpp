// A file is complete or not there, and every failure names the file and the reason.
#include "src/results/atomic_file.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <string>

#include "gradus/error.hpp"
#include "tests/support/messages.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::results {
namespace {

using AtomicFileTest = test::TemporaryFolder;

TEST_F(AtomicFileTest, AppearsOnCommitOnly) {
  AtomicFile file(path("a.txt"));
  file.write("one ");
  file.write("two");
  EXPECT_EQ(file.size(), 7u);
  EXPECT_FALSE(std::filesystem::exists(path("a.txt")));
  EXPECT_EQ(names().size(), 1u);  // the temporary, in the same folder
  file.commit();
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
  EXPECT_EQ(content(path("a.txt")), "one two");
}

TEST_F(AtomicFileTest, LeavesTheOldFileIfDropped) {
  std::ofstream(path("a.txt")) << "old";
  {
    AtomicFile file(path("a.txt"));
    file.write("new");
  }
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
  EXPECT_EQ(content(path("a.txt")), "old");
}

TEST_F(AtomicFileTest, ReplacesTheOldFile) {
  std::ofstream(path("a.txt")) << "a longer old text";
  AtomicFile file(path("a.txt"));
  file.write("new");
  file.commit();
  EXPECT_EQ(content(path("a.txt")), "new");
}

TEST_F(AtomicFileTest, NamesFileAndReasonIfItCannotBeCreated) {
  const std::string message =
      test::message_of<FileError>([&] { AtomicFile file(path("nowhere") / "a.txt"); });
  EXPECT_NE(message.find(path("nowhere/a.txt").string()), std::string::npos) << message;
  EXPECT_NE(message.find("No such file or directory"), std::string::npos) << message;
}

TEST_F(AtomicFileTest, ReportsThatItCannotReplaceAFolder) {
  std::filesystem::create_directory(path("a.txt"));
  const std::string message = test::message_of<FileError>([&] {
    AtomicFile file(path("a.txt"));
    file.write("new");
    file.commit();
  });
  EXPECT_NE(message.find("directory"), std::string::npos) << message;
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

// A limit on the size of files stands for a full disk: the write fails half-way in the same manner.
TEST_F(AtomicFileTest, RemovesTheTemporaryIfTheDiskIsFull) {
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit limit{1000, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string message = test::message_of<FileError>([&] {
    AtomicFile file(path("a.txt"));
    file.write(std::string(5000, 'x'));
    file.commit();
  });
  setrlimit(RLIMIT_FSIZE, &old_limit);
  signal(SIGXFSZ, old_handler);
  EXPECT_NE(message.find(path("a.txt").string()), std::string::npos) << message;
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_TRUE(names().empty());
}

TEST_F(AtomicFileTest, SignalHandlerRemovesTemporaries) {
  AtomicFile first(path("a.txt"));
  AtomicFile second(path("b.txt"));
  EXPECT_EQ(names().size(), 2u);
  remove_unfinished_files();
  EXPECT_TRUE(names().empty());
}

TEST_F(AtomicFileTest, SignalHandlerSparesWhatIsComplete) {
  AtomicFile file(path("a.txt"));
  file.write("complete");
  file.commit();
  remove_unfinished_files();
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

TEST_F(AtomicFileTest, PrepareFolderCreatesParentsAndLeavesNothingInIt) {
  prepare_folder(path("a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(path("a/b/c")));
  EXPECT_TRUE(names_in(path("a/b/c")).empty());
  prepare_folder(path("a/b/c"));
}

TEST_F(AtomicFileTest, PrepareFolderRefusesAFile) {
  std::ofstream(path("a")) << "file";
  for (const char* name : {"a", "a/b"}) {
    const std::string message = test::message_of<FileError>([&] { prepare_folder(path(name)); });
    EXPECT_NE(message.find(path(name).string()), std::string::npos) << message;
    EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
  }
  EXPECT_EQ(content(path("a")), "file");
}

}  // namespace
}  // namespace gradus::results
