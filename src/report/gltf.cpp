// Motion -> binary glTF 2.0 (Khronos specification of 2021): one document and one block of numbers.
// A node stands for each body, its mesh has a primitive for each shape, and its place and rotation
// over time are an animation.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "gradus/error.hpp"
#include "gradus/export.hpp"
#include "gradus/run.hpp"
#include "src/model/shapes.hpp"
#include "src/report/pages.hpp"
#include "src/report/sticks.hpp"
#include "src/results/atomic_file.hpp"

namespace gradus {
namespace {

using report::Json;

constexpr int kFloat = 5126, kUnsigned = 5125;      // types of components
constexpr int kVertices = 34962, kIndices = 34963;  // targets of views
// Half the angle between two frames whose cosine this is, an eighth of a turn, is followed for
// sure.
constexpr double kSurelyFollowed = 0.70710678;
constexpr std::array<double, 3> kGrey{0.62, 0.66, 0.70};  // of shapes without a colour
static_assert(std::endian::native == std::endian::little, "glTF's numbers are little-endian");

// The block of numbers, and what says of it where each array lies.
class Numbers {
 public:
  // `width` numbers for each entry. Their range is stated, as it must be of places and times.
  std::size_t add(const std::vector<float>& values, std::size_t width, const char* type,
                  int target = 0) {
    Json lowest = Json::array(), highest = Json::array();
    for (std::size_t k = 0; k < width; ++k) {
      float low = values[k], high = values[k];
      for (std::size_t i = k; i < values.size(); i += width) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      lowest.push_back(low);
      highest.push_back(high);
    }
    const std::size_t index = append(values, values.size() / width, kFloat, type, target);
    accessors_[index]["min"] = std::move(lowest);
    accessors_[index]["max"] = std::move(highest);
    return index;
  }
  std::size_t add(const std::vector<std::uint32_t>& values) {
    return append(values, values.size(), kUnsigned, "SCALAR", kIndices);
  }

  void describe(Json& document) const {
    document["accessors"] = accessors_;
    document["bufferViews"] = views_;
    document["buffers"] = Json::array({{{"byteLength", bytes_.size()}}});
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  std::size_t append(const std::vector<T>& values, std::size_t count, int component,
                     const char* type, int target) {
    static_assert(sizeof(T) == 4);
    Json view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", 4 * values.size()}};
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    accessors_.push_back({{"bufferView", views_.size() - 1},
                          {"componentType", component},
                          {"count", count},
                          {"type", type}});
    for (const T value : values) {
      const auto bits = std::bit_cast<std::array<char, 4>>(value);
      bytes_.append(bits.data(), bits.size());
    }
    return accessors_.size() - 1;
  }

  Json accessors_ = Json::array(), views_ = Json::array();
  std::string bytes_;
};

class Scene {
 public:
  explicit Scene(const Json& motion) : motion_(motion) {}

  // Whether a body turns so far from one frame to the next that it may seem to turn back.
  bool is_fast() const { return is_fast_; }

