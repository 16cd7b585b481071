// Journals: what survives crashes, full disks and changes.
#include "src/study/starts.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>

#include "gradus/error.hpp"

namespace gradus::test {
namespace {

namespace fs = std::filesystem;

class JournalTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              ("journal-" + std::string(info->name()) + "-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file(int rank) const {
    return folder_ / ("evaluations-" + std::to_string(rank) + ".journal");
  }

  fs::path folder_;
};

Request request(std::size_t task, std::size_t number) {
  return {task, number, {0.1 * static_cast<double>(task), static_cast<double>(number)}};
}

// Records of equal size.
void fill(const fs::path& folder, int rank, std::size_t count = 3) {
  Journal journal(folder, rank);
  for (std::size_t k = 0; k < count; ++k)
    journal.append({request(7, k)}, {{1.0 / 3.0, static_cast<double>(k)}});
}

TEST_F(JournalTest, RemembersToTheBit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  {
    Journal journal(folder_, 0);
    journal.append({request(0, 0), request(1, 0)}, {{1.0 / 3.0, -0.0, nan}, {}});
  }
  const Journal journal(folder_, 0);
  ASSERT_EQ(journal.records().size(), 2U);
  const Answer* answer = journal.find(request(0, 0));
  ASSERT_NE(answer, nullptr);
  ASSERT_EQ(answer->size(), 3U);
  EXPECT_EQ((*answer)[0], 1.0 / 3.0);
  EXPECT_TRUE(std::signbit((*answer)[1]));
  EXPECT_TRUE(std::isnan((*answer)[2]));
  ASSERT_NE(journal.find(request(1, 0)), nullptr);
  EXPECT_TRUE(journal.find(request(1, 0))->empty());
  EXPECT_EQ(journal.find(request(1, 1)), nullptr);
}

TEST_F(JournalTest, OfAnotherPointIsRefused) {
  fill(folder_, 0);
  const Journal journal(folder_, 0);
  Request other = request(7, 1);
  other.point[0] = std::nextafter(other.point[0], 1.0);
  try {
    journal.find(other);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("evaluation 1 of start 7"), std::string::npos)
        << error.what();
  }
}

TEST_F(JournalTest, CutAnywhereKeepsWholeRecords) {
  fill(folder_, 0);
  const auto size = fs::file_size(file(0));
  const fs::path whole = folder_ / "whole";
  fs::copy_file(file(0), whole);
  ASSERT_EQ(size % 3, 0U);
  for (std::uintmax_t cut = 0; cut <= size; ++cut) {
    fs::copy_file(whole, file(0), fs::copy_options::overwrite_existing);
    fs::resize_file(file(0), cut);
    {
      Journal journal(folder_, 0);
      ASSERT_EQ(journal.records().size(), cut / (size / 3)) << cut;
      journal.append({request(8, 0)}, {{4.0}});
    }
    const Journal again(folder_, 0);
    ASSERT_EQ(again.records().size(), cut / (size / 3) + 1) << cut;
    ASSERT_NE(again.find(request(8, 0)), nullptr) << cut;
  }
}

TEST_F(JournalTest, FlippedByteEndsWhatIsRead) {
  fill(folder_, 0);
  const auto size = fs::file_size(file(0)) / 3;
  const fs::path whole = folder_ / "whole";
  fs::copy_file(file(0), whole);
  for (std::uintmax_t at = 0; at < size; ++at) {
    fs::copy_file(whole, file(0), fs::copy_options::overwrite_existing);
    std::fstream stream(file(0), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(size + at));
    const char byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(static_cast<std::streamoff>(size + at));
    stream.put(byte);
    stream.close();
    const Journal journal(folder_, 0);
    ASSERT_EQ(journal.records().size(), 1U) << at;
    ASSERT_EQ(fs::file_size(file(0)), size) << at;
  }
}

TEST_F(JournalTest, ZerosAreNoRecords) {
  fill(folder_, 0);
  const auto size = fs::file_size(file(0));
  fs::resize_file(file(0), size + 4096);
  const Journal journal(folder_, 0);
  EXPECT_EQ(journal.records().size(), 3U);
  EXPECT_EQ(fs::file_size(file(0)), size);
}

TEST_F(JournalTest, ReadsTheFilesOfAllAndWritesItsOwn) {
  fill(folder_, 0, 2);
  const auto size = fs::file_size(file(0));
  std::ofstream(folder_ / "notes.txt") << "not a journal";
  {
    Journal journal(folder_, 1);
    EXPECT_EQ(journal.records().size(), 2U);
    journal.append({request(9, 0)}, {{5.0}});
  }
  EXPECT_EQ(fs::file_size(file(0)), size);
  const Journal journal(folder_, 2);
  EXPECT_EQ(journal.records().size(), 3U);
  EXPECT_TRUE(fs::exists(file(2)));
}

TEST_F(JournalTest, TornRecordsOfOthersStay) {
  fill(folder_, 0);
  const auto size = fs::file_size(file(0));
  fs::resize_file(file(0), size - 1);
  const Journal journal(folder_, 1);
  EXPECT_EQ(journal.records().size(), 2U);
  EXPECT_EQ(fs::file_size(file(0)), size - 1);  // another process may be writing it
}

TEST_F(JournalTest, FullDiskLeavesWholeRecords) {
  fill(folder_, 0);
  const auto size = fs::file_size(file(0));
  Journal journal(folder_, 0);
  // A limit on the size of files stands for the end of the disk.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = size + 10;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(journal.append({request(7, 3)}, {{1.0}}), FileError);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(fs::file_size(file(0)), size);
  EXPECT_EQ(journal.find(request(7, 3)), nullptr);
  journal.append({request(7, 3)}, {{1.0}});
  EXPECT_EQ(Journal(folder_, 1).records().size(), 4U);
}

TEST_F(JournalTest, MissingFolderIsAnError) {
  EXPECT_THROW(Journal(folder_ / "missing", 0), FileError);
}

TEST_F(JournalTest, RemembersWithoutAFolder) {
  Journal journal({}, 0);
  journal.append({request(0, 0)}, {{1.0}});
  ASSERT_NE(journal.find(request(0, 0)), nullptr);
}

TEST_F(JournalTest, AsksOnlyForWhatIsNotKnown) {
  fill(folder_, 0);
  Journal journal(folder_, 0);
  std::size_t asked = 0;
  const Evaluate evaluate = journal.remembering([&](const std::vector<Request>& requests) {
    asked += requests.size();
    std::vector<Answer> answers;
    for (const Request& r : requests) answers.push_back({static_cast<double>(100 * r.task)});
    return answers;
  });
  const std::vector<Request> requests = {request(6, 0), request(7, 2), request(8, 0)};
  const std::vector<Answer> expected = {{600.0}, {1.0 / 3.0, 2.0}, {800.0}};
  EXPECT_EQ(evaluate(requests), expected);
  EXPECT_EQ(asked, 2U);
  EXPECT_EQ(evaluate(requests), expected);
  EXPECT_EQ(asked, 2U);
  EXPECT_EQ(Journal(folder_, 0).records().size(), 5U);
}

}  // namespace
}  // namespace gradus::test
