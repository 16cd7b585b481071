// Runs of tied models by every formulation, integrator and verb, and what they come to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/verification/tied_models.hpp"

namespace gradus::test {

struct TiedCount {
  int runs = 0;
  int failed = 0;                       // with a message that says why
  int refused = 0;                      // before they ran
  int right = 0;                        // and all that was asked of them holds
  int false_alarms = 0;                 // models that must run, but failed
  std::map<std::string, int> failures;  // by the kind of the model, and the beginning of messages
  std::vector<std::string> wrong;       // runs that ended well with wrong numbers
};

// Runs models `first` to `last`, each in `ways` random ways.
TiedCount run_tied_models(std::size_t first, std::size_t last, int ways);

std::string to_string(const TiedCount& count);

}  // namespace gradus::test