  std::string file(const std::string& name) {
    const std::vector<float> times = floats(motion_.at("time"));
    time_ = numbers_.add(times, 1, "SCALAR");
    add_bodies(times.size());
    Json root{{"name", name}, {"children", children_}};
    const Eigen::Quaterniond upright =
        Eigen::Quaterniond::FromTwoVectors(up(), Eigen::Vector3d::UnitY());
    root["rotation"] = {upright.x(), upright.y(), upright.z(), upright.w()};
    nodes_.push_back(std::move(root));
    Json document{
        {"asset", {{"version", "2.0"}, {"generator", "gradus " + std::string(version())}}},
        {"scene", 0},
        {"scenes", Json::array({{{"nodes", {nodes_.size() - 1}}}})},
        {"nodes", nodes_},
        {"meshes", meshes_},
        {"materials", materials_}};
    if (!channels_.empty())
      document["animations"] =
          Json::array({{{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}}});
    numbers_.describe(document);
    return packed(document.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  static std::vector<float> floats(const Json& list) {
    std::vector<float> values;
    for (const double value : report::numbers_of(list)) values.push_back(static_cast<float>(value));
    return values;
  }

  Eigen::Vector3d up() const {
    const Json& up = motion_.at("up");
    if (up.is_null()) return Eigen::Vector3d::UnitZ();
    return Eigen::Vector3d(up[0], up[1], up[2]).normalized();
  }

  // Shapes of one body follow each other.
  void add_bodies(std::size_t n_time) {
    const Json& shapes = motion_.at("shapes");
    std::size_t carriers = 0;
    for (const Json& shape : shapes)
      carriers = std::max(carriers, static_cast<std::size_t>(shape.at("carrier").get<int>() + 1));
    for (std::size_t first = 0; first < shapes.size();) {
      const int carrier = shapes[first].at("carrier").get<int>();
      Json primitives = Json::array();
      const int body = shapes[first].at("body").get<int>();
      for (; first < shapes.size() && shapes[first].at("carrier") == carrier; ++first)
        primitives.push_back(primitive(shapes[first]));
      meshes_.push_back({{"primitives", std::move(primitives)}});
      Json node{
          {"mesh", meshes_.size() - 1},
          {"name", carrier < 0 ? Json("ground")
                               : motion_.at("bodies")[static_cast<std::size_t>(body)].at("name")}};
      if (carrier >= 0) move(node, static_cast<std::size_t>(carrier), carriers, n_time);
      children_.push_back(nodes_.size());
      nodes_.push_back(std::move(node));
    }
  }

  Json primitive(const Json& shape) {
    const double grain = shape.at("grain");
    const std::vector<double> low = report::numbers_of(shape.at("low"));
    std::vector<float> vertices;
    for (std::size_t i = 0; i < shape.at("vertices").size(); ++i)
      vertices.push_back(
          static_cast<float>(low[i % 3] + grain * shape.at("vertices")[i].get<double>()));
    const std::size_t places = numbers_.add(vertices, 3, "VEC3", kVertices);
    const std::size_t corners =
        numbers_.add(shape.at("triangles").get<std::vector<std::uint32_t>>());
    return {{"attributes", {{"POSITION", places}}},
            {"indices", corners},
            {"material", material(shape.at("color").get<std::string>())}};
  }

  std::size_t material(const std::string& color) {
    const auto known = std::find(colors_.begin(), colors_.end(), color);
    if (known != colors_.end()) return static_cast<std::size_t>(known - colors_.begin());
    Json rgba = Json::array();
    // Colours of pages are sRGB, those of glTF linear.
    for (const double part : color.empty() ? kGrey : parts_of_color(color))
      rgba.push_back(part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
    rgba.push_back(1.0);
    colors_.push_back(color);
    materials_.push_back({{"pbrMetallicRoughness",
                           {{"baseColorFactor", std::move(rgba)},
                            {"metallicFactor", 0.1},
                            {"roughnessFactor", 0.7}}},
                          {"doubleSided", true}});
    return materials_.size() - 1;
  }

  // [time, carrier, 7]: x, y, z and the Euler parameters.
  void move(Json& node, std::size_t carrier, std::size_t carriers, std::size_t n_time) {
    const Json& frames = motion_.at("frames");
    std::vector<float> places, rotations;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    for (std::size_t i = 0; i < n_time; ++i) {
      const std::size_t at = 7 * (i * carriers + carrier);
      const auto number = [&](std::size_t k) { return frames[at + k].get<double>(); };
      for (std::size_t k = 0; k < 3; ++k) places.push_back(static_cast<float>(number(k)));
      Eigen::Quaterniond turned(number(3), number(4), number(5), number(6));
      turned.normalize();
      if (turned.dot(last) < 0.0) turned.coeffs() *= -1.0;  // the shorter way between two
      if (i > 0 && turned.dot(last) < kSurelyFollowed) is_fast_ = true;
      last = turned;
      for (const double e : {turned.x(), turned.y(), turned.z(), turned.w()})
        rotations.push_back(static_cast<float>(e));
    }
    node["translation"] = {places[0], places[1], places[2]};
    node["rotation"] = {rotations[0], rotations[1], rotations[2], rotations[3]};
    if (n_time < 2) return;
    add_channel("translation", numbers_.add(places, 3, "VEC3"));
    add_channel("rotation", numbers_.add(rotations, 4, "VEC4"));
  }

  void add_channel(const char* path, std::size_t output) {
    samplers_.push_back({{"input", time_}, {"output", output}});
    channels_.push_back(
        {{"sampler", samplers_.size() - 1}, {"target", {{"node", nodes_.size()}, {"path", path}}}});
  }

  // The file: a head, the document and the numbers, each of which fills words.
  std::string packed(std::string document) const {
    document.resize((document.size() + 3) / 4 * 4, ' ');
    std::string out;
    const auto word = [&out](std::size_t value) {
      const auto bits = std::bit_cast<std::array<char, 4>>(static_cast<std::uint32_t>(value));
      out.append(bits.data(), bits.size());
    };
    const std::string& bytes = numbers_.bytes();
    word(0x46546C67);  // "glTF"
    word(2);
    word(12 + 8 + document.size() + 8 + bytes.size());
    word(document.size());
    word(0x4E4F534A);  // "JSON"
    out += document;
    word(bytes.size());
    word(0x004E4942);  // "BIN"
    return out + bytes;
  }

  const Json& motion_;
  Numbers numbers_;
  std::size_t time_ = 0;
  bool is_fast_ = false;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array(),
       children_ = Json::array(), channels_ = Json::array(), samplers_ = Json::array();
  std::vector<std::string> colors_;  // of materials
};

}  // namespace

std::vector<std::string> write_gltf(const Model& model, const Options& options,
                                    const std::filesystem::path& file) {
  Model shown = report::with_sticks(model);
  shown.objectives.clear();  // which nothing shows, and which may fail
  const Json motion = report::run_motion(shown, options);
  if (motion.contains("error")) throw NumericalError(motion.at("error").get<std::string>());
  std::vector<std::string> remarks;
  for (const Json& missing : motion.at("missing"))
    remarks.push_back("not drawn: " + missing.get<std::string>());
  Scene scene(motion);
  results::write_file(file, scene.file(model.name));
  if (scene.is_fast())
    remarks.push_back(
        "bodies turn by more than a quarter turn between two frames, and may seem to turn the "
        "other way; export a shorter motion (--duration)");
  return remarks;
}

}  // namespace gradus
