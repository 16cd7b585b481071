// Nodes as expressions in C.
#pragma once

#include <array>
#include <string>

#include "src/specialise/graph.hpp"

namespace gradus::specialise {

bool is_comparison(NodeKind kind);
bool is_logic(NodeKind kind);

// Every digit, whatever the locale.
std::string literal(double x);

// What heads call the same thing of designs and of columns.
struct FormulaWords {
  const char *mask, *zero, *absolute, *select;
};
inline constexpr FormulaWords numbers_of_designs{"Mask", "ALL(0.0)", "absolute", "SELECT"};
inline constexpr FormulaWords masks_of_designs{"Mask", "ALL(0.0)", "absolute", "CHOOSE"};
inline constexpr FormulaWords numbers_of_columns{"ColumnMask", "IN_COLUMNS(ALL(0.0))",
                                                 "absolute_of_columns", "SELECT_COLUMNS"};

// A node, but for constants, the time and numbers in the memory; of those it is the first operand.
std::string formula_of(NodeKind kind, const std::array<std::string, 3>& operands,
                       const FormulaWords& words);

}  // namespace gradus::specialise
