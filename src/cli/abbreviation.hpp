// What tables for people leave out: the middle of long arrays of parameters, the ends of long
// lists.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "gradus/gradus.hpp"

namespace gradus::cli {

// Which parameters a table shows: all, but of long arrays the first elements and the last only.
class ShownParameters {
 public:
  explicit ShownParameters(const std::vector<std::string>& names);
  explicit ShownParameters(const std::vector<NamedUnit>& parameters);

  bool contains(const std::string& name) const { return hidden_.count(name) == 0; }
  // Lines that say what is left out; "" if nothing is.
  const std::string& remark() const { return remark_; }

 private:
  std::unordered_set<std::string> hidden_;
  std::string remark_;
};

// The names between commas, or the first of them and how many more there are.
std::string first_of(const std::vector<std::string>& names);

}  // namespace gradus::cli
