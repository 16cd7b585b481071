// Mesh files -> triangles. Their content is whatever a user has: nothing in it is trusted.
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/mesh.hpp"

namespace gradus {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

constexpr double largest_coordinate = 1e12;  // what is farther away is a mistake, or no number

[[noreturn]] void refuse_mesh(const std::string& why) {
  throw FileError(why);
}

// Splits text at blanks, line by line.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // a mark of UTF-8
  }

  // The next line without its end; false behind the last.
  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find_first_of("\r\n");
    line_ = rest_.substr(0, end);
    line_ = line_.substr(0, line_.find('#'));  // a comment
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return true;
  }

  // The next word of the line; empty if there is none.
  std::string_view next() {
    const std::size_t start = std::min(line_.find_first_not_of(" \t"), line_.size());
    line_.remove_prefix(start);
    const std::size_t end = std::min(line_.find_first_of(" \t"), line_.size());
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end);
    return word;
  }

 private:
  std::string_view rest_, line_;
};

// Text files have their words in capitals, too.
bool is_word(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char c, char expected) {
                      return std::tolower(static_cast<unsigned char>(c)) == expected;
                    });
}

double coordinate_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error == std::errc::invalid_argument || end != word.data() + word.size())
    refuse_mesh("it is damaged: a coordinate is no number");
  return error == std::errc() ? value : INFINITY;  // too large or too small for a number
}

std::array<double, 3> point_of(Words& words) {
  std::array<double, 3> point{};
  for (double& coordinate : point) coordinate = coordinate_of(words.next());
  return point;
}

bool is_near(const std::array<double, 3>& point) {
  return std::all_of(point.begin(), point.end(),
                     [](double x) { return std::abs(x) <= largest_coordinate; });
}

// Adds vertices and triangles within the limits; triangles with a vertex that is nowhere are left
// out.
class MeshBuilder {
 public:
  std::size_t vertices() const { return mesh_.vertices.size(); }

  void add_vertex(const std::array<double, 3>& point) {
    if (mesh_.vertices.size() >= most_vertices_read)
      refuse_mesh("it has more than " + std::to_string(most_vertices_read) + " vertices");
    mesh_.vertices.push_back(point);
  }

  void add_triangle(std::size_t a, std::size_t b, std::size_t c) {
    if (++triangles_ > most_triangles_read)
      refuse_mesh("it has more than " + std::to_string(most_triangles_read) + " triangles");
    for (const std::size_t vertex : {a, b, c})
      if (!is_near(mesh_.vertices.at(vertex))) return;
    mesh_.triangles.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                               static_cast<std::uint32_t>(c)});
  }

  Mesh finish() {
    if (mesh_.triangles.empty()) refuse_mesh("it holds no triangles");
    return std::move(mesh_);
  }

 private:
  Mesh mesh_;
  std::size_t triangles_ = 0;
};

// An 80 byte header, a count, and of each triangle its normal, its vertices and two bytes.
constexpr std::size_t stl_header = 84, stl_triangle = 50;

std::size_t stated_triangles(std::string_view content) {
  std::uint32_t count = 0;
  std::memcpy(&count, content.data() + 80, sizeof count);
  return count;
}

Mesh parse_binary_stl(std::string_view content) {
  MeshBuilder mesh;
  for (std::size_t k = 0; k < stated_triangles(content); ++k) {
    std::array<float, 9> numbers{};
    std::memcpy(numbers.data(), content.data() + stl_header + k * stl_triangle + 12,
                sizeof numbers);
    for (std::size_t i = 0; i < 9; i += 3)
      mesh.add_vertex({numbers[i], numbers[i + 1], numbers[i + 2]});
    mesh.add_triangle(3 * k, 3 * k + 1, 3 * k + 2);
  }
  return mesh.finish();
}

