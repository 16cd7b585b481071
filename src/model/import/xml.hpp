// XML as a tree of elements whose attributes remember whether they were read, so that nothing of a
// file is left out in silence.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gradus::importing {

struct XmlElement {
  std::string name;
  std::string where;  // file and element, for messages: `robot.urdf: link "arm": mass`
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  bool has_text = false;

  const std::string* find(const std::string& attribute) const;
  const XmlElement* child(const std::string& tag) const;  // the first, or null
  std::vector<const XmlElement*> all(const std::string& tag) const;
};

// The root element of a file. Throws FileError if it cannot be read, InputError if it is no XML,
// too large, or nested more than 200 levels deep.
XmlElement read_xml(const std::filesystem::path& file);

bool is_among(const std::string& name, std::initializer_list<const char*> names);

// What was found in a file and has no counterpart in the model, with how often.
class LeftOut {
 public:
  void add(const std::string& what) { ++count_[what]; }
  // "equality weld (2), sensor touch (15)"; empty if there is nothing.
  std::string listed() const;

 private:
  std::map<std::string, int> count_;
};

// The attributes of an element, and those that defaults give it. What was not asked for when it is
// destroyed is noted as left out, unless it is only about looks. All throw InputError that names
// the place, what was found, and what is allowed.
class Attributes {
 public:
  // `chain`: the element itself, then where its defaults are, the nearest first.
  Attributes(std::vector<const XmlElement*> chain, LeftOut& left_out);
  ~Attributes();
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const std::string& where() const { return chain_[0]->where; }
  bool has(const std::string& key) const { return lookup(key) != nullptr; }
  std::string text(const std::string& key, const std::string& otherwise = "") const;
  std::string required(const std::string& key) const;
  double number(const std::string& key, double otherwise) const;
  double required_number(const std::string& key) const;
  // As many numbers as there are, between `fewest` and `most`; nothing if the attribute is absent.
  std::optional<std::vector<double>> numbers(const std::string& key, std::size_t fewest,
                                             std::size_t most) const;
  // Up to `most` numbers: those of the element, where it states fewer completed by those of its
  // defaults, and at last by `otherwise`.
  std::vector<double> filled(const std::string& key, std::vector<double> otherwise,
                             std::size_t most) const;
  // Which of these keys the nearest element has that has any of them; empty if none has.
  std::string nearest(const std::vector<std::string>& keys) const;
  // One of `allowed`.
  std::string choice(const std::string& key, const std::vector<std::string>& allowed,
                     const std::string& otherwise) const;
  bool flag(const std::string& key, bool otherwise) const;  // true or false
  void ignore(const std::string& key) const { asked_.push_back(key); }
  [[noreturn]] void reject(const std::string& key, const std::string& expected) const;

 private:
  const std::string* lookup(const std::string& key) const;
  std::vector<double> parsed(const std::string& text, const std::string& key, std::size_t fewest,
                             std::size_t most) const;

  std::vector<const XmlElement*> chain_;
  LeftOut* left_out_;
  mutable std::vector<std::string> asked_;
};

}  // namespace gradus::importing
