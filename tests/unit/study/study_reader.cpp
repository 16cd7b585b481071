// Study files: what concerns all verbs, and copies of them beside results.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "gradus/gradus.hpp"
#include "tests/unit/study/scratch_folder.hpp"

namespace gradus {
namespace {

constexpr const char* model = R"({
  "schema": "gradus-model/1", "name": "slider", "parameters": { "m": 2, "k": 3 },
  "bodies": { "mass": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "mass",
                         "initial": { "position": 1, "velocity": 0 } } },
  "forces": { "spring": { "type": "torsional-spring-damper", "joint": "slide", "stiffness": "k" } },
  "sensors": { "x": { "coordinate": "slide" } },
  "objectives": { "f": { "integral": "x^2" } },
  "analysis": { "duration": 0.1, "step": 0.01 }
})";

constexpr const char* sweep_section =
    R"("sweep": { "sampling": "random", "designs": 4, "parameters": { "m": { "from": 1, "to": 2 } } })";

class StudyReader : public testing::Test {
 protected:
  StudyReader() { write("model.json", model); }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }

  std::filesystem::path study(const std::string& members) {
    return write(
        "study.json",
        R"({ "schema": "gradus-study/1", "name": "s", "model": "model.json", )" + members + "}");
  }

  // The message of the error that reading gives.
  std::string mistake(const std::string& members) {
    try {
      read_study(study(members));
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  void expect_mistake(const std::string& members, const std::vector<std::string>& says) {
    const std::string message = mistake(members);
    for (const std::string& text : says)
      EXPECT_NE(message.find(text), std::string::npos) << members << ": " << message;
  }

  ScratchFolder folder_;
};

TEST_F(StudyReader, ReadsWhatConcernsAllVerbs) {
  const Study s = read_study(study(std::string(sweep_section) + R"(, "description": "d",
      "options": { "backend": "cpu:1", "method": "adjoint", "step": "1/50", "duration": 0.2,
                   "formulation": "index1", "integrator": "rk4" }, "set": { "k": "2*2" })"));
  EXPECT_EQ(s.name, "s");
  EXPECT_EQ(s.description, "d");
  EXPECT_EQ(s.model.name, "slider");
  EXPECT_EQ(s.options.backend, "cpu:1");
  EXPECT_EQ(s.options.method, "adjoint");
  EXPECT_EQ(s.options.step, 0.02);
  EXPECT_EQ(s.options.duration, 0.2);
  EXPECT_EQ(s.options.formulation, "index1");
  EXPECT_EQ(s.options.integrator, "rk4");
  EXPECT_EQ(s.options.set.at("k"), 4.0);
  ASSERT_TRUE(s.sweep.has_value());
  ASSERT_EQ(s.files.size(), 2u);
  EXPECT_EQ(s.files[1].reference, "model.json");
  EXPECT_EQ(s.files[1].content, model);
}

TEST_F(StudyReader, SetValuesAreUsed) {
  const auto values = [&](const std::string& more) {
    return sweep(read_study(study(std::string(sweep_section) + more))).parameter_values;
  };
  EXPECT_EQ(values("")[1], 3.0);
  EXPECT_EQ(values(R"(, "set": { "k": 5 })")[1], 5.0);
}

TEST_F(StudyReader, SaysWhatIsWrong) {
  const std::string sweep = std::string(sweep_section) + ", ";
  expect_mistake(R"("description": "d")", {"study.json", "nothing to compute", "\"sweep\""});
  expect_mistake(sweep + R"("optins": {})", {"\"optins\"", "did you mean \"options\"?"});
  expect_mistake(sweep + R"("options": { "method": "adjont" })",
                 {"/options/method", "did you mean \"adjoint\"?"});
  expect_mistake(sweep + R"("options": { "step": "x" })", {"/options/step"});
  expect_mistake(sweep + R"("set": { "q": 1 })", {"/set", "\"q\"", "\"m\""});
  expect_mistake(sweep + R"("set": { "k": "1/0" })", {"/set/k"});
  expect_mistake(R"("sweep": 1)", {"/sweep"});
}

TEST_F(StudyReader, OtherSchemasAreRefused) {
  const auto file = write("other.json", R"({ "schema": "gradus-study/2", "anything": 1 })");
  try {
    read_study(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("gradus-study/1"), std::string::npos) << error.what();
  }
}

TEST_F(StudyReader, FilesThatAreNotThereAreNamed) {
  EXPECT_THROW(read_study(folder_.path() / "nothing.json"), FileError);
  const auto file = write("other.json", R"({ "schema": "gradus-study/1", "name": "s",
      "model": "nowhere.json", )" + std::string(sweep_section) +
                                            "}");
  try {
    read_study(file);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere.json"), std::string::npos) << error.what();
  }
}

TEST_F(StudyReader, CopiesReadAsTheStudyDid) {
  const Study s = read_study(study(sweep_section));
  StudySettings settings;
  settings.folder = folder_.path() / "out";
  sweep(s, settings);
  write("model.json", "{}");
  const Study copy = read_study_of(settings.folder);
  EXPECT_EQ(copy.model.name, "slider");
  ASSERT_EQ(copy.files.size(), 2u);
  EXPECT_EQ(copy.files[0].content, s.files[0].content);
  EXPECT_THROW(read_study_of(folder_.path()), FileError);
}

TEST_F(StudyReader, ModelsMayBeCalledStudy) {
  write("study", model);
  const auto file = write("s.json", R"({ "schema": "gradus-study/1", "name": "s",
      "model": "study", )" + std::string(sweep_section) +
                                        "}");
  StudySettings settings;
  settings.folder = folder_.path() / "out";
  sweep(read_study(file), settings);
  EXPECT_EQ(read_study_of(settings.folder).model.name, "slider");
}

// They have no end, or nobody may ever write to them.
TEST_F(StudyReader, DevicesAndPipesAreNotRead) {
  const auto pipe = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& named : {std::string("/dev/zero"), pipe.string()}) {
    const auto file = write("other.json", R"({ "schema": "gradus-study/1", "name": "s",
        "model": ")" + named + "\", " + std::string(sweep_section) +
                                              "}");
    try {
      read_study(file);
      FAIL() << named;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(named + " (it is no regular file"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST_F(StudyReader, ResultsOfAnotherStudyAreLeftAlone) {
  StudySettings settings;
  settings.folder = folder_.path() / "out";
  sweep(read_study(study(sweep_section)), settings);
  const Study other = read_study(study(std::string(sweep_section) + R"(, "set": { "k": 5 })"));
  for (const auto existing : {ExistingResults::refuse, ExistingResults::resume}) {
    settings.existing = existing;
    EXPECT_THROW(sweep(other, settings), InputError);
  }
  settings.existing = ExistingResults::overwrite;
  EXPECT_EQ(sweep(other, settings).parameter_values[1], 5.0);
  settings.existing = ExistingResults::resume;
  const SweepResult again = sweep(other, settings);
  EXPECT_TRUE(again.complete);
  EXPECT_TRUE(again.status.empty());  // nothing was left to do
}

}  // namespace
}  // namespace gradus
