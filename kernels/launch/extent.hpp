// The least and the largest of several numbers.
#pragma once

namespace gradus::kernels {

struct Extent {
  double least, largest;
};

}  // namespace gradus::kernels
