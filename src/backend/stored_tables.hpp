// Tables that users keep in their cache folder: break-even points, which `gradus bench --store`
// leaves, and solvers of linear systems.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "src/backend/break_even.hpp"
#include "src/backend/linear_table.hpp"

namespace gradus {

std::string break_even_text(const BreakEvenTable& table);

struct StoredBreakEven {
  std::optional<BreakEvenTable> table;
  std::string remark;  // why the file that is there is not used; empty if there is none
};

// Of this version of gradus and this number of threads. Never throws for what a file holds.
StoredBreakEven read_break_even(const std::string& file, std::size_t threads);

// The file of a device's table of solvers; empty if there is no cache folder.
std::filesystem::path table_file(const std::string& hardware);

// Writes all of the file or leaves what was there. Throws FileError.
void store_table(const SolverTable& table, const std::filesystem::path& file);

// Throws FileError if it is not a table.
SolverTable read_table(const std::filesystem::path& file);

// The stored table of a device if there is one that can be read, else the one built in.
SolverTable table_of(const Device& device);

}  // namespace gradus
