// Programs one after another: steps of a design or a pack, and of all designs of a device.
#include <cstddef>
#include <string>
#include <vector>

#include "src/specialise/emit.hpp"

namespace gradus::specialise {
namespace {

std::string list_of(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + ", ";
  return text.empty() ? "0" : text;
}

// The copy of places that lie beside each other, in one.
std::string copies(const std::vector<int>& places, bool saves) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    end = begin + 1;
    while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
    const std::string own = "m + " + std::to_string(places[begin]);
    const std::string kept = "saved + " + std::to_string(begin);
    text += "  __builtin_memcpy(" + (saves ? kept + ", " + own : own + ", " + kept) + ", " +
            std::to_string(end - begin) + " * sizeof(Number));\n";
  }
  return text;
}

constexpr const char* loop_of_step = R"(
  for (count = 0; count < MOST_PARTS && parts[part]; ++count) {
    path = parts[part](memory, time);
    if (!path) break;
    part = next[part][path - 1];
    if (part < 0) return 1;
  }
)";

}  // namespace

std::string emitted_steps(const std::vector<EmittedPart>& parts, const std::vector<int>& undone,
                          const std::string& name) {
  std::string text = "\n#define MOST_PARTS 1000\n";
  std::string functions, lists;
  for (const EmittedPart& part : parts) {
    if (!part.name.empty())
      text += "static const int next_of_" + part.name + "[] = {" + list_of(part.next) + "};\n";
    functions += part.name.empty() ? "0, " : part.name + ", ";
    lists += part.name.empty() ? "0, " : "next_of_" + part.name + ", ";
  }
  return text + "int " + name + "(double *memory, double time) {\n" +
         "  static int (*const parts[])(double *, double) = {" + functions + "};\n" +
         "  static const int *const next[] = {" + lists + "};\n" +
         "  Number *const m = (Number *)memory;\n  Number saved[" +
         std::to_string(undone.size() + 1) + "];\n  int part = 0, count, path;\n" +
         copies(undone, true) + loop_of_step + copies(undone, false) + "  return 0;\n}\n";
}

namespace {

constexpr const char* beginning_of_device_steps = R"(
FUNCTION void take_steps(Batch b, long long design) {
  double *const m = b.motions + design / TILE * b.motion_pitch + design % TILE;
  double *const c = b.columns + design / TILE * b.column_pitch + design % TILE;
  int step = b.reached[design];
  if (b.status[design] != 0) return;
  (void)c;
  for (; step < b.last; ++step) {
    const double time = (step + 1.0) * b.length;
    int part = 0, count;
    SAVE
    for (count = 0; part >= 0 && count < MOST_PARTS; ++count) {
      switch (part) {
)";
constexpr const char* end_of_device_steps = R"(
        default: part = UNKNOWN;
      }
    }
    if (part != END) {
      RESTORE
      break;
    }
  }
  b.reached[design] = step;
}
KERNEL(NAME) {
  EACH_DESIGN { take_steps(b, design); }
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

}  // namespace

std::string emitted_device_steps(const std::vector<EmittedPart>& parts,
                                 const std::vector<int>& undone, const std::string& name) {
  std::string text = "\n#define MOST_PARTS 1000\n#define END -1\n#define UNKNOWN -2\n";
  std::string save, restore;
  for (const int place : undone) {
    const std::string p = std::to_string(place);
    save += "const double u" + p + " = M(" + p + "); ";
    restore += "M(" + p + ") = u" + p + "; ";
  }
  text += replaced(beginning_of_device_steps, "SAVE", save);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].name.empty()) continue;
    text += "        case " + std::to_string(k) + ":\n          switch (" + parts[k].name +
            "(PASSED_MEMORY, time)) {\n";
    for (std::size_t path = 0; path < parts[k].next.size(); ++path)
      text += "            case " + std::to_string(path + 1) +
              ": part = " + std::to_string(parts[k].next[path]) + "; break;\n";
    text += "            default: part = UNKNOWN;\n          }\n          break;\n";
  }
  return text + replaced(replaced(end_of_device_steps, "NAME", name), "RESTORE", restore);
}

}  // namespace gradus::specialise
