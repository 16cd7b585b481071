// Numbers, names and signs of expressions.
#include "src/model/lexer.hpp"

#include <charconv>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/message.hpp"

namespace gradus::expression {
namespace {

// Spelled out, since those of <cctype> follow the locale.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

Token Lexer::next() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  Token token;
  token.column = position_ + 1;
  if (position_ == text_.size()) return token;

  const char c = text_[position_];
  const bool point_and_digit =
      c == '.' && position_ + 1 < text_.size() && is_digit(text_[position_ + 1]);
  if (is_digit(c) || point_and_digit) return number();
  if (is_letter(c)) {
    std::size_t end = position_ + 1;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    token.kind = TokenKind::name;
    token.text = text_.substr(position_, end - position_);
    position_ = end;
    return token;
  }
  if (c == '\'' || c == '"') return quoted();
  if (std::string_view("+-*/^()[],.").find(c) == std::string_view::npos)
    fail(token.column, "unexpected character " + in_quotes(text_.substr(position_, 1)),
         "not part of any expression", "write numbers, names, + - * / ^ ( ) [ ] , and v.x");
  token.kind = TokenKind::sign;
  token.text = text_.substr(position_, 1);
  ++position_;
  return token;
}

Token Lexer::quoted() {
  Token token;
  token.kind = TokenKind::text;
  token.column = position_ + 1;
  const std::size_t end = text_.find(text_[position_], position_ + 1);
  if (end == std::string_view::npos)
    fail(token.column, "text without end", "a quotation mark is missing",
         "close it as in 'linear'");
  if (end == position_ + 1)
    fail(token.column, "empty text", "it says nothing", "write a word as in 'linear'");
  token.text = text_.substr(position_ + 1, end - position_ - 1);
  position_ = end + 1;
  return token;
}

Token Lexer::number() {
  Token token;
  token.kind = TokenKind::number;
  token.column = position_ + 1;
  const char* const begin = text_.data() + position_;
  const char* const end = text_.data() + text_.size();
  const auto [stop, problem] = std::from_chars(begin, end, token.value);
  token.text = std::string_view(begin, static_cast<std::size_t>(stop - begin));
  if (problem != std::errc{})
    fail(token.column, "number " + in_quotes(token.text) + " out of range",
         "not representable in double precision", "use a magnitude between 1e-307 and 1e308");
  position_ += token.text.size();
  return token;
}

void Lexer::fail(std::size_t column, const std::string& problem, const std::string& why,
                 const std::string& hint) const {
  throw InputError(where_ + ": " + problem + " at column " + std::to_string(column) + " of " +
                   in_quotes(text_) + " (" + why + "), " + hint);
}

std::vector<std::string> names_in(std::string_view text, const std::string& where) {
  Lexer lexer(text, where);
  std::vector<std::string> names;
  bool after_point = false;
  for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
    if (token.kind == TokenKind::name && !after_point) names.emplace_back(token.text);
    after_point = token.kind == TokenKind::sign && token.text == ".";
  }
  return names;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !is_digit(c)) return false;
  return true;
}

}  // namespace gradus::expression
