// gradus info [MODEL]
#include "gradus/gradus.hpp"
#include "src/cli/abbreviation.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/exit_codes.hpp"
#include "src/cli/printable.hpp"
#include "src/cli/process_group.hpp"
#include "src/cli/solver_tables.hpp"
#include "src/cli/standard_output.hpp"
#include "src/cli/tables.hpp"
#include "src/cli/values.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/reports.hpp"

namespace gradus::cli {
namespace {

std::string backends_text(const std::vector<std::string>& backends) {
  std::string text = "backends\n";
  for (const std::string& line : backends) text += "  " + line + "\n";
  return text;
}

std::string tree_text(const Description& description) {
  Table table;
  for (const char* heading : {"body", "joint", "type", "parent", "coordinates"})
    table.column(heading, Align::left);
  for (const auto& line : description.tree)
    table.row({line.body, line.joint, line.type, line.parent, join(line.coordinates)});
  return "\ntree\n" + table.text(2);
}

std::string loops_text(const Description& description) {
  if (description.loops.empty()) return "\nno loops\n";
  Table table;
  for (const char* heading : {"loop", "type", "parent", "child"})
    table.column(heading, Align::left);
  table.column("equations", Align::right);
  for (const auto& line : description.loops)
    table.row({line.loop, line.type, line.parent, line.child, std::to_string(line.equations)});
  return "\nloops\n" + table.text(2);
}

std::string constraints_text(const Description& description) {
  if (description.constraints.empty()) return "";
  Table table;
  table.column("constraint", Align::left);
  table.column("equations", Align::right);
  for (const auto& line : description.constraints)
    table.row({line.constraint, std::to_string(line.equations)});
  return "\nconstraints\n" + table.text(2);
}

// What gradus did to the joints to make them a tree.
std::string topology_text(const Description& description) {
  std::string text;
  const auto line = [&](const char* what, const std::vector<std::string>& joints) {
    if (!joints.empty()) text += std::string(what) + printable(join(joints)) + "\n";
  };
  line("cut to close loops: ", description.cut);
  line("followed from child to parent: ", description.reversed);
  line("floating joints added: ", description.added);
  return text.empty() ? "" : "\n" + text;
}

std::string freedom_text(const Description& description) {
  Table table;
  table.column("coordinates", Align::left);
  table.column(std::to_string(description.coordinates), Align::left);
  table.row({"constraint equations", std::to_string(description.constraint_equations)});
  table.row({"rank of the constraints", std::to_string(description.constraint_rank)});
  table.row({"redundant equations", std::to_string(description.redundant_equations)});
  table.row({"degrees of freedom", std::to_string(description.degrees_of_freedom)});
  table.row({"held at the start", join(description.independent_coordinates)});
  if (!description.completed.empty())
    table.row({"of these chosen by gradus", join(description.completed)});
  return "\n" + table.text();
}

std::string parameters_text(const Description& description) {
  if (description.parameters.empty()) return "\nno parameters\n";
  Table table;
  table.column("parameter", Align::left);
  table.column("value", Align::right);
  table.column("unit", Align::left);
  table.column("touches", Align::left);
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

std::string description_text(const Description& description) {
  return "model " + printable(description.model) + "\n" + tree_text(description) +
         loops_text(description) + constraints_text(description) + topology_text(description) +
         freedom_text(description) + parameters_text(description) + "\nobjectives  " +
         printable(join(description.objectives)) + "\nsensors     " +
         printable(join(description.sensors)) + "\n\n" + backends_text(description.backends);
}

// What can be had of what is optional.
std::string optional_text() {
  const std::vector<std::string> methods = optimization_methods();
  const std::string processes = ProcessGroup::obstacle();
  return "\noptimisation  " + (methods.empty() ? "none: without NLopt and Ipopt" : join(methods)) +
         "\nprocesses     " + (processes.empty() ? "several, by MPI" : "one: " + processes) +
         "\narrays        " + (results::has_hdf5() ? "NPZ, HDF5" : "NPZ: without HDF5") + "\n";
}

}  // namespace

int run_info(const Arguments& arguments) {
  if (arguments.model.empty()) {
    const std::vector<std::string> backends = describe_backends();
    const std::vector<SolverTable> solvers = describe_solvers();
    write_standard_output(arguments.json
                              ? results::backends_document(backends, solvers)
                              : "gradus " + version() + "\n\n" + backends_text(backends) +
                                    optional_text() + solver_tables_text(solvers));
    return done;
  }
  const Description description = describe(read_model(arguments.model));
  write_standard_output(arguments.json ? results::description_document(description)
                                       : description_text(description));
  return done;
}

}  // namespace gradus::cli
