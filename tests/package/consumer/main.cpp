// Reads a model with the installed library and prints the library's version, the model's name and
// the methods of optimisation, for which modules are opened.
#include <gradus/gradus.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const gradus::Model model = gradus::read_model(argv[1]);
    std::cout << gradus::version() << ' ' << model.name;
    for (const std::string& method : gradus::optimization_methods()) std::cout << ' ' << method;
    std::cout << '\n';
  } catch (const gradus::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
