// HDF5 files: what HDF5 itself reads from them, equal bytes, and nothing left of those that fail.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "gradus/error.hpp"
#include "gradus/run.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/summary.hpp"
#include "tests/unit/results/read_hdf5.hpp"
#include "tests/unit/results/sample_result.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::results {
namespace {

using test::Hdf5File;
using Names = std::vector<std::string>;
using Extents = std::vector<hsize_t>;

class Hdf5Test : public test::TemporaryFolder {
 protected:
  // A file of 8 kB and more, of every kind of array.
  static void write(const std::filesystem::path& file) {
    const auto writer = hdf5_writer(file);
    const std::vector<NamedUnit> things{{"mass", "kg"}, {"length", "m"}};
    writer->add_numbers("values", {{{"design", 500}, {"parameter", things}}},
                        test::numbers(1000, 1.0));
    writer->add_integers("codes", "design", {1, -2, 3});
    writer->add_strings("names", "thing", {"mass", "", "länge"});
    writer->finish();
  }

  // What writing with files limited to so many bytes says; a limit stands for a full disk.
  std::string message_of_limited(rlim_t bytes, const std::filesystem::path& file) {
    const auto old_handler = signal(SIGXFSZ, SIG_IGN);
    rlimit old_limit{};
    getrlimit(RLIMIT_FSIZE, &old_limit);
    const rlimit limit{bytes, old_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string message;
    try {
      write(file);
    } catch (const FileError& error) {
      message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &old_limit);
    signal(SIGXFSZ, old_handler);
    return message;
  }
};

TEST_F(Hdf5Test, HoldsArraysOfTheResult) {
  Result result = test::sample_result(2);
  test::fail_design(result, 1);
  write_results(path("out"), result, {}, {.hdf5 = true});
  EXPECT_EQ(names_in(path("out")),
            (std::set<std::string>{"gradient.npz", "gradient.h5", "summary.json"}));
  const Hdf5File file(path("out/gradient.h5"));
  EXPECT_EQ(file.shape("gradient"), (Extents{2, 3, 2}));
  EXPECT_EQ(file.numbers("parameter_values"), result.parameter_values);
  const std::vector<double> gradient = file.numbers("gradient");
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(gradient[i], result.gradient[i]);
  EXPECT_TRUE(std::isnan(gradient[6]));
  EXPECT_EQ(file.integers("status_codes"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(file.strings("status_messages"), (Names{"", "Newton's method does not converge"}));
  EXPECT_EQ(file.numbers("status_times"), (std::vector<double>{0.0, 0.25}));
  EXPECT_EQ(file.strings("objective_names"), (Names{"psi1", "psi2", "ψ3"}));
}

TEST_F(Hdf5Test, DescribesArraysByAttributes) {
  write_results(path("out"), test::sample_result(2), {}, {.hdf5 = true});
  const Hdf5File file(path("out/gradient.h5"));
  EXPECT_EQ(file.attribute("/", "gradus_version"), Names{version()});
  EXPECT_EQ(file.attribute("objective_values", "axes"), (Names{"design", "objective"}));
  EXPECT_EQ(file.attribute("objective_values", "columns"), (Names{"psi1", "psi2", "ψ3"}));
  EXPECT_EQ(file.attribute("objective_values", "column_units"), (Names{"m^2 s", "", "N m"}));
  EXPECT_FALSE(file.has_attribute("objective_values", "rows"));
  EXPECT_EQ(file.attribute("gradient", "axes"), (Names{"design", "objective", "parameter"}));
  EXPECT_EQ(file.attribute("gradient", "rows"), (Names{"psi1", "psi2", "ψ3"}));
  EXPECT_EQ(file.attribute("gradient", "columns"), (Names{"mass", "length"}));
  EXPECT_EQ(file.attribute("status_times", "unit"), Names{"s"});
}

TEST_F(Hdf5Test, HoldsTrajectories) {
  Result result = test::sample_result(2);
  result.trajectories = {test::sample_trajectory(0, 3), test::sample_trajectory(1, 2)};
  write_results(path("out"), result, {}, {.hdf5 = true});
  const Hdf5File file(path("out/trajectory.h5"));
  EXPECT_EQ(file.shape("sensors"), (Extents{2, 3, 4}));
  const std::vector<double> sensors = file.numbers("sensors");
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(sensors[i], result.trajectories[0].sensors[i]);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(sensors[12 + i], result.trajectories[1].sensors[i]);
  EXPECT_TRUE(std::isnan(sensors[20]));
  EXPECT_EQ(file.attribute("time", "unit"), Names{"s"});
}

TEST_F(Hdf5Test, GoesWithTheResultsItBelongsTo) {
  Result result = test::sample_result();
  result.trajectories = {test::sample_trajectory(0, 3)};
  write_results(path("out"), result, {}, {.hdf5 = true});
  EXPECT_TRUE(std::filesystem::exists(path("out/trajectory.h5")));
  write_results(path("out"), test::sample_result());
  EXPECT_EQ(names_in(path("out")), (std::set<std::string>{"gradient.npz", "summary.json"}));
}

TEST_F(Hdf5Test, TakesPiecesOfAnyLength) {
  const std::vector<double> values = test::numbers(120, 1.0);
  const ArrayDescription description{{{"a", 2}, {"b", 3}, {"c", 4}, {"d", 5}}};
  for (const std::size_t length : {1, 3, 7, 20, 33, 61, 119, 120}) {
    std::vector<std::span<const double>> pieces{{}};
    for (std::size_t i = 0; i < values.size(); i += length)
      pieces.push_back(std::span(values).subspan(i, std::min(length, values.size() - i)));
    const auto writer = hdf5_writer(path("a.h5"));
    writer->add_numbers("values", description, pieces);
    writer->finish();
    const Hdf5File file(path("a.h5"));
    EXPECT_EQ(file.shape("values"), (Extents{2, 3, 4, 5}));
    EXPECT_EQ(file.numbers("values"), values) << length;
  }
}

TEST_F(Hdf5Test, RefusesPiecesThatDoNotFit) {
  const auto writer = hdf5_writer(path("a.h5"));
  const std::vector<double> values(5);
  EXPECT_THROW(writer->add_numbers("few", {{{"a", 2}, {"b", 3}}}, values), std::logic_error);
  EXPECT_THROW(writer->add_numbers("many", {{{"a", 2}, {"b", 2}}}, values), std::logic_error);
}

TEST_F(Hdf5Test, HoldsEmptyArrays) {
  const auto writer = hdf5_writer(path("a.h5"));
  writer->add_numbers("values", {{{"design", 3}, {"parameter", 0}}}, std::span<const double>());
  writer->add_strings("names", "parameter", {});
  writer->finish();
  const Hdf5File file(path("a.h5"));
  EXPECT_EQ(file.shape("values"), (Extents{3, 0}));
  EXPECT_EQ(file.shape("names"), (Extents{0}));
}

TEST_F(Hdf5Test, ReplacesWhatIsNoText) {
  const auto writer = hdf5_writer(path("a.h5"));
  writer->add_strings("names", "name", {"a\xFFz", "\xE2\x82"});
  writer->finish();
  EXPECT_EQ(Hdf5File(path("a.h5")).strings("names"),
            (Names{"a\xEF\xBF\xBDz", "\xEF\xBF\xBD\xEF\xBF\xBD"}));
}

// Beyond 64 KiB attributes are kept in another place of the file.
TEST_F(Hdf5Test, HoldsNamesOfVeryManyColumns) {
  std::vector<NamedUnit> things;
  Names names;
  for (int i = 0; i < 20000; ++i) {
    names.push_back("stiffness[" + std::to_string(i) + "]");
    things.push_back({names.back(), "N/m"});
  }
  for (const char* name : {"a.h5", "b.h5"}) {
    const auto writer = hdf5_writer(path(name));
    writer->add_numbers("values", {{{"design", 1}, {"parameter", things}}},
                        test::numbers(20000, 1.0));
    writer->finish();
  }
  const Hdf5File file(path("a.h5"));
  EXPECT_EQ(file.attribute("values", "columns"), names);
  EXPECT_EQ(file.attribute("values", "column_units").back(), "N/m");
  EXPECT_EQ(content(path("a.h5")), content(path("b.h5")));
}

TEST_F(Hdf5Test, EqualArraysGiveEqualBytes) {
  write(path("a.h5"));
  // At another time, and with other memory in use.
  const std::vector<std::string> noise(1000, std::string(777, '\x5A'));
  const timespec pause{1, 100'000'000};
  nanosleep(&pause, nullptr);
  write(path("b.h5"));
  EXPECT_EQ(content(path("a.h5")), content(path("b.h5")));
  EXPECT_EQ(content(path("a.h5")).find(std::string(16, '\x5A')), std::string::npos);
}

TEST_F(Hdf5Test, AppearsWhenFinishedOnly) {
  std::ofstream(path("a.h5")) << "old";
  {
    const auto writer = hdf5_writer(path("a.h5"));
    writer->add_integers("codes", "design", {1, 2});
    EXPECT_EQ(names().size(), 2u);
  }
  EXPECT_EQ(names(), std::set<std::string>{"a.h5"});
  EXPECT_EQ(content(path("a.h5")), "old");
}

TEST_F(Hdf5Test, AFullDiskLeavesNothing) {
  write(path("whole.h5"));
  const auto size = static_cast<rlim_t>(std::filesystem::file_size(path("whole.h5")));
  for (const rlim_t limit : {rlim_t{0}, rlim_t{100}, rlim_t{1000}, size / 2, size - 1}) {
    testing::internal::CaptureStderr();
    const std::string message = message_of_limited(limit, path("a.h5"));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_NE(message.find(path("a.h5").string()), std::string::npos) << limit << message;
    EXPECT_NE(message.find("File too large"), std::string::npos) << limit << message;
    EXPECT_EQ(names(), std::set<std::string>{"whole.h5"}) << limit;
  }
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  write(path("a.h5"));
  EXPECT_EQ(content(path("a.h5")), content(path("whole.h5")));
}

TEST_F(Hdf5Test, NamesFileAndReasonIfItCannotBeCreated) {
  try {
    write(path("nowhere/a.h5"));
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos);
  }
}

TEST_F(Hdf5Test, SignalHandlerRemovesTheTemporary) {
  const auto writer = hdf5_writer(path("a.h5"));
  writer->add_integers("codes", "design", {1, 2});
  EXPECT_EQ(names().size(), 1u);
  remove_unfinished_files();
  EXPECT_TRUE(names().empty());
}

extern "C" herr_t someone_elses(hid_t, void*) {
  return 0;
}

TEST_F(Hdf5Test, LeavesWhatTheProgramPrintsAlone) {
  H5E_auto2_t before = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  H5Eset_auto2(H5E_DEFAULT, someone_elses, nullptr);
  write(path("a.h5"));
  void* unused = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &after, &unused);
  H5Eset_auto2(H5E_DEFAULT, before, data);
  EXPECT_EQ(after, &someone_elses);
}

}  // namespace
}  // namespace gradus::results
