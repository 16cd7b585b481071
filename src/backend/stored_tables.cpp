// Tables in files. A file may come from another program, or be cut short.
#include "src/backend/stored_tables.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "src/modules/cache_file.hpp"

namespace gradus {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SolverChoice, size, columns, systems, definite, solver, seconds)

namespace {

namespace files = std::filesystem;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr const char* kBreakEvenSchema = "gradus-break-even/1";
constexpr const char* kSolverSchema = "gradus-solvers/1";
constexpr std::uintmax_t kLargestFile = 1 << 20;  // bytes

// Nothing if it is no file of this size at most: reading from a pipe or a device would not end.
std::optional<std::string> text_of(const files::path& file) {
  std::error_code error;
  if (!files::is_regular_file(file, error) || files::file_size(file, error) > kLargestFile || error)
    return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return {};
  return text;
}

// Throws OrderedJson::exception for what is none.
BreakEvenTable break_even_of(const OrderedJson& document) {
  const auto count = [](const OrderedJson& object, const char* name) {
    const OrderedJson& value = object.at(name);
    if (!value.is_number_unsigned())
      throw OrderedJson::type_error::create(302, "not a count", &value);
    return value.get<std::size_t>();
  };
  BreakEvenTable table{document.at("gpu"), count(document, "threads"), {}};
  for (const OrderedJson& json : document.at("points")) {
    BreakEven point{json.at("method"),     count(json, "bodies"), count(json, "parameters"), {},
                    count(json, "fewest"), count(json, "most")};
    if (!json.at("designs").is_null()) point.designs = count(json, "designs");
    table.points.push_back(point);
  }
  return table;
}

// What is wrong with a file, or its table.
std::string judge(const files::path& file, std::size_t threads, BreakEvenTable& table) {
  const std::optional<std::string> text = text_of(file);
  if (!text) return "it cannot be read";
  const OrderedJson document = OrderedJson::parse(*text, nullptr, false);
  if (document.is_discarded()) return "it is not JSON";
  try {
    if (document.at("schema").get<std::string>() != kBreakEvenSchema)
      return "it has another schema";
    const std::string version = document.at("version").get<std::string>();
    if (version != GRADUS_VERSION) return "it is of version " + version + " of gradus";
    table = break_even_of(document);
  } catch (const OrderedJson::exception&) {
    return "it is damaged";
  }
  if (table.points.empty()) return "it holds no points";
  if (table.threads != threads)
    return "it was measured with " + std::to_string(table.threads) + " threads, here are " +
           std::to_string(threads);
  return "";
}

[[noreturn]] void reject_table(const files::path& file, const std::string& why) {
  throw FileError(file.string() + ": is no table of solvers (" + why +
                  "), remove it or measure again");
}

void check_choice(const SolverChoice& choice, const files::path& file) {
  if (choice.size < 1 || choice.columns < 1 || choice.systems < 1)
    reject_table(file, "found a shape with a number below 1");
  if (!solver_named(choice.solver)) reject_table(file, "found solver \"" + choice.solver + "\"");
}

}  // namespace

std::string break_even_text(const BreakEvenTable& table) {
  OrderedJson document{{"schema", kBreakEvenSchema},
                       {"version", GRADUS_VERSION},
                       {"gpu", table.gpu},
                       {"threads", table.threads},
                       {"points", OrderedJson::array()}};
  for (const BreakEven& point : table.points)
    document["points"].push_back(
        {{"method", point.method},
         {"bodies", point.bodies},
         {"parameters", point.parameters},
         {"designs", point.designs ? OrderedJson(*point.designs) : OrderedJson(nullptr)},
         {"fewest", point.fewest},
         {"most", point.most}});
  return document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string break_even_file() {
  return cache_file("break-even.json").string();
}

StoredBreakEven read_break_even(const std::string& file, std::size_t threads) {
  StoredBreakEven stored;
  std::error_code error;
  if (file.empty() || !files::exists(file, error)) return stored;
  BreakEvenTable table;
  const std::string wrong = judge(file, threads, table);
  if (wrong.empty())
    stored.table = std::move(table);
  else
    stored.remark = "the break-even table " + file + " is not used (" + wrong +
                    "); gradus bench --store makes a new one";
  return stored;
}

// The hardware in small letters, digits and single dashes.
files::path table_file(const std::string& hardware) {
  std::string name = "solvers";
  bool dash = true;
  for (const unsigned char letter : hardware) {
    const bool plain = std::isalnum(letter) != 0;
    if (plain && dash) name += '-';
    if (plain) name += static_cast<char>(std::tolower(letter));
    dash = !plain;
  }
  return cache_file(name + ".json");
}

void store_table(const SolverTable& table, const files::path& file) {
  if (file.empty())
    throw FileError(
        "the table of solvers cannot be stored (there is no cache folder), set XDG_CACHE_HOME or "
        "HOME");
  std::error_code error;
  files::create_directories(file.parent_path(), error);
  const files::path draft = file.string() + "." + std::to_string(getpid());
  std::ofstream stream(draft);
  const Json document{{"schema", kSolverSchema},
                      {"device", table.device},
                      {"measured", table.measured},
                      {"choices", table.choices}};
  stream << document.dump(1) << "\n";
  stream.close();
  if (stream) files::rename(draft, file, error);
  if (stream && !error) return;
  std::error_code none;
  files::remove(draft, none);
  throw FileError(file.string() + ": cannot be written" +
                  (error ? " (" + error.message() + ")" : ""));
}

SolverTable read_table(const files::path& file) {
  const std::optional<std::string> text = text_of(file);
  if (!text) throw FileError(file.string() + ": cannot be read");
  try {
    const Json json = Json::parse(*text);
    if (json.at("schema") != kSolverSchema)
      reject_table(file,
                   "its schema is " + json.at("schema").dump() + ", not \"" + kSolverSchema + "\"");
    SolverTable table{json.at("device"), json.at("measured"), file.string(), json.at("choices")};
    for (const SolverChoice& choice : table.choices) check_choice(choice, file);
    // Numbers that an int cannot hold come back as others.
    if (Json(table.choices) != json.at("choices"))
      reject_table(file, "its choices are not of the form that gradus writes");
    return table;
  } catch (const Json::exception& error) {
    reject_table(file, error.what());
  }
}

SolverTable table_of(const Device& device) {
  SolverTable built_in = built_in_table(device);
  const files::path file = table_file(built_in.device);
  std::error_code none;
  if (file.empty() || !files::exists(file, none)) return built_in;
  try {
    return read_table(file);
  } catch (const FileError& error) {
    built_in.origin += "; " + std::string(error.what());
    return built_in;
  }
}

}  // namespace gradus
