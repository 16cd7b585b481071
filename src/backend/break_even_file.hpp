// The user's own break-even table, a small JSON file that `gradus bench --store` leaves.
#pragma once

#include <optional>
#include <string>

#include "src/backend/break_even.hpp"

namespace gradus {

std::string table_text(const BreakEvenTable& table);

struct StoredTable {
  std::optional<BreakEvenTable> table;
  std::string remark;  // why the file that is there is not used; empty if there is none
};

// Of this version of gradus and this number of threads. Never throws for what a file holds.
StoredTable read_break_even(const std::string& file, std::size_t threads);

}  // namespace gradus
