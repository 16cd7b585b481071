// What definitions mention: in which order they can be resolved, and by which way one of them
// depends on a sensor or the time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

class DefinitionUses {
 public:
  // Throws InputError if a definition cannot be read or definitions depend on each other in a
  // circle. The model must outlive it.
  DefinitionUses(const Model& model, const std::string& origin);

  // Places in Model::definitions, each after those it needs.
  const std::vector<std::size_t>& order() const { return order_; }
  // Whether the value of a definition depends on a sensor or the time.
  bool moves(std::size_t definition) const { return moves_[definition]; }
  // What a definition mentions itself: sensors and "t", and other definitions.
  const std::vector<std::string>& sensors(std::size_t definition) const {
    return sensors_[definition];
  }
  const std::vector<std::size_t>& needs(std::size_t definition) const { return needs_[definition]; }

  // The way from a definition to the first sensor (or "t") that is_met: its name and those of the
  // definitions between, the sensor last. Empty if there is no definition of that name, or no way.
  std::vector<std::string> way(std::string_view definition,
                               const std::function<bool(const std::string& sensor)>& is_met) const;

 private:
  void find_order(const std::string& origin);

  const Model& model_;
  std::unordered_map<std::string, std::size_t> places_;  // [name of a definition]
  std::vector<std::vector<std::size_t>> needs_;          // [definition]
  std::vector<std::vector<std::string>> sensors_;        // [definition]
  std::vector<bool> moves_;                              // [definition]
  std::vector<std::size_t> order_;
};

// `the sensor "crank" of kind "coordinate" through "v", "w"`, of a way as above; without its kind
// where none is given.
std::string told(const std::vector<std::string>& way, std::string_view kind = "");

}  // namespace gradus
