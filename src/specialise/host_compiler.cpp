// The system's C compiler, run without a shell on a file of its own.
#include "src/specialise/host_compiler.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "src/specialise/byte_stream.hpp"

extern char** environ;

namespace gradus::specialise {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_prefix = "gradus-compiler-";
constexpr std::chrono::seconds kTrial(10);  // of a compiler

// What runs left that were killed: no compiler takes so long.
void remove_old_folders(const fs::path& where) {
  const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(6);
  std::error_code ignored;
  for (fs::directory_iterator entry(where, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code unknown;
    if (!entry->path().filename().string().starts_with(folder_prefix)) continue;
    if (entry->last_write_time(unknown) >= oldest || unknown) continue;
    fs::remove_all(entry->path(), unknown);
  }
}

// A folder that is gone with the last that needs it.
class Folder {
 public:
  Folder() {
    std::error_code none;
    const fs::path where = fs::temp_directory_path(none);
    if (none) throw FileError("there is no folder for temporary files (TMPDIR names one)");
    remove_old_folders(where);
    std::string name = (where / (std::string(folder_prefix) + "XXXXXX")).string();
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

// What a process says, from its beginning. No file takes it: it could fill the disk, even when this
// program has ended.
class Words {
 public:
  Words() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw Error("no process can be started");
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() {
    close_end(0);
    close_end(1);
  }

  int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }
  // Takes what is there by now. Who says more than enough is not listened to any more.
  void listen() {
    constexpr std::size_t enough = 65536;
    std::array<char, 4096> some;
    while (ends_[0] >= 0) {
      const ssize_t count = read(ends_[0], some.data(), some.size());
      if (count <= 0) return;
      text_.append(some.data(), static_cast<std::size_t>(count));
      if (text_.size() > enough) close_end(0);
    }
  }
  const std::string& text() const { return text_; }

 private:
  void close_end(std::size_t k) {
    if (ends_[k] >= 0) close(ends_[k]);
    ends_[k] = -1;
  }

  int ends_[2] = {-1, -1};
  std::string text_;
};

// The status of a process, which is ended with all that it has started when it is given up.
int wait_for(pid_t process, const std::string& name, Words& words,
             const std::function<bool()>& given_up) {
  constexpr std::chrono::milliseconds pause(5);
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    words.listen();
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) throw Error(name + ": " + std::strerror(errno));
    if (given_up && given_up()) {
      kill(-process, SIGKILL);
      while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
      }
      throw Error(name + " took too long");
    }
    std::this_thread::sleep_for(pause);
  }
}

// The environment, but for temporary files in this folder: a compiler that is ended leaves some.
std::vector<std::string> environment_with(const fs::path& folder) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with("TMPDIR=")) all.emplace_back(*entry);
  all.push_back("TMPDIR=" + folder.string());
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Without a shell, in a group of processes of its own, with temporary files in a folder. Returns
// the exit code.
int run(std::vector<std::string> command, const fs::path& folder, Words& words,
        const std::function<bool()>& given_up) {
  std::vector<std::string> environment = environment_with(folder);
  const std::vector<char*> arguments = pointers_to(command);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) throw Error("no process can be started");
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, words.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, words.write_end(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  if (posix_spawnattr_init(&attributes) != 0) throw Error("no process can be started");
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = 0;
  const int problem = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(),
                                   pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw Error(command[0] + " cannot be run: " + std::strerror(problem));
  words.close_write_end();
  const int status = wait_for(process, command[0], words, given_up);
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

std::string host_compiler_obstacle(bool tries) try {
  const std::string compiler = host_compiler();
  if (compiler.empty())
    return "there is no C compiler: install gcc (Debian: gcc), or name one by GRADUS_CC";
  const bool is_path = compiler.find('/') != std::string::npos;
  if (!(is_path ? access(compiler.c_str(), X_OK) == 0 : is_in_path(compiler)))
    return "GRADUS_CC names '" + compiler + "'" + ", which is no program" +
           (is_path ? "" : " in PATH");
  if (!tries) return {};
  const auto end = std::chrono::steady_clock::now() + kTrial;
  CompiledText(compiler, "int one(void) { return 1; }\n", [&] {
    return std::chrono::steady_clock::now() > end;
  }).function<int()>("one");
  return {};
} catch (const Error& problem) {
  return problem.what();
}

CompiledText::CompiledText(const std::string& compiler, const std::string& text,
                           const std::function<bool()>& given_up) {
  const Folder folder;
  const fs::path source = folder / "text.c", library = folder / "text.so";
  std::ofstream stream(source);
  stream << text;
  stream.close();
  if (!stream) throw FileError(source.string() + " could not be written");
  // Vectorising straight lines, GCC forms fused multiply-adds whatever it is told; it does not at
  // this level. And it would make sincos() of sin() and cos(), which has other last digits.
  Words said;
  const int code =
      run({compiler, "-O1", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-builtin",
           "-fPIC", "-shared", "-o", library.string(), source.string(), "-lm"},
          source.parent_path(), said, given_up);
  constexpr std::size_t enough = 300;  // of what the compiler says
  if (code > 128) throw Error(compiler + " was ended by signal " + std::to_string(code - 128));
  if (code != 0) {
    const std::string words = said.text().substr(0, enough);
    throw Error(compiler + " ended with " + std::to_string(code) +
                (words.empty() ? ", and said nothing" : ":\n" + words));
  }
  if (!fs::exists(library)) throw Error(compiler + " wrote no library");
  bytes_ = content_of(library);
  open(library);
}

CompiledText::CompiledText(std::string library) : bytes_(std::move(library)) {
  const Folder folder;
  const fs::path file = folder / "text.so";
  std::ofstream stream(file, std::ios::binary);
  stream << bytes_;
  stream.close();
  if (!stream) throw FileError(file.string() + " could not be written");
  open(file);
}

void CompiledText::open(const std::string& file) {
  library_.reset(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
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