Mesh parse_text_stl(std::string_view content) {
  MeshBuilder mesh;
  std::size_t corners = 0;  // of the facet at hand
  for (Words words(content); words.next_line();) {
    const std::string_view word = words.next();
    if (is_word(word, "facet")) corners = 0;
    if (!is_word(word, "vertex")) continue;
    mesh.add_vertex(point_of(words));
    if (++corners == 3)
      mesh.add_triangle(mesh.vertices() - 3, mesh.vertices() - 2, mesh.vertices() - 1);
  }
  return mesh.finish();
}

bool is_text_stl(std::string_view content) {
  Words words(content);
  std::string_view first;
  while (first.empty() && words.next_line()) first = words.next();
  return is_word(first, "solid");
}

// Binary files may begin with "solid", too: they are told by their length.
Mesh parse_stl(std::string_view content) {
  const bool has_header = content.size() >= stl_header;
  const std::size_t binary = has_header ? stl_header + stl_triangle * stated_triangles(content) : 0;
  if (has_header && content.size() == binary) return parse_binary_stl(content);
  if (is_text_stl(content)) return parse_text_stl(content);
  if (has_header && content.size() > binary) return parse_binary_stl(content);
  refuse_mesh("it is damaged: it is shorter than it says, or no STL");
}

// "7", "7/1/3", "-1": the place of a vertex among those before.
std::size_t vertex_of(std::string_view word, std::size_t count) {
  long long number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number =
      error == std::errc() && (end == word.data() + word.size() || *end == '/') && number != 0;
  const auto there = static_cast<long long>(count);
  const long long index = number > 0 ? number - 1 : there + number;
  if (!is_number || index < 0 || index >= there)
    refuse_mesh("it is damaged: a face names a vertex that is not there");
  return static_cast<std::size_t>(index);
}

// A backslash at the end of a line continues it.
std::string with_joined_lines(std::string_view content) {
  std::string text(content);
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 1)) {
    const std::size_t ends = text.compare(at + 1, 2, "\r\n") == 0 ? 2 : 1;
    if (at + 1 < text.size() && (text[at + 1] == '\n' || text[at + 1] == '\r'))
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), ends + 1, ' ');
  }
  return text;
}

// Faces with more corners are fans of triangles.
Mesh parse_obj(std::string_view content) {
  MeshBuilder mesh;
  const std::string text = with_joined_lines(content);
  for (Words words(text); words.next_line();) {
    const std::string_view word = words.next();
    if (word == "v") mesh.add_vertex(point_of(words));
    if (word != "f") continue;
    std::size_t first = 0, before = 0, corners = 0;
    for (std::string_view corner = words.next(); !corner.empty(); corner = words.next()) {
      const std::size_t vertex = vertex_of(corner, mesh.vertices());
      if (++corners >= 3) mesh.add_triangle(first, before, vertex);
      if (corners == 1) first = vertex;
      before = vertex;
    }
  }
  return mesh.finish();
}

std::string content_of(const std::filesystem::path& file) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem)) refuse_mesh("there is no such file");
  if (!std::filesystem::is_regular_file(file, problem)) refuse_mesh("it is no regular file");
  const std::string limit = std::to_string(largest_mesh_file >> 20) + " MiB";
  const auto size = std::filesystem::file_size(file, problem);
  if (!problem && size > largest_mesh_file) refuse_mesh("it is larger than " + limit);
  std::ifstream stream(file, std::ios::binary);
  std::string content(problem ? 0 : static_cast<std::size_t>(size), '\0');
  stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (problem || !stream) refuse_mesh("its content cannot be had");
  return content;
}

MeshFormat format_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".stl") return MeshFormat::stl;
  if (ending == ".obj") return MeshFormat::obj;
  refuse_mesh("it is neither .stl nor .obj");
}

}  // namespace

Mesh parse_mesh(std::string_view content, MeshFormat format) {
  return format == MeshFormat::stl ? parse_stl(content) : parse_obj(content);
}

Mesh read_mesh(const std::filesystem::path& file) {
  const MeshFormat format = format_of(file);
  return parse_mesh(content_of(file), format);
}

}  // namespace gradus
