// Models that sessions are tried on.
#pragma once

#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::test {

inline Model short_five_bar() {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  model.analysis.duration = 0.02;
  return model;
}

// Designs around the nominal one, by rows.
inline std::vector<double> designs_around(const Mechanism& mechanism, std::size_t count) {
  std::vector<double> rows;
  for (std::size_t d = 0; d < count; ++d)
    for (std::size_t p = 0; p < mechanism.parameter_count(); ++p)
      rows.push_back(mechanism.nominal()[p] *
                     (1.0 + 1e-3 * static_cast<double>(d) / (1.0 + static_cast<double>(p))));
  return rows;
}

}  // namespace gradus::test
