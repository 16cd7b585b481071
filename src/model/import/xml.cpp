// Boost.PropertyTree reads the text; it descends by recursion, so depth is checked before.
#include "src/model/import/xml.hpp"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

#include "gradus/error.hpp"
#include "src/model/json_document.hpp"
#include "src/model/message.hpp"

namespace gradus::importing {
namespace {

using XmlTree = boost::property_tree::ptree;

constexpr int kDeepest = 200;                 // levels of elements
constexpr std::size_t kMost = 1'000'000;      // elements and attributes
constexpr std::size_t kMostAttributes = 200;  // of an element
constexpr std::size_t kMostListed = 40;       // kinds of what is left out

// Attributes that say how a model looks, or steer other programs.
constexpr std::string_view kLooks[] = {"rgba",  "material",    "group",     "texrepeat",
                                       "user",  "width",       "class",     "name",
                                       "xmlns", "xmlns:xacro", "childclass"};

// The levels of elements that are open at most, as a parser sees them: what stands in quotes within
// a tag, in comments and in CDATA opens nothing.
class Depth {
 public:
  explicit Depth(std::string_view text) : text_(text) {
    while (at_ < text_.size() && deepest_ <= kDeepest) {
      at_ = text_.find('<', at_);
      if (at_ == std::string_view::npos) return;
      if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>")) continue;
      if (text_.substr(at_, 9) == "<!DOCTYPE")
        skip_doctype();
      else if (!skip("<!", ">"))
        read_tag();
    }
  }
  int deepest() const { return deepest_; }

 private:
  bool skip(std::string_view begin, std::string_view end) {
    if (text_.substr(at_, begin.size()) != begin) return false;
    const std::size_t found = text_.find(end, at_ + begin.size());
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    return true;
  }

  // Brackets within it count, quotes do not.
  void skip_doctype() {
    int brackets = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '[') ++brackets;
      if (c == ']') --brackets;
      if (c == '>' && brackets <= 0) return;
    }
  }

  void read_tag() {
    const bool closes = at_ + 1 < text_.size() && text_[at_ + 1] == '/';
    char quote = 0;
    bool is_empty = false;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        is_empty = text_[at_ - 1] == '/';
        ++at_;
        break;
      }
    }
    if (closes) --depth_;
    if (!closes && !is_empty) ++depth_;
    deepest_ = std::max(deepest_, depth_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0, deepest_ = 0;
};

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  XmlElement convert(const std::string& name, const XmlTree& tree, const std::string& parent) {
    XmlElement element;
    element.name = name;
    if (const auto attributes = tree.get_child_optional("<xmlattr>"))
      for (const auto& [key, value] : *attributes) {
        count();
        if (element.find(key) != nullptr)
          gradus::reject(parent + ": " + name, "found " + in_quotes(key) + " for the second time",
                         "an attribute is stated once", "remove one of them");
        if (element.attributes.size() == kMostAttributes)
          gradus::reject(parent + ": " + name,
                         "found more than " + std::to_string(kMostAttributes) + " attributes",
                         "no element has so many", "check the file");
        element.attributes.emplace_back(key, value.data());
      }
    element.has_text = !tree.data().empty();
    const std::string* called = element.find("name");
    element.where = parent + ": " + name + (called ? " " + in_quotes(*called) : "");
    for (const auto& [tag, child] : tree) {
      if (tag == "<xmlattr>" || tag == "<xmltext>" || tag == "<xmlcomment>") continue;
      count();
      // Containers without a name are left out of messages.
      const bool is_container = element.attributes.empty();
      element.children.push_back(convert(tag, child, is_container ? parent : element.where));
    }
    return element;
  }

 private:
  void count() {
    if (++count_ > kMost)
      gradus::reject(file_, "found more than " + std::to_string(kMost) + " elements and attributes",
                     "so large a robot is not read", "split it");
  }

  const std::string& file_;
  std::size_t count_ = 0;
};

std::optional<double> number_of(std::string_view word) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace

const std::string* XmlElement::find(const std::string& attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return &value;
  return nullptr;
}

const XmlElement* XmlElement::child(const std::string& tag) const {
  for (const XmlElement& element : children)
    if (element.name == tag) return &element;
  return nullptr;
}

std::vector<const XmlElement*> XmlElement::all(const std::string& tag) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& element : children)
    if (element.name == tag) found.push_back(&element);
  return found;
}

XmlElement read_xml(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw FileError(file + ": it is no regular file");
  const std::string text = read_document(path);
  if (Depth(text).deepest() > kDeepest)
    reject(file, "found elements nested more than " + std::to_string(kDeepest) + " levels deep",
           "no robot is", "check that elements are closed");
  XmlTree tree;
  try {
    std::istringstream stream(text);
    boost::property_tree::read_xml(stream, tree,
                                   boost::property_tree::xml_parser::no_comments |
                                       boost::property_tree::xml_parser::trim_whitespace);
  } catch (const boost::property_tree::xml_parser_error& error) {
    reject(file, "not valid XML at line " + std::to_string(error.line()), error.message(),
           "open it in a browser, which says what is wrong");
  }
  if (tree.empty())
    reject(file, "found no element", "a robot is an XML document", "check the file");
  if (tree.size() > 1)
    reject(file, "found " + std::to_string(tree.size()) + " outermost elements",
           "an XML document has one", "write a file of each");
  return Converter(file).convert(tree.front().first, tree.front().second, file);
}

