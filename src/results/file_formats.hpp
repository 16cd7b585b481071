// What is written beside NPZ.
#pragma once

namespace gradus::results {

struct FileFormats {
  bool hdf5 = false;  // all arrays
  bool csv = false;   // recorded motions
};

}  // namespace gradus::results
