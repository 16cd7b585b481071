// The program gradus_bench_scaling: cost of a step of chains over the number of bodies, as one
// JSON document with the data of a plot.
#include <iostream>
#include <string>

#include "bench/models.hpp"
#include "bench/scenario/arguments.hpp"
#include "bench/scenario/scaling.hpp"

namespace {

using gradus::bench::Arguments;
using gradus::bench::Curve;

constexpr const char* kProgram = "gradus_bench_scaling";
constexpr const char* kUsage =
    "gradus_bench_scaling: cost of a step of rk4 of chains of 4 to 256 bodies, the motion alone,\n"
    "one thread, by the fully recursive formulation and by the mass matrix: open chains, and some\n"
    "that are held at both ends, one of them driven\n"
    "  --repeats N   measurements of every size (default 5)\n"
    "  --quick       chains of 2 to 16 bodies, one repeat: proves that the benchmark works\n"
    "  --only TEXT   curves whose chain or formulation contains TEXT\n"
    "  --commit ID   commit of gradus that is measured, for the record\n"
    "  --out FILE    write the document to FILE instead of standard output\n";

std::vector<Curve> curves(const std::string& only) {
  std::vector<Curve> chosen;
  const auto hinges = [](int bodies) { return gradus::bench::chain(bodies, 0); };
  for (const char* formulation : {"fully-recursive", "semi-recursive"})
    for (const Curve& curve : {Curve{"revolute", hinges, formulation},
                               Curve{"mixed", gradus::bench::mixed_chain, formulation}})
      if ((curve.chain + " " + curve.formulation).find(only) != std::string::npos)
        chosen.push_back(curve);
  for (const char* formulation : {"fully-recursive", "index1"})
    for (const Curve& curve : {Curve{"held", gradus::bench::held_chain, formulation, 8},
                               Curve{"driven", gradus::bench::driven_chain, formulation, 8}})
      if ((curve.chain + " " + curve.formulation).find(only) != std::string::npos)
        chosen.push_back(curve);
  return chosen;
}

nlohmann::ordered_json document_of(const Arguments& arguments) {
  gradus::bench::ScalingSettings settings;
  settings.repeats = arguments.repeats;
  settings.bodies = {4, 8, 16, 32, 64, 128, 256};
  if (arguments.quick) {
    settings.bodies = {2, 4, 8, 16};
    settings.processor_s = 0.0;
  }
  nlohmann::ordered_json document = gradus::bench::record_head("scaling", arguments);
  document["integrator"] = "rk4";
  document["clock"] = "processor time of a long run less that of one step, per step; median";
  document["curves"] = nlohmann::ordered_json::array();
  for (const Curve& curve : curves(arguments.only))
    document["curves"].push_back(gradus::bench::measure(curve, settings));
  return document;
}

int run(const Arguments& arguments) {
  const nlohmann::ordered_json document = document_of(arguments);
  bool wrong = false;
  for (const auto& curve : document["curves"]) wrong = wrong || curve["exponent"].is_null();
  if (!gradus::bench::write_document(document, kProgram, arguments)) return 1;
  return wrong ? 1 : 0;
}

}  // namespace

int main(int count, char** values) {
  return gradus::bench::run_program(count, values, kProgram, kUsage, 5, run);
}
