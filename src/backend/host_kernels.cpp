// Finds the kernels of the host.
#include "src/backend/host_kernels.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/launch/checks.hpp"

namespace gradus {
namespace {

constexpr const char* kLibrary = "libgradus_checks.so";

std::vector<std::string> places() {
  std::vector<std::string> list;
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&kLibrary), &here) != 0 && here.dli_fname != nullptr) {
    std::error_code none;
    const std::filesystem::path file = std::filesystem::weakly_canonical(here.dli_fname, none);
    list.push_back((file.parent_path() / kLibrary).string());
    list.push_back((file.parent_path().parent_path() / "lib" / kLibrary).string());
  }
  list.emplace_back(kLibrary);
  return list;
}

kernels::CheckKernels load() {
  void* library = nullptr;
  for (const std::string& place : places())
    if ((library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) != nullptr) break;
  if (library == nullptr)
    throw BackendError(std::string("the kernels for dual numbers and the backend debug cannot be "
                                   "had (") +
                       kLibrary + " was not built); build the target gradus_checks");
  const auto version =
      reinterpret_cast<kernels::ChecksVersion>(dlsym(library, kernels::kChecksVersionName));
  const auto find =
      reinterpret_cast<kernels::FindCheckKernels>(dlsym(library, kernels::kChecksFindName));
  if (version == nullptr || find == nullptr || version() != kernels::kChecksInterfaceVersion)
    throw BackendError(std::string(kLibrary) + " belongs to another version of gradus");
  kernels::CheckKernels found{};
  find(&found);
  return found;
}

}  // namespace

kernels::Launch host_kernels() {
  static const kernels::Launch latest = kernels::launch_alone();
  if (latest == nullptr)
    throw BackendError(
        "cpu: this gradus was built for newer processors (its kernels use vector registers that "
        "this one lacks); build it here, or with GRADUS_VECTOR_LEVELS=all");
  return latest;
}

const kernels::CheckKernels& check_kernels() {
  static const kernels::CheckKernels found = load();
  return found;
}

}  // namespace gradus
