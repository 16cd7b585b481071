// Bodies that fixed joints make one, by union of their ends.
#include "src/model/rigid_groups.hpp"

#include <numeric>

#include "src/model/keys.hpp"

namespace gradus {

std::vector<std::size_t> rigid_groups(const Model& model, const References& references,
                                      const std::string& origin) {
  const std::size_t ground = model.bodies.size();
  std::vector<std::size_t> group(ground + 1);
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto find = [&group](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  const auto join = [&](const std::vector<Joint>& joints, const std::string& kind) {
    for (const Joint& joint : joints) {
      if (joint.type != JointType::fixed) continue;
      const auto end = [&](const std::string& place) {
        const int body = references.point(place, origin + ": " + kind + joint.name).body;
        return find(body == ground_body ? ground : static_cast<std::size_t>(body));
      };
      group[end(joint.parent)] = end(joint.child);
    }
  };
  join(model.joints, "/joints/");
  join(model.loops, "/loops/");
  for (std::size_t i = 0; i <= ground; ++i) group[i] = find(i);
  return group;
}

}  // namespace gradus
