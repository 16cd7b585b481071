// Break-even tables in files. A file is what another program, or half of one, may have left.
#include "src/backend/break_even_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace gradus {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kBreakEvenSchema = "gradus-break-even/1";
constexpr std::uintmax_t kLargestFile = 1 << 20;  // bytes

OrderedJson json_of(const BreakEven& point) {
  return {{"method", point.method},
          {"bodies", point.bodies},
          {"parameters", point.parameters},
          {"designs", point.designs ? OrderedJson(*point.designs) : OrderedJson(nullptr)},
          {"fewest", point.fewest},
          {"most", point.most}};
}

// Each throws OrderedJson::exception for another type.
std::size_t count_at(const OrderedJson& object, const char* name) {
  const OrderedJson& value = object.at(name);
  if (!value.is_number_unsigned())
    throw OrderedJson::type_error::create(302, "not a count", &value);
  return value.get<std::size_t>();
}

BreakEven point_of(const OrderedJson& object) {
  BreakEven point;
  point.method = object.at("method").get<std::string>();
  point.bodies = count_at(object, "bodies");
  point.parameters = count_at(object, "parameters");
  if (!object.at("designs").is_null()) point.designs = count_at(object, "designs");
  point.fewest = count_at(object, "fewest");
  point.most = count_at(object, "most");
  return point;
}

BreakEvenTable table_of(const OrderedJson& document) {
  BreakEvenTable table;
  table.gpu = document.at("gpu").get<std::string>();
  table.threads = count_at(document, "threads");
  for (const OrderedJson& point : document.at("points")) table.points.push_back(point_of(point));
  return table;
}

std::optional<std::string> content(const std::string& file) {
  std::error_code error;
  // Reading from a pipe or a device would not end.
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kLargestFile) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return std::nullopt;
  return text;
}

// What is wrong with a document, or the table.
std::string judge(const OrderedJson& document, std::size_t threads, BreakEvenTable& table) {
  if (document.is_discarded()) return "it is not JSON";
  try {
    if (document.at("schema").get<std::string>() != kBreakEvenSchema)
      return "it has another schema";
    const std::string version = document.at("version").get<std::string>();
    if (version != GRADUS_VERSION) return "it is of version " + version + " of gradus";
    table = table_of(document);
  } catch (const OrderedJson::exception&) {
    return "it is damaged";
  }
  if (table.points.empty()) return "it holds no points";
  if (table.threads != threads)
    return "it was measured with " + std::to_string(table.threads) + " threads, here are " +
           std::to_string(threads);
  return "";
}

}  // namespace

std::string table_text(const BreakEvenTable& table) {
  OrderedJson document{{"schema", kBreakEvenSchema},
                       {"version", GRADUS_VERSION},
                       {"gpu", table.gpu},
                       {"threads", table.threads},
                       {"points", OrderedJson::array()}};
  for (const BreakEven& point : table.points) document["points"].push_back(json_of(point));
  return document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string break_even_file() {
  const auto absolute = [](const char* name) -> std::filesystem::path {
    const char* value = std::getenv(name);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();  // others are to be ignored
  };
  std::filesystem::path cache = absolute("XDG_CACHE_HOME");
  if (cache.empty()) {
    const std::filesystem::path home = absolute("HOME");
    if (home.empty()) return "";
    cache = home / ".cache";
  }
  return (cache / "gradus" / "break-even.json").string();
}

StoredTable read_break_even(const std::string& file, std::size_t threads) {
  StoredTable stored;
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return stored;
  const std::optional<std::string> text = content(file);
  BreakEvenTable table;
  const std::string wrong =
      text ? judge(OrderedJson::parse(*text, nullptr, false), threads, table) : "it cannot be read";
  if (wrong.empty())
    stored.table = std::move(table);
  else
    stored.remark = "the break-even table " + file + " is not used (" + wrong +
                    "); gradus bench --store makes a new one";
  return stored;
}

}  // namespace gradus
