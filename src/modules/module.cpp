// Where modules are looked for, and which are refused.
#include "src/modules/module.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace gradus {
namespace {

// The program, or the shared library, that this code was linked into.
std::filesystem::path own_file() {
  std::error_code none;
  Dl_info info{};
  link_map* object = nullptr;
  const auto here = reinterpret_cast<const void*>(&open_module);
  if (dladdr1(here, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return {};
  // A program has no name there, and is called by whatever name its caller chose.
  const bool is_program = object == nullptr || object->l_name == nullptr || *object->l_name == '\0';
  if (!is_program) return std::filesystem::canonical(object->l_name, none);
  const auto program = std::filesystem::canonical("/proc/self/exe", none);
  if (!none) return program;
  // Where /proc is not mounted, the path it was started by; nothing of it if the working folder has
  // changed.
  const auto* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return started == nullptr ? "" : std::filesystem::canonical(started, none);
}

// The only folder that counts, if the environment names one.
std::string told_folder() {
  const char* const folder = std::getenv("GRADUS_MODULES");
  return folder != nullptr ? folder : "";
}

std::vector<std::string> places(const std::string& file) {
  if (const std::string told = told_folder(); !told.empty())
    return {(std::filesystem::path(told) / file).string()};
  std::vector<std::string> list;
  if (const std::filesystem::path folder = own_file().parent_path(); !folder.empty()) {
    list.push_back((folder / file).string());
    list.push_back((folder.parent_path() / "lib" / file).string());
    list.push_back((folder / GRADUS_LIBRARIES_FROM_PROGRAMS / file).string());
  }
  list.push_back(file);
  return list;
}

// Null if there is none, with a reason if that is not because no such file was found.
void* open_library(const std::string& file, std::string& reason) {
  for (const std::string& place : places(file)) {
    if (void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    const char* const found = dlerror();
    const std::string message = found != nullptr ? found : "unknown reason";
    const bool is_path = place != file;
    std::error_code none;
    const bool is_there = is_path ? std::filesystem::exists(place, none)
                                  : !message.starts_with(file + ": cannot open shared object file");
    if (is_there) reason = message;
  }
  return nullptr;
}

// "A, B and where the loader looks"
std::string searched_folders(const std::string& file) {
  std::vector<std::string> folders;
  for (const std::string& place : places(file)) {
    const std::filesystem::path path = std::filesystem::path(place).lexically_normal();
    const std::string folder = path.parent_path().string();
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  }
  std::string text;
  for (const std::string& folder : folders) text += (text.empty() ? "" : ", ") + folder;
  return text + (text.empty() ? "" : " and ") + "where the loader looks";
}

std::string not_found(const std::string& file) {
  const std::string told = told_folder();
  return file + " was not found in " +
         (told.empty() ? searched_folders(file) : told + ", which GRADUS_MODULES names") +
         ": it was not built, or not installed" +
         (told.empty() ? "; GRADUS_MODULES may name another folder" : "");
}

}  // namespace

OpenedModule open_module(const std::string& file, int interface) {
  std::string reason;
  void* const library = open_library(file, reason);
  if (library == nullptr)
    return reason.empty()
               ? OpenedModule{nullptr, not_found(file), OpenedModule::missing}
               : OpenedModule{nullptr, file + " does not load: " + reason, OpenedModule::broken};
  const auto entry = reinterpret_cast<GetModuleEntry>(dlsym(library, module_entry_name));
  if (entry == nullptr)
    return {nullptr, file + " is no module of this gradus", OpenedModule::foreign};
  const ModuleEntry found = entry();
  if (found.interface == interface && std::strcmp(found.version, GRADUS_VERSION) == 0)
    return {found.functions, "", OpenedModule::fine};
  return {nullptr,
          file + " belongs to another build of gradus: found version " + found.version +
              ", interface " + std::to_string(found.interface) + ", expected " + GRADUS_VERSION +
              ", " + std::to_string(interface),
          OpenedModule::foreign};
}

std::string module_hint(const OpenedModule& opened, const std::string& file,
                        const ModuleLibrary& library) {
  const std::string target = file.substr(3, file.size() - 6);  // lib<target>.so
  const std::string name = library.name;
  switch (opened.fault) {
    case OpenedModule::missing:
      return "build the target " + target + " (if there is none, install " + name +
             ", Debian: " + library.to_build + ", and configure again)";
    case OpenedModule::broken:
      return "install " + name + " (Debian: " + library.to_run + ")";
    case OpenedModule::foreign:
      return "build the program and the target " + target + " from the same sources";
    case OpenedModule::fine:
      break;
  }
  return "";
}

}  // namespace gradus
