// gradus info [MODEL]
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "gradus/gradus.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/models.hpp"
#include "src/cli/parameter_values.hpp"
#include "src/cli/process_group.hpp"
#include "src/cli/text.hpp"
#include "src/model/keys.hpp"
#include "src/model/validation.hpp"
#include "src/results/hdf5_file.hpp"

namespace gradus::cli {
namespace {

std::string backends_text(const std::vector<std::string>& backends) {
  std::string text = "backends\n";
  for (const std::string& line : backends) text += "  " + line + "\n";
  return text;
}

std::string tree_text(const Description& description) {
  Table table{"<body", "<joint", "<type", "<parent", "<coordinates"};
  for (const auto& line : description.tree)
    table.row({line.body, line.joint, line.type, line.parent, join(line.coordinates)});
  return "\ntree\n" + table.text(2);
}

std::string loops_text(const Description& description) {
  if (description.loops.empty()) return "\nno loops\n";
  Table table{"<loop", "<type", "<parent", "<child", ">equations"};
  for (const auto& line : description.loops)
    table.row({line.loop, line.type, line.parent, line.child, std::to_string(line.equations)});
  return "\nloops\n" + table.text(2);
}

std::string drawn_text(const Description& description) {
  if (description.drawn.empty()) return "";
  Table table{"<joint", "<type", "<parent", "<child", "<in common"};
  for (const auto& line : description.drawn)
    table.row({line.joint, line.type, line.parent, line.child, join(line.in_common)});
  return "\njoints of the drawing\n" + table.text(2);
}

std::string constraints_text(const Description& description) {
  if (description.constraints.empty()) return "";
  Table table{"<constraint", ">equations"};
  for (const auto& line : description.constraints)
    table.row({line.constraint, std::to_string(line.equations)});
  return "\nconstraints\n" + table.text(2);
}

// How gradus changed the joints to make a tree of them.
std::string topology_text(const Description& description) {
  std::string text;
  const auto line = [&](const char* what, const std::vector<std::string>& joints) {
    if (!joints.empty()) text += std::string(what) + printable(join(joints)) + "\n";
  };
  const bool own = description.coordinate_kind != keys::of_joints;
  if (own)
    text += "reference-point coordinates: bodies move by themselves, joints are constraints\n";
  if (!own) line("joints cut to open loops: ", description.cut);
  line("joints reversed: ", description.reversed);
  if (!own) line("floating joints added: ", description.added);
  return text.empty() ? "" : "\n" + text;
}

std::string freedom_text(const Description& description) {
  Table table{"<coordinates", "<" + std::to_string(description.coordinates)};
  table.row({"constraint equations", std::to_string(description.constraint_equations)});
  table.row({"rank of the constraints", std::to_string(description.constraint_rank)});
  table.row({"redundant equations", std::to_string(description.redundant_equations)});
  table.row({"degrees of freedom", std::to_string(description.degrees_of_freedom)});
  if (description.independent_coordinates.size() > description.degrees_of_freedom)
    table.row({"held beyond these", std::to_string(description.independent_coordinates.size() -
                                                   description.degrees_of_freedom) +
                                        " (motions fail: make guesses of so many start values)"});
  if (description.turn_counts > 0)
    table.row({"states that count turns", std::to_string(description.turn_counts)});
  if (description.start != "stated") table.row({"start positions", description.start});
  table.row({description.start == "stated" ? "held at the start" : "rates held at the start",
             description.independent_coordinates.empty()
                 ? std::string("nothing")
                 : join(description.independent_coordinates)});
  if (!description.completed.empty())
    table.row({"of which gradus chose", join(description.completed)});
  if (!description.released.empty()) table.row({"rates that follow", join(description.released)});
  return "\n" + table.text();
}

std::string parameters_text(const Description& description) {
  if (description.parameters.empty()) return "\nno parameters\n";
  Table table{"<parameter", ">value", "<unit", "<touches"};
  const ShownParameters shown(description.parameters);
  for (std::size_t k = 0; k < description.parameters.size(); ++k) {
    const NamedUnit& parameter = description.parameters[k];
    if (!shown.contains(parameter.name)) continue;
    const auto touched = description.touches.find(parameter.name);
    table.row({parameter.name, number_text(description.parameter_values.at(k)), parameter.unit,
               touched == description.touches.end() ? "nothing" : first_of(touched->second)});
  }
  return "\nparameters\n" + table.text(2) + shown.remark();
}

// "index1, dop853 (radau9 for stiff motions)"
std::string method_text(const Description& description) {
  return description.formulation +
         (description.integrator.empty() ? "" : ", " + description.integrator) +
         (description.stiff_integrator.empty()
              ? ""
              : " (" + description.stiff_integrator + " for stiff motions)");
}

std::string description_text(const Description& description) {
  return "model " + printable(description.model) + "\n" + tree_text(description) +
         loops_text(description) + drawn_text(description) + constraints_text(description) +
         topology_text(description) + freedom_text(description) + parameters_text(description) +
         "\nrun by      " + method_text(description) + "\nobjectives  " +
         printable(join(description.objectives)) + "\nsensors     " +
         printable(join(description.sensors)) + "\n" +
         (description.states.empty()
              ? ""
              : "states      " + printable(join(description.states)) + "\n") +
         (description.events.empty() ? ""
                                     : "events      " + printable(join(description.events)) + "\n");
}

// "kept in ~/.cache/gradus/kernels (34 MB)"
std::string kept_text(const std::filesystem::path& folder) {
  if (folder.empty()) return "kept nowhere";
  std::uintmax_t bytes = 0;
  std::error_code none;
  for (std::filesystem::directory_iterator file(folder, none), end; !none && file != end;
       file.increment(none)) {
    std::error_code gone;
    const std::uintmax_t size = file->file_size(gone);
    if (!gone) bytes += size;
  }
  return "kept in " + printable(folder.string()) + " (" +
         short_text(1e-6 * static_cast<double>(bytes)) + " MB)";
}

// Which optional parts are available here.
std::string optional_text() {
  const std::vector<std::string> methods = optimization_methods();
  const std::string processes = ProcessGroup::obstacle();
  const std::string specialised = specialised_kernels_obstacle(true);
  return "\noptimisation  " + (methods.empty() ? "none: without NLopt and Ipopt" : join(methods)) +
         "\nprocesses     " + (processes.empty() ? "several, by MPI" : "one: " + processes) +
         "\narrays        " + (results::has_hdf5() ? "NPZ, HDF5" : "NPZ: without HDF5") +
         "\nkernels       " +
         (specialised.empty() ? "general, specialised, " + kept_text(kernel_cache_folder())
                              : "general: " + specialised) +
         "\n";
}

// By size, general matrices first.
using Group = std::pair<bool, int>;
using Groups = std::map<Group, std::vector<SolverChoice>>;

std::string most_frequent(const std::vector<SolverChoice>& choices) {
  std::map<std::string, int> votes;
  for (const SolverChoice& choice : choices) ++votes[choice.solver];
  return std::max_element(votes.begin(), votes.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::string exceptions(const std::vector<SolverChoice>& choices, const std::string& rule) {
  std::map<std::string, std::string> shapes;
  for (const SolverChoice& choice : choices) {
    if (choice.solver == rule) continue;
    std::string& list = shapes[choice.solver];
    list += (list.empty() ? "" : ", ") + std::to_string(choice.columns) + " x " +
            std::to_string(choice.systems);
  }
  std::string text;
  for (const auto& [solver, list] : shapes)
    text += (text.empty() ? "" : "; ") + solver + " for " + list;
  return text;
}

std::string solver_table_text(const SolverTable& solvers) {
  Groups groups;
  for (const SolverChoice& choice : solvers.choices)
    groups[{choice.definite, choice.size}].push_back(choice);
  Table table{">size", "<matrices", "<solver", "<except (columns x systems)"};
  for (const auto& [group, choices] : groups) {
    const std::string rule = most_frequent(choices);
    table.row({std::to_string(group.second), group.first ? "definite" : "general", rule,
               exceptions(choices, rule)});
  }
  const std::string measured =
      solvers.measured.empty() ? "not measured here" : "measured " + solvers.measured;
  return "\nlinear solvers on " + printable(solvers.device) + " (" + measured + ", " +
         printable(solvers.origin) + ")\n" + table.text(2);
}

std::string forces_text(const std::vector<ForceType>& types) {
  Table table{"<forces", "<from"};
  for (const ForceType& type : types)
    table.row({type.type, type.plugin.empty() ? "gradus" : type.plugin});
  return "\n" + table.text(2);
}

class Info : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("MODEL", "model file", model_, false);
    list.add_assignments("--set", "override the value of a parameter; repeatable", set_);
    list.add_value("--coordinates", "NAME",
                   "joint or reference-point (default: the model's), as of gradus simulate",
                   coordinates_, parse_text);
  }

  void check(const OptionList& list) override {
    if (list.given("--set") && model_.empty())
      throw InputError("--set needs MODEL: it changes a parameter of a model");
    if (coordinates_ && model_.empty())
      throw InputError("--coordinates needs MODEL: they are those of a model");
  }

  int run() const override {
    write_standard_output(model_.empty() ? program_text() : model_text());
    return done;
  }

 private:
  std::string program_text() const {
    const std::vector<std::string> backends = describe_backends();
    const std::vector<SolverTable> solvers = describe_solvers();
    if (json) return results::backends_document(backends, solvers);
    return "gradus " + version() + "\n\n" + backends_text(backends) + optional_text() +
           forces_text(force_types()) + solver_tables_text(solvers);
  }

  std::string model_text() const {
    Model model = with_values(read_model_or_robot(model_, quiet), set_);
    if (coordinates_) model.analysis.coordinates = *coordinates_;
    const Description description = describe(model);
    if (!quiet)
      for (const std::string& remark : examine(model, model.name).remarks) write_remark(remark);
    return json ? results::description_document(description) : description_text(description);
  }

  std::string model_;  // file; empty for what the program can do
  std::map<std::string, double> set_;
  std::optional<std::string> coordinates_;
};

}  // namespace

std::string solver_tables_text(const std::vector<SolverTable>& tables) {
  std::string text;
  for (const SolverTable& table : tables) text += solver_table_text(table);
  return text;
}

void add_info_command(Commands& commands) {
  commands.push_back({"info", "Describe a model, or list the backends and solvers available here",
                      std::make_unique<Info>()});
}

}  // namespace gradus::cli