bool is_among(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

std::string LeftOut::listed() const {
  std::string text;
  std::size_t listed = 0;
  for (const auto& [what, count] : count_)
    if (listed++ < kMostListed)
      text += (text.empty() ? "" : ", ") + what + " (" + std::to_string(count) + ")";
  if (listed > kMostListed)
    text += ", and " + std::to_string(listed - kMostListed) + " other kinds";
  return text;
}

Attributes::Attributes(std::vector<const XmlElement*> chain, LeftOut& left_out)
    : chain_(std::move(chain)), left_out_(&left_out) {}

Attributes::~Attributes() {
  if (chain_[0]->has_text) left_out_->add("text within " + chain_[0]->name);
  std::vector<std::string> noted(std::begin(kLooks), std::end(kLooks));
  noted.insert(noted.end(), asked_.begin(), asked_.end());
  for (const XmlElement* element : chain_)
    for (const auto& [key, value] : element->attributes) {
      if (std::find(noted.begin(), noted.end(), key) != noted.end()) continue;
      noted.push_back(key);
      left_out_->add(chain_[0]->name + " " + key);
    }
}

const std::string* Attributes::lookup(const std::string& key) const {
  asked_.push_back(key);
  for (const XmlElement* element : chain_)
    if (const std::string* text = element->find(key)) return text;
  return nullptr;
}

std::string Attributes::text(const std::string& key, const std::string& otherwise) const {
  const std::string* found = lookup(key);
  return found ? *found : otherwise;
}

std::string Attributes::required(const std::string& key) const {
  const std::string* found = lookup(key);
  if (!found || found->empty())
    gradus::reject(where(), "found no " + in_quotes(key), "it is required", "add the attribute");
  return *found;
}

double Attributes::number(const std::string& key, double otherwise) const {
  const auto found = numbers(key, 1, 1);
  return found ? found->front() : otherwise;
}

double Attributes::required_number(const std::string& key) const {
  required(key);
  return number(key, 0.0);
}

std::optional<std::vector<double>> Attributes::numbers(const std::string& key, std::size_t fewest,
                                                       std::size_t most) const {
  const std::string* found = lookup(key);
  if (!found) return std::nullopt;
  return parsed(*found, key, fewest, most);
}

std::vector<double> Attributes::filled(const std::string& key, std::vector<double> otherwise,
                                       std::size_t most) const {
  asked_.push_back(key);
  for (auto element = chain_.rbegin(); element != chain_.rend(); ++element) {
    const std::string* text = (*element)->find(key);
    if (!text) continue;
    const std::vector<double> values = parsed(*text, key, 1, most);
    otherwise.resize(std::max(otherwise.size(), values.size()));
    std::copy(values.begin(), values.end(), otherwise.begin());
  }
  return otherwise;
}

std::string Attributes::nearest(const std::vector<std::string>& keys) const {
  asked_.insert(asked_.end(), keys.begin(), keys.end());
  for (const XmlElement* element : chain_) {
    std::string found;
    for (const std::string& key : keys) {
      if (!element->find(key)) continue;
      if (!found.empty())
        reject(key, "nothing beside " + in_quotes(found) + ", which says the same");
      found = key;
    }
    if (!found.empty()) return found;
  }
  return "";
}

std::vector<double> Attributes::parsed(const std::string& text, const std::string& key,
                                       std::size_t fewest, std::size_t most) const {
  std::vector<double> values;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::optional<double> value = number_of(word);
    if (!value || values.size() == most) {
      values.clear();
      break;
    }
    values.push_back(*value);
  }
  if (values.size() < std::max<std::size_t>(fewest, 1)) {
    const std::string count =
        fewest == most ? counted(most, "finite number")
                       : std::to_string(fewest) + " to " + std::to_string(most) + " finite numbers";
    reject(key, count + ", between blanks");
  }
  return values;
}

std::string Attributes::choice(const std::string& key, const std::vector<std::string>& allowed,
                               const std::string& otherwise) const {
  const std::string found = text(key, otherwise);
  if (std::find(allowed.begin(), allowed.end(), found) == allowed.end())
    reject(key, "one of " + quoted_list(allowed));
  return found;
}

bool Attributes::flag(const std::string& key, bool otherwise) const {
  const std::string* found = lookup(key);
  if (!found) return otherwise;
  if (*found != "true" && *found != "false") reject(key, R"("true" or "false")");
  return *found == "true";
}

void Attributes::reject(const std::string& key, const std::string& expected) const {
  const std::string* found = lookup(key);
  throw InputError(where() + ": found " + key + " = " + in_quotes(found ? *found : "") +
                   ", expected " + expected);
}

}  // namespace gradus::importing
