// Signs, functions and literals.
#include "src/specialise/formulas.hpp"

#include <cmath>
#include <cstdio>

namespace gradus::specialise {
namespace {

const char* function_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::floor:
      return "floor";
    case NodeKind::sin:
      return "sin";
    case NodeKind::cos:
      return "cos";
    case NodeKind::tan:
      return "tan";
    case NodeKind::asin:
      return "asin";
    case NodeKind::acos:
      return "acos";
    case NodeKind::atan:
      return "atan";
    case NodeKind::sinh:
      return "sinh";
    case NodeKind::cosh:
      return "cosh";
    case NodeKind::tanh:
      return "tanh";
    case NodeKind::exp:
      return "exp";
    case NodeKind::log:
      return "log";
    case NodeKind::atan2:
      return "atan2";
    case NodeKind::pow:
      return "pow";
    default:
      return nullptr;
  }
}

const char* sign_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::add:
      return " + ";
    case NodeKind::subtract:
      return " - ";
    case NodeKind::multiply:
      return " * ";
    case NodeKind::divide:
      return " / ";
    case NodeKind::less:
      return " < ";
    case NodeKind::less_equal:
      return " <= ";
    case NodeKind::equal:
      return " == ";
    case NodeKind::both:
      return " & ";
    case NodeKind::either:
      return " | ";
    default:
      return nullptr;
  }
}

}  // namespace

bool is_comparison(NodeKind kind) {
  return kind == NodeKind::less || kind == NodeKind::less_equal || kind == NodeKind::equal ||
         kind == NodeKind::finite;
}
bool is_logic(NodeKind kind) {
  return kind == NodeKind::both || kind == NodeKind::either || kind == NodeKind::opposite;
}

std::string literal(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x < 0.0 ? "(-INFINITY)" : "INFINITY";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), x < 0.0 ? "(%a)" : "%a", x);
  return text.data();
}

std::string formula_of(NodeKind kind, const std::array<std::string, 3>& operands,
                       const FormulaWords& words) {
  const auto& [a, b, c] = operands;
  const auto as_mask = [&](const std::string& condition) {
    return "(" + std::string(words.mask) + ")(" + condition + ")";
  };
  if (const char* const sign = sign_of(kind)) {
    const std::string formula = a + sign + b;
    return is_comparison(kind) ? as_mask(formula) : formula;
  }
  switch (kind) {
    case NodeKind::negate:
      return "-" + a;
    case NodeKind::absolute:
      return std::string(words.absolute) + "(" + a + ")";
    case NodeKind::sqrt:
      return "root(" + a + ")";
    case NodeKind::finite:
      return as_mask(a + " - " + a + " == " + words.zero);
    case NodeKind::opposite:
      return "NOT(" + a + ")";
    case NodeKind::select:
      return std::string(words.select) + "(" + a + ", " + b + ", " + c + ")";
    default:
      break;
  }
  const char* const function = function_of(kind);
  if (function == nullptr) return a;
  return std::string("of_") + function + "(" + a + (operand_count(kind) == 2 ? ", " + b : "") + ")";
}

}  // namespace gradus::specialise
