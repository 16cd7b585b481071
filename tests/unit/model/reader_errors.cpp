// Texts that are not models: one clear message each, whatever is thrown at the reader.
#include <gtest/gtest.h>

#include <random>

#include "src/model/json_document.hpp"
#include "tests/unit/model/model_texts.hpp"

namespace gradus {
namespace {

struct Fault {
  std::string text;
  const char* expected;
};

void expect_each(const std::vector<Fault>& mistakes) {
  for (const Fault& mistake : mistakes) {
    const std::string message = error_of(mistake.text);
    EXPECT_NE(message.find(mistake.expected), std::string::npos)
        << "expected: " << mistake.expected << "\nfound:    " << message << "\nin "
        << mistake.text.substr(0, 200);
    EXPECT_EQ(message.rfind("small.json: ", 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 1000u);
  }
}

TEST(ReaderErrors, NotJson) {
  std::string binary(1000, '\0');
  std::mt19937 random(1);
  for (char& c : binary) c = static_cast<char>(random());
  expect_each({
      {"", "the text is empty"},
      {"  \n ", "the text is empty"},
      {binary, "small.json: "},
      {std::string("{\0}", 3), "found binary data"},
      {"\x7f"
       "ELF\x02\x01",
       "not valid JSON at line 1, column 1"},
      {"// only a comment", "not valid JSON"},
      {"{\n  \"schema\": \n}", "not valid JSON at line 3, column 1"},
      {"{\"schema\": \"gradus-model/1\"", "not valid JSON at line 1"},
      {"{\"a\": 1} {\"b\": 2}", "not valid JSON"},
      {"{\"a\": 1,}", "not valid JSON"},
      {"{\"a\": NaN}", "not valid JSON at line 1, column 7"},
      {"{\"a\": Infinity}", "not valid JSON"},
      {"{\"a\": -Infinity}", "not valid JSON"},
      {"{\"a\": 1e999}", "number overflow"},
      {"{'a': 1}", "not valid JSON"},
      {"{\"a\": \"\xff\xfe\"}", "not valid JSON"},
      {"[1, 2]", "found an array of 2, expected a model"},
      {"3", "found 3 (number), expected a model"},
      {"null", "found null, expected a model"},
      {"\"text\"", "found \"text\" (string), expected a model"},
      {"{}", "the key \"schema\" is missing"},
      {"{\"schema\": 1}", "/schema: found 1 (number), expected \"gradus-model/1\""},
      {"{\"schema\": \"gradus-model/2\"}", "did you mean \"gradus-model/1\"?"},
  });
}

TEST(ReaderErrors, LimitsAreKept) {
  const std::string deep(100000, '[');
  std::string values = "{\"schema\": [0";
  for (std::size_t i = 0; i < most_values; ++i) values += ",0";
  expect_each({
      {"{\"schema\": " + deep, "nesting deeper than 64 levels"},
      {deep, "nesting deeper than 64 levels"},
      {values + "]}", "more than 1000000 values"},
      {std::string(largest_document + 1, ' '), "larger than 16 MiB"},
      {"{\"schema\": \"" + std::string(1000000, 'x') + "\"}", "expected \"gradus-model/1\""},
      {small_model_with(R"({"bodies": {"arm": {"mass": ")" + std::string(100000, '(') + "\"}}}"),
       "nesting too deep"},
  });
}

TEST(ReaderErrors, NamesTwice) {
  expect_each({
      {R"({"bodies": {"A1": {}, "A1": {}}})", "/bodies: found the key \"A1\" twice"},
      {R"({"name": 1, "name": 2})", "/: found the key \"name\" twice"},
      {R"({"a": [{}, {"b": {"c": 1, "c": 2}}]})", "/a/1/b: found the key \"c\" twice"},
  });
}

TEST(ReaderErrors, KeysAndTypes) {
  const auto with = [](const std::string& patch) { return small_model_with(patch); };
  expect_each({
      {with(R"({"bodies": null})"), "small.json: /: the key \"bodies\" is missing"},
      {with(R"({"name": null})"), "the key \"name\" is missing"},
      {with(R"({"boddies": {}})"), "/: found the key \"boddies\", expected one of \"$schema\""},
      {with(R"({"boddies": {}})"), "did you mean \"bodies\"?"},
      {with(R"({"name": 3})"), "/name: found 3 (number), expected a string"},
      {with(R"({"gravity": 9.81})"), "/gravity: found 9.81 (number), expected a vector [x, y, z]"},
      {with(R"({"gravity": [0, 1]})"), "/gravity: found an array of 2, expected a vector"},
      {with(R"({"gravity": [0, 1, true]})"),
       "/gravity/2: found true, expected a number or an expression"},
      {with(R"({"bodies": []})"), "/bodies: found an array of 0, expected an object"},
      {with(R"({"bodies": {"arm": 3}})"), "/bodies/arm: found 3 (number), expected an object"},
      {with(R"({"bodies": {"arm": {"mass": null}}})"), "/bodies/arm: the key \"mass\" is missing"},
      {with(R"({"bodies": {"arm": {"mass": [1]}}})"),
       "/bodies/arm/mass: found an array of 1, expected a number"},
      {with(R"({"bodies": {"arm": {"mass": ""}}})"),
       "/bodies/arm/mass: found \"\" (string), expected a number"},
      {with(R"({"bodies": {"arm": {"mas": 1}}})"),
       "/bodies/arm: found the key \"mas\", expected one of"},
      {with(R"({"bodies": {"arm": {"mas": 1}}})"), "did you mean \"mass\"?"},
      {with(R"({"bodies": {"arm": {"inertia": {"xx": null}}}})"),
       "/bodies/arm/inertia: the key \"xx\" is missing"},
      {with(R"({"bodies": {"arm": {"points": {"tip": 3}}}})"), "/bodies/arm/points/tip: found 3"},
      {with(R"({"joints": {"hinge": {"type": "revolut"}}})"),
       "/joints/hinge/type: found \"revolut\" (string), expected one of \"revolute\", "
       "\"prismatic\", \"cardan\", \"cylindrical\", \"spherical\", \"floating\", \"planar\", "
       "\"fixed\"; did you mean \"revolute\"?"},
      {with(R"({"joints": {"hinge": {"parent": 1}}})"),
       "/joints/hinge/parent: found 1 (number), expected a string"},
      {with(R"({"joints": {"hinge": {"initial": {"position": [1, 2]}}}})"),
       "/joints/hinge/initial/position: found an array of 2, expected an array of 1"},
      {with(R"({"joints": {"hinge": {"initial": {"position": {"gess": 2}}}}})"),
       "did you mean \"guess\"?"},
      {with(R"({"joints": {"hinge": {"initial": {"speed": 2}}}})"),
       "found the key \"speed\", expected one of \"position\", \"velocity\""},
      {with(R"({"loops": {"closing": {"initial": {}}}})"),
       "/loops/closing: found the key \"initial\""},
      {with(R"({"forces": {"spring": {"type": "sprung"}}})"),
       "/forces/spring/type: found \"sprung\" (string), expected one of \"bushing\", "
       "\"contact\", "},
      {with(R"({"forces": {"spring": {"type": null}}})"),
       "/forces/spring: the key \"type\" is missing"},
      {with(R"({"forces": {"spring": {"stiffness": null}}})"),
       "neither \"stiffness\" nor \"damping\""},
      {with(R"({"forces": {"spring": {"length": null}}})"), "a spring needs its natural length"},
      {with(R"({"forces": {"spring": {"stifness": 1}}})"), "did you mean \"stiffness\"?"},
      {with(R"({"sensors": {"place": {"velocity": "arm"}}})"),
       "/sensors/place: found the keys \"position\" and \"velocity\", expected exactly one of"},
      {with(R"({"sensors": {"place": {"position": null}}})"),
       "/sensors/place: found none of its keys"},
      {with(R"({"sensors": {"place": {"position": null, "energy": "kinetc"}}})"),
       "did you mean \"kinetic\"?"},
      {with(R"({"objectives": {"cost": {"terminal": "t"}}})"),
       "found the keys \"integral\" and \"terminal\""},
      {with(R"({"objectives": {"cost": {"integral": null}}})"), "found none of its keys"},
      {with(R"({"objectives": {"cost": {"integral": null, "residuals": []}}})"),
       "/objectives/cost/residuals: found an array of 0, expected at least one expression"},
      {with(R"({"objectives": {"cost": {"integral": null, "residuals": "t"}}})"),
       "/objectives/cost/residuals: found \"t\" (string), expected an array"},
      {with(R"({"objectives": {"cost": {"residuals": ["t"]}}})"),
       "found the keys \"integral\" and \"residuals\""},
      {with(R"({"objectives": {"cost": {"at": 0.5}}})"),
       "/objectives/cost/at: found times of an objective of kind \"integral\" (only a \"value\" is "
       "taken at times)"},
      {with(R"({"objectives": {"cost": {"integral": null, "value": "t"}}})"),
       "/objectives/cost: the key \"at\" is missing"},
      {with(R"({"objectives": {"cost": {"integral": null, "value": "t", "at": []}}})"),
       "/objectives/cost/at: found no time"},
      {with(R"({"objectives": {"cost": {"integral": null, "value": "t", "at": [0.5, "t"]}}})"),
       "/objectives/cost/at/1: unknown name \"t\""},
      {with(R"({"objectives": {"cost": {"integral": null, "value": "t", "at": [0.5, 0.25]}}})"),
       "/objectives/cost/at: found 0.25 after 0.5 (times ascend)"},
      {with(R"({"objectives": {"cost": {"integral": null, "value": "t", "at": 0.5},
                               "cost@0.5": {"terminal": "t"}}})"),
       "the name \"cost@0.5\" is taken"},
      {with(R"({"objectives": {"cost": {"integral": null, "maximum": "t", "from": 2, "to": 1}}})"),
       "/objectives/cost/to: found 1 (the search begins at 2 s), choose a later time"},
      {with(R"({"objectives": {"cost": {"integral": null, "minimum": "t", "from": -1}}})"),
       "/objectives/cost/from: found -1 (the motion begins at 0)"},
      {with(R"({"objectives": {"cost": {"from": 1}}})"),
       "/objectives/cost/from: found it in an objective of kind \"integral\" (it belongs to "
       "\"maximum\", \"minimum\", \"time_when\"), leave it out"},
      {with(R"({"objectives": {"cost": {"integral": null, "time_when": "t", "smooth": 1}}})"),
       "it belongs to \"maximum\", \"minimum\""},
      {with(R"({"objectives": {"cost": {"integral": null, "maximum": "t", "smooth": 0}}})"),
       "/objectives/cost/smooth: found 0 (number), expected a width above 0"},
      {with(
           R"({"objectives": {"cost": {"integral": null, "maximum": "t", "smooth": 1, "to": 1}}})"),
       "/objectives/cost/smooth: found it beside \"from\" or \"to\""},
      {with(R"({"objectives": {"cost": {"integral": null, "maximum": "t", "passage": 2}}})"),
       "it belongs to \"time_when\""},
      {with(R"({"objectives": {"cost": {"integral": null, "time_when": "t", "passage": 1.5}}})"),
       "/objectives/cost/passage: found 1.5 (number), expected a whole number from 1 to 1000000"},
      {with(
           R"({"objectives": {"cost": {"integral": null, "time_when": "t", "direction": "risin"}}})"),
       "did you mean \"rising\"?"},
      {with(R"({"objectives": {"cost": {"integral": null, "time_whn": "t"}}})"),
       "did you mean \"time_when\"?"},
      {with(R"({"objectives": {"cost": {"unit": 3}}})"),
       "/objectives/cost/unit: found 3 (number), expected a string"},
      {with(R"({"parameters": {"length": {"bounds": 3}}})"),
       "/parameters/length/bounds: found 3 (number), expected an array of 2"},
      {with(R"({"parameters": {"length": {"value": null}}})"),
       "/parameters/length: the key \"value\" is missing"},
      {with(R"({"definitions": {"half": false}})"),
       "/definitions/half: found false, expected a number or an expression"},
      {with(R"({"analysis": {"duration": "length"}})"),
       "/analysis/duration: unknown name \"length\""},
      {with(R"({"analysis": {"formulation": "ali3"}})"), "did you mean \"ali3p\"?"},
      {with(R"({"analysis": {"tolerence": 1}})"), "did you mean \"tolerance\"?"},
  });
}

}  // namespace
}  // namespace gradus
