// Depth-first order of the bodies.
#include "src/plan/draft.hpp"

namespace gradus {

TreeOrder order_tree(const Model& model, const References& references) {
  // children[b + 1]: joints hanging on body b, the ground first
  std::vector<std::vector<int>> children(model.bodies.size() + 1);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const int parent = references.point(joint.parent, "/joints/" + joint.name + "/parent").body;
    children[index(parent + 1)].push_back(static_cast<int>(j));
  }
  TreeOrder order;
  order.place.assign(model.bodies.size(), -1);
  struct Visit {
    int joint, parent;
  };
  std::vector<Visit> stack;
  const auto push = [&](int body, int position) {
    const std::vector<int>& joints = children[index(body + 1)];
    for (auto j = joints.rbegin(); j != joints.rend(); ++j) stack.push_back({*j, position});
  };
  push(ground_body, -1);
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const Joint& joint = model.joints[index(visit.joint)];
    const int body = references.point(joint.child, "/joints/" + joint.name + "/child").body;
    const int position = static_cast<int>(order.body.size());
    order.body.push_back(body);
    order.joint.push_back(visit.joint);
    order.parent.push_back(visit.parent);
    order.place[index(body)] = position;
    push(body, position);
  }
  const int count = static_cast<int>(order.body.size());
  order.end.assign(index(count), 0);
  for (int i = count - 1; i >= 0; --i) {
    int& end = order.end[index(i)];
    if (end == 0) end = i + 1;
    const int parent = order.parent[index(i)];
    if (parent >= 0 && order.end[index(parent)] < end) order.end[index(parent)] = end;
  }
  return order;
}

}  // namespace gradus
