// Chunks: what is kept, what is missing, and files that are damaged.
#include "src/study/sweep/chunk_store.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "gradus/error.hpp"
#include "tests/unit/study/scratch_folder.hpp"

namespace gradus {
namespace {

Chunk chunk_of(std::size_t first, std::size_t count) {
  Chunk chunk;
  chunk.range = {first, count};
  for (std::size_t d = first; d < first + count; ++d) {
    const auto number = static_cast<double>(d);
    chunk.parameter_values.push_back(number);
    chunk.objective_values.push_back(10.0 * number);
    chunk.gradient.push_back(100.0 * number);
    chunk.violation.insert(chunk.violation.end(), {number, 2.0 * number, 3.0 * number});
    chunk.passage.push_back(0.25 * number);
    chunk.status.push_back({d % 3 != 0, 0.5 * number, d % 3 != 0 ? "" : "failed"});
  }
  return chunk;
}

std::string text_of(const std::vector<DesignRange>& ranges) {
  std::string text;
  for (const DesignRange& range : ranges)
    text += std::to_string(range.first) + "+" + std::to_string(range.count) + " ";
  return text;
}

TEST(ChunkStore, KnowsWhatIsMissing) {
  ChunkStore store("");
  EXPECT_EQ(text_of(store.missing(10)), "0+10 ");
  store.add(chunk_of(4, 3));
  EXPECT_EQ(text_of(store.missing(10)), "0+4 7+3 ");
  store.add(chunk_of(0, 4));
  EXPECT_EQ(text_of(store.missing(10)), "7+3 ");
  store.add(chunk_of(7, 3));
  EXPECT_EQ(text_of(store.missing(10)), "");
}

TEST(ChunkStore, CutsRanges) {
  EXPECT_EQ(text_of(cut({{0, 5}, {8, 2}}, 2)), "0+2 2+2 4+1 8+2 ");
  EXPECT_EQ(text_of(cut({}, 2)), "");
}

TEST(ChunkStore, GivesBackWhatItWasGiven) {
  const ScratchFolder folder;
  for (const std::filesystem::path& place : {std::filesystem::path(), folder.path()}) {
    ChunkStore store(place);
    store.add(chunk_of(3, 4));
    store.add(chunk_of(0, 3));
    store.verify([](const std::string& problem) { FAIL() << problem; });
    const std::vector<StoredChunk> chunks = store.load();
    ASSERT_EQ(chunks.size(), 2u);
    EXPECT_EQ(chunks[1].content.range.first, 3u);
    EXPECT_EQ(chunks[1].content.objective_values, (std::vector<double>{30, 40, 50, 60}));
    EXPECT_EQ(chunks[1].gradient.size(), 4 * sizeof(double));
    EXPECT_EQ(chunks[0].content.violation, (std::vector<double>{0, 0, 0, 1, 2, 3, 2, 4, 6}));
    EXPECT_EQ(chunks[1].content.passage, (std::vector<double>{0.75, 1, 1.25, 1.5}));
    EXPECT_EQ(chunks[1].content.status[0].message, "failed");
    EXPECT_FALSE(chunks[1].content.status[0].ok);
    EXPECT_EQ(chunks[1].content.status[0].time, 1.5);
    EXPECT_TRUE(chunks[1].content.status[1].ok);
  }
}

TEST(ChunkStore, FindsWhatOthersWrote) {
  const ScratchFolder folder;
  ChunkStore mine(folder.path()), other(folder.path());
  mine.add(chunk_of(0, 2));
  other.add(chunk_of(2, 2));
  mine.look_again();
  EXPECT_EQ(text_of(mine.missing(4)), "");
  EXPECT_EQ(text_of(ChunkStore(folder.path()).missing(5)), "4+1 ");
}

TEST(ChunkStore, OverlappingChunksCountOnce) {
  const ScratchFolder folder;
  ChunkStore(folder.path()).add(chunk_of(0, 4));
  ChunkStore(folder.path()).add(chunk_of(2, 4));
  EXPECT_EQ(text_of(ChunkStore(folder.path()).missing(8)), "4+4 ");
}

TEST(ChunkStore, OtherFilesAreNotChunks) {
  const ScratchFolder folder;
  for (const char* name : {"chunk-0-.npz", "chunk--4.npz", "chunk-0-4", "chunk-0-4.npz.part",
                           "chunk-x-4.npz", "chunk-0-0.npz", ".chunk-0-4.npz.1-2.part"})
    std::ofstream(folder.path() / name) << "x";
  EXPECT_EQ(text_of(ChunkStore(folder.path()).missing(4)), "0+4 ");
}

TEST(ChunkStore, DamagedFilesAreMissing) {
  const ScratchFolder folder;
  ChunkStore store(folder.path());
  store.add(chunk_of(0, 2));
  store.add(chunk_of(2, 2));
  const std::filesystem::path file = folder.path() / "chunk-0-2.npz";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  std::vector<std::string> problems;
  store.verify([&](const std::string& problem) { problems.push_back(problem); });
  EXPECT_EQ(store.load().size(), 1u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("chunk-0-2.npz"), std::string::npos) << problems[0];
  EXPECT_EQ(text_of(store.missing(4)), "0+2 ");
}

TEST(ChunkStore, FilesThatCannotBeReadAreKept) {
  const ScratchFolder folder;
  ChunkStore store(folder.path());
  store.add(chunk_of(0, 2));
  const std::filesystem::path file = folder.path() / "chunk-0-2.npz";
  std::filesystem::rename(file, folder.path() / "aside");
  std::filesystem::create_directory(file);  // not readable, whoever asks
  EXPECT_THROW(store.verify([](const std::string&) {}), FileError);
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(ChunkStore, JoinsNeighbours) {
  const ScratchFolder folder;
  ChunkStore store(folder.path());
  for (std::size_t d = 0; d < 20; ++d)
    if (d != 7) store.add(chunk_of(d, 1));
  store.compact(5);
  EXPECT_EQ(text_of(store.missing(20)), "7+1 ");
  store.look_again();
  EXPECT_EQ(text_of(store.missing(20)), "7+1 ");
  std::vector<double> values, violations, passages;
  for (const StoredChunk& chunk : store.load()) {
    append(chunk.content.violation, violations);
    append(chunk.content.passage, passages);
    values.insert(values.end(), chunk.content.objective_values.begin(),
                  chunk.content.objective_values.end());
  }
  ASSERT_EQ(values.size(), 19u);
  ASSERT_EQ(violations.size(), 3 * 19u);
  EXPECT_EQ(violations[3 * 8 + 2], 3.0 * 9.0);
  ASSERT_EQ(passages.size(), 19u);
  EXPECT_EQ(passages[8], 0.25 * 9.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], 10.0 * static_cast<double>(i < 7 ? i : i + 1));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++files;
  EXPECT_LE(files, 6u);
}

}  // namespace
}  // namespace gradus
