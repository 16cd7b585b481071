// Reads a model with the installed library and prints the library's version and the model's name.
#include <gradus/gradus.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const gradus::Model model = gradus::read_model(argv[1]);
    std::cout << gradus::version() << ' ' << model.name << '\n';
  } catch (const gradus::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
