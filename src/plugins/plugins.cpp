// Opens plug-ins, and keeps what they bring.
#include "src/plugins/plugins.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/plugins/plugin_force.hpp"

namespace gradus {
namespace {

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

struct Plugin : LoadedPlugin {
  std::deque<PluginForce> forces;
};

// Never destroyed: models are read up to the last moment.
struct Plugins {
  std::mutex loading;
  std::deque<Plugin> all;
};

Plugins& plugins() {
  static Plugins* const once = new Plugins;
  return *once;
}

std::string content_of(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none))
    throw FileError("cannot load " + file.string() + " (it is no regular file), check the path");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw FileError("cannot load " + file.string() + " (" +
                    std::generic_category().message(errno != 0 ? errno : EIO) +
                    "), check the path");
  return content;
}

Library open(const std::filesystem::path& file, const std::string& name) {
  Library library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library != nullptr) return library;
  const char* const reason = dlerror();
  reject(name, "it is no library that can be loaded", reason != nullptr ? reason : "unknown reason",
         "a plug-in is a shared library, built for this machine");
}

const gradus_plugin& described(void* library, const std::string& name) {
  const auto get = reinterpret_cast<gradus_plugin_get>(dlsym(library, "gradus_plugin_entry"));
  if (get == nullptr)
    reject(name, "it is no plug-in of gradus", "it exports no gradus_plugin_entry",
           "include gradus/plugin.hpp and register a force with GRADUS_PLUGIN_FORCE");
  const gradus_plugin* const plugin = get();
  if (plugin == nullptr)
    reject(name, "it describes nothing", "its gradus_plugin_entry returns null",
           "build it with gradus/plugin.hpp");
  if (plugin->interface != GRADUS_PLUGIN_INTERFACE)
    reject(name, "it was built for interface " + std::to_string(plugin->interface) + " of plug-ins",
           "this gradus has interface " + std::to_string(GRADUS_PLUGIN_INTERFACE),
           "build it again with the headers of this gradus");
  if (plugin->problem != nullptr)
    reject(name, "it cannot describe its forces", "it says " + in_quotes(plugin->problem),
           "mend its source");
  if (plugin->force_count < 1 || plugin->forces == nullptr)
    reject(name, "it has no forces", "there is nothing to load",
           "register one with GRADUS_PLUGIN_FORCE");
  return *plugin;
}

bool is_loaded(const std::deque<Plugin>& all, const LoadedPlugin& plugin) {
  for (const Plugin& known : all) {
    if (known.content == plugin.content) return true;
    if (known.file == plugin.file)
      reject(plugin.file, "it has changed since it was loaded", "a process loads a plug-in once",
             "start the program again");
  }
  return false;
}

}  // namespace

void load_plugin(const std::filesystem::path& file) {
  std::error_code none;
  const std::filesystem::path found = std::filesystem::canonical(file, none);
  const std::filesystem::path path = none ? file : found;
  Plugin plugin{{path.string(), content_of(path)}, {}};
  Plugins& known = plugins();
  const std::lock_guard lock(known.loading);
  if (is_loaded(known.all, plugin)) return;
  const std::string name = file.string();
  Library library = open(path, name);
  const gradus_plugin& contents = described(library.get(), name);
  for (int k = 0; k < contents.force_count; ++k)
    plugin.forces.emplace_back(contents.forces[k], plugin.file);
  std::vector<const ForceKind*> kinds;
  for (const PluginForce& force : plugin.forces) kinds.push_back(&force);
  std::sort(kinds.begin(), kinds.end(), [](auto* a, auto* b) { return a->type < b->type; });
  known.all.push_back(std::move(plugin));  // its forces stay where they are
  try {
    add_force_kinds(kinds, name);
  } catch (...) {
    known.all.pop_back();
    throw;
  }
  static_cast<void>(library.release());  // stays open
}

std::vector<ForceType> force_types() {
  std::vector<ForceType> types;
  for (const ForceKind* const kind : force_kinds())
    types.push_back({std::string(kind->type), std::string(kind->origin)});
  return types;
}

std::vector<const LoadedPlugin*> plugins_of(const Model& model) {
  Plugins& known = plugins();
  const std::lock_guard lock(known.loading);
  std::vector<const LoadedPlugin*> used;
  for (const Plugin& plugin : known.all) {
    const auto brings = [&](const Force& force) {
      const ForceKind* const kind = find_force_kind(force.type);
      return kind != nullptr && kind->origin == plugin.file;
    };
    if (std::any_of(model.forces.begin(), model.forces.end(), brings)) used.push_back(&plugin);
  }
  return used;
}

}  // namespace gradus
