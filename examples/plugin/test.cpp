// A formula is an ordinary function, too: it can be tested without gradus.
#include "drag.hpp"

#include <cmath>
#include <cstdio>

int main() {
  gradus::plugin::Trial<Drag> drag;
  drag.say("coefficient", 0.5).say("wind", {1, 0, 0}).velocity({4, 4, 0});
  const auto force = drag.force();
  if (std::abs(force[0] + 7.5) < 1e-9 && std::abs(force[1] + 10.0) < 1e-9 && force[2] == 0.0)
    return 0;
  std::printf("the drag is %g %g %g\n", force[0], force[1], force[2]);
  return 1;
}
