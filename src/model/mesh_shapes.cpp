// Files of meshes -> numbers in the text of a model, so that it can be kept, moved and sent.
#include "src/model/mesh_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/json_document.hpp"
#include "src/model/mesh_reduction.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Pictures show no more than a ten-thousandth of a mesh: so many parts of a metre are kept.
double parts_of(const Mesh& mesh) {
  double size = 0.0;
  for (const auto& vertex : mesh.vertices)
    for (const double x : vertex) size = std::max(size, std::abs(x));
  return size > 0.0 ? std::pow(10.0, 4.0 - std::floor(std::log10(size))) : 1.0;
}

bool is_mesh_of_file(const OrderedJson& shape) {
  const auto has = [&shape](const char* key) { return shape.contains(key); };
  return shape.is_object() && shape.value("type", OrderedJson()) == "mesh" && has("file") &&
         shape["file"].is_string() && !has("vertices") && !has("triangles");
}

// Calls `take` with every mesh of the document that has a "file", and where it is.
template <class Take>
void each_file(OrderedJson& model, const Take& take) {
  const auto visit = [&take](OrderedJson& owner, const std::string& where) {
    if (!owner.is_object() || !owner.contains("shapes") || !owner["shapes"].is_array()) return;
    std::size_t k = 0;
    for (OrderedJson& shape : owner["shapes"]) {
      if (is_mesh_of_file(shape)) take(shape, where + "/shapes/" + std::to_string(k));
      ++k;
    }
  };
  if (!model.is_object()) return;
  if (model.contains("ground")) visit(model["ground"], "/ground");
  if (model.contains("bodies") && model["bodies"].is_object())
    for (auto& [name, body] : model["bodies"].items()) visit(body, "/bodies/" + name);
}

}  // namespace

std::filesystem::path within(const std::filesystem::path& folder,
                             const std::filesystem::path& file) {
  std::error_code problem;
  const auto root =
      std::filesystem::canonical(folder.empty() ? std::filesystem::path(".") : folder, problem);
  if (problem) return {};
  const auto found = std::filesystem::canonical(root / file, problem);
  if (problem) return {};
  const auto [end, other] = std::mismatch(root.begin(), root.end(), found.begin(), found.end());
  return end == root.end() ? found : std::filesystem::path();
}

void MeshShapes::add(OrderedJson& shape, const Mesh& mesh) {
  meshes_.emplace_back(&shape, mesh);
}

void MeshShapes::write() {
  std::vector<std::size_t> sizes;
  for (const auto& [shape, mesh] : meshes_) sizes.push_back(mesh.triangles.size());
  const std::vector<std::size_t> shares = shares_of(sizes, most_triangles_drawn);
  for (std::size_t k = 0; k < meshes_.size(); ++k) {
    const Mesh mesh = reduced(meshes_[k].second, shares[k]);
    const double parts = parts_of(mesh);
    OrderedJson vertices = OrderedJson::array(), triangles = OrderedJson::array();
    for (const auto& vertex : mesh.vertices)
      for (const double x : vertex) vertices.push_back(std::round(x * parts) / parts);
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle) triangles.push_back(corner);
    (*meshes_[k].first)["vertices"] = std::move(vertices);
    (*meshes_[k].first)["triangles"] = std::move(triangles);
  }
  meshes_.clear();
}

std::string with_meshes(const std::string& text, const std::string& origin,
                        const std::filesystem::path& folder, std::vector<std::string>& remarks) {
  if (text.find("\"file\"") == std::string::npos) return text;
  parse_document(text, origin);  // says what is wrong better than the other reader
  OrderedJson model = OrderedJson::parse(text, nullptr, false, true);
  MeshShapes meshes;
  std::map<std::filesystem::path, Mesh> read;  // several shapes may have one
  bool found_any = false;
  each_file(model, [&](OrderedJson& shape, const std::string& where) {
    const std::string name = shape["file"].get<std::string>();
    try {
      const std::filesystem::path file = within(folder, name);
      if (file.empty()) throw FileError("there is no such file in the folder of the model");
      auto known = read.find(file);
      if (known == read.end())
        known = read.emplace(file, reduced(read_mesh(file), most_triangles_drawn)).first;
      const Mesh& mesh = known->second;
      if (mesh.triangles.empty()) throw FileError("its triangles have no area");
      shape.erase("file");
      meshes.add(shape, mesh);
      found_any = true;
    } catch (const FileError& error) {
      remarks.push_back(where + ": the mesh " + in_quotes(name) + " is not drawn: " + error.what());
    }
  });
  if (!found_any) return text;
  meshes.write();
  return model.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace gradus
