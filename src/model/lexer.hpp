// Splits the text of an expression into numbers, names, signs and texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus::expression {

enum class TokenKind { number, name, sign, text, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;   // of a text without its quotation marks
  double value = 0.0;      // of a number
  std::size_t column = 1;  // counted from 1
};

class Lexer {
 public:
  // `where` opens every error message.
  Lexer(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Token next();

  // Throws InputError: `where: problem at column N of "text" (why), hint`.
  [[noreturn]] void fail(std::size_t column, const std::string& problem, const std::string& why,
                         const std::string& hint) const;

 private:
  Token number();
  Token quoted();

  std::string_view text_;
  const std::string& where_;
  std::size_t position_ = 0;
};

// The names an expression mentions, functions and constants included, components ("x" in "v.x")
// not.
std::vector<std::string> names_in(std::string_view text, const std::string& where);

// Whether a text is a name that expressions can use: a letter or "_", then letters, digits and "_".
bool is_identifier(std::string_view text);

}  // namespace gradus::expression
