// The system's C compiler, run without a shell on a file of its own.
#include "src/specialise/host_compiler.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <vector>

#include "gradus/error.hpp"

extern char** environ;

namespace gradus::specialise {
namespace {

namespace fs = std::filesystem;

// A folder that is gone with the last that needs it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gradus-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw FileError(name + ": " + std::strerror(errno));
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* file) const { return path_ / file; }

 private:
  fs::path path_;
};

std::string content(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Without a shell. Returns the exit code; what the command says goes to the file.
int run(std::vector<std::string> command, const fs::path& output) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) throw Error("no process can be started");
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int problem =
      posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw Error(command[0] + " cannot be run: " + std::strerror(problem));
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw Error(command[0] + ": " + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_in_path(const std::string& command) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / command).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

std::string host_compiler() {
  if (const char* const named = std::getenv("GRADUS_CC"); named != nullptr && *named != '\0')
    return named;
  for (const char* command : {"cc", "gcc", "clang"})
    if (is_in_path(command)) return command;
  return {};
}

CompiledText::CompiledText(const std::string& compiler, const std::string& text) {
  const Folder folder;
  const fs::path source = folder / "text.c", library = folder / "text.so",
                 said = folder / "said.txt";
  std::ofstream(source) << text;
  // Vectorising straight lines, GCC forms fused multiply-adds whatever it is told; it does not at
  // this level. And it would make sincos() of sin() and cos(), which has other last digits.
  const int code =
      run({compiler, "-O1", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-builtin",
           "-fPIC", "-shared", "-o", library.string(), source.string(), "-lm"},
          said);
  if (code != 0)
    throw Error(compiler + " ended with " + std::to_string(code) + ":\n" + content(said));
  library_.reset(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library_ == nullptr) throw Error(std::string("compiled text: ") + dlerror());
}

void* CompiledText::symbol(const std::string& name) const {
  void* const found = dlsym(library_.get(), name.c_str());
  if (found == nullptr) throw Error("compiled text: no function " + name);
  return found;
}

void CompiledText::Close::operator()(void* library) const {
  dlclose(library);
}

}  // namespace gradus::specialise
