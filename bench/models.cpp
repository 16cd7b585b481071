// The mechanisms that are timed.
#include "bench/models.hpp"

#include <cstddef>
#include <string>

#include "src/study/benchmark/chain.hpp"

namespace gradus::bench {
Model five_bar() {
  return read_model(GRADUS_SOURCE_DIR "/models/five-bar/five-bar.json");
}

Model slider_crank() {
  return read_model(GRADUS_SOURCE_DIR "/models/slider-crank/slider-crank-spring.json");
}

Model chain(int bodies, int parameters) {
  return chain_of_bars("chain", bodies, parameters, false);
}

Model planar_chain(int bodies, int parameters) {
  return chain_of_bars("planar-chain", bodies, parameters, true);
}

Model mixed_chain(int bodies) {
  Model model = chain(bodies, 0);
  model.name = "mixed-chain-" + std::to_string(bodies);
  for (std::size_t i = 1; i < model.joints.size(); i += 2) {
    Joint& joint = model.joints[i];
    const bool spherical = i % 4 == 3;
    joint.type = spherical ? JointType::spherical : JointType::cardan;
    if (spherical) joint.axis.reset();
    joint.start.assign(spherical ? 4 : 2, CoordinateStart());
    joint.start[0].position = spherical ? 1.0 : 0.2;
  }
  return model;
}

}  // namespace gradus::bench
