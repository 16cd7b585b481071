// The module gradus._core: what the package says in Python, said in C++.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "gradus/gradus.hpp"
#include "python/src/interruption.hpp"
#include "python/src/mechanism.hpp"
#include "python/src/options.hpp"
#include "src/model/json_document.hpp"
#include "src/model/mesh_shapes.hpp"

namespace nb = nanobind;

namespace gradus::python {
namespace {

// Python's own classes that fit are bases as well, so that who knows nothing of gradus catches
// what it expects.
void bind_errors(nb::module_& module) {
  const auto base = nb::exception<Error>(module, "Error", PyExc_Exception);
  const auto with = [&](PyObject* own) { return nb::make_tuple(base, nb::handle(own)); };
  nb::exception<InputError>(module, "InputError", with(PyExc_ValueError));
  nb::exception<NumericalError>(module, "NumericalError", with(PyExc_ArithmeticError));
  nb::exception<BackendError>(module, "BackendError", with(PyExc_RuntimeError));
  nb::exception<FileError>(module, "FileError", with(PyExc_OSError));
  nb::exception<Cancelled>(module, "Cancelled", base);
  for (const char* name :
       {"Error", "InputError", "NumericalError", "BackendError", "FileError", "Cancelled"})
    module.attr(name).attr("__module__") = "gradus";
}

nb::object object_of(const JsonValue& value) {
  constexpr double largest_whole = 9e15;
  switch (value.kind) {
    case JsonValue::Kind::null:
      return nb::none();
    case JsonValue::Kind::boolean:
      return nb::bool_(value.number != 0.0);
    case JsonValue::Kind::number:
      if (std::nearbyint(value.number) == value.number && std::abs(value.number) < largest_whole)
        return nb::int_(static_cast<long long>(value.number));
      return nb::float_(value.number);
    case JsonValue::Kind::text:
      return nb::str(value.text.c_str(), value.text.size());
    case JsonValue::Kind::array: {
      nb::list list;
      for (const JsonValue& element : value.elements) list.append(object_of(element));
      return list;
    }
    case JsonValue::Kind::object:
      break;
  }
  nb::dict dict;
  for (std::size_t k = 0; k < value.keys.size(); ++k)
    dict[nb::str(value.keys[k].c_str(), value.keys[k].size())] = object_of(value.elements[k]);
  return dict;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def_ro("name", &Model::name)
      .def("compile",
           [](const Model& model, nb::dict arguments) {
             const Exchange exchange = exchange_of(arguments);
             const Options options = options_of(arguments);
             const WithoutInterpreter released;
             return new SharedMechanism(model, options, exchange);
           })
      .def("write_page", [](const Model& model, const std::filesystem::path& file) {
        const WithoutInterpreter released;
        write_model_page(model, file);
      });
  module.def("read_model", &read_model);
  module.def("is_importable", &is_importable);
  module.def("import_model",
             [](const std::filesystem::path& file, const std::vector<std::string>& parameters,
                bool floating_base, bool mimic, const std::string& keyframe,
                const std::vector<std::filesystem::path>& packages) {
               const ImportedModel imported =
                   import_model(file, {parameters, floating_base, mimic, keyframe, packages});
               return std::pair(imported.text, imported.remarks);
             });
  module.def("to_urdf", [](const Model& model) {
    const ExportedModel exported = to_urdf(model);
    return std::pair(exported.text, exported.remarks);
  });
  module.def("write_gltf",
             [](const Model& model, const std::filesystem::path& file, const nb::dict& arguments) {
               const Options options = options_of(arguments);
               return run_interruptibly([&] { return write_gltf(model, options, file); });
             });
  module.def("parse_model", [](const std::string& text, const std::string& origin) {
    return parse_model(text, origin);
  });
  // The text of a model with the meshes of files that its shapes name.
  module.def("with_meshes", [](const std::string& text, const std::string& origin,
                               const std::filesystem::path& folder) {
    std::vector<std::string> remarks;
    std::string whole = with_meshes(text, origin, folder, remarks);
    return std::pair(std::move(whole), std::move(remarks));
  });
  // Files of gradus may have comments, which Python's own JSON does not read.
  module.def("parse_json", [](const std::string& text, const std::string& origin) {
    return object_of(parse_document(text, origin));
  });
}

}  // namespace gradus::python

NB_MODULE(_core, module) {
  using namespace gradus::python;
  bind_errors(module);
  bind_model(module);
  bind_mechanism(module);
  bind_studies(module);
  module.def("version", &gradus::version);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_runs));
  nb::set_leak_warnings(false);  // an exception that ends the program keeps what it points to
  module.def("backends", &gradus::describe_backends);
  module.def("generate_model", &gradus::generate_model);
  module.def("families", [] {
    std::vector<std::string> names;
    for (const gradus::Family& family : gradus::families()) names.push_back(family.name);
    return names;
  });
  module.def("optimization_methods", &gradus::optimization_methods);
}
