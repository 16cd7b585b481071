// Starts a browser of its own session, so that it outlives the program and does not write to its
// terminal.
#include "src/cli/browser.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;

namespace gradus::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool start(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0)
    return false;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t process = 0;
  const int failed =
      posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

// "firefox --new-window %s": the file stands for %s, or at the end.
std::vector<std::string> command_line(const std::string& command, const std::string& file) {
  std::vector<std::string> words;
  bool placed = false;
  std::istringstream stream(command);
  for (std::string word; stream >> word;) {
    if (const std::size_t mark = word.find("%s"); mark != std::string::npos) {
      word.replace(mark, 2, file);
      placed = true;
    }
    words.push_back(word);
  }
  if (!words.empty() && !placed) words.push_back(file);
  return words;
}

}  // namespace

Opened open_in_browser(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).string();
  const std::string browsers = environment("BROWSER");
  std::istringstream stream(browsers);
  for (std::string command; std::getline(stream, command, ':');)
    if (const auto words = command_line(command, path); !words.empty() && start(words))
      return Opened::yes;
  const bool display = !environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty();
  if (display && start({"xdg-open", path})) return Opened::yes;
  return display || !browsers.empty() ? Opened::no : Opened::nobody_here;
}

}  // namespace gradus::cli
