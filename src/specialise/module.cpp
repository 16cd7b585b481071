// The module of kernels made for one mechanism.
#include "src/modules/module.hpp"

#include "src/specialise/device_compiler.hpp"
#include "src/specialise/device_step_maker.hpp"
#include "src/specialise/host_compiler.hpp"
#include "src/specialise/program_cache.hpp"
#include "src/specialise/step_maker.hpp"

namespace gradus::specialise {
namespace {

std::unique_ptr<SpecialisedSteps> make(const StepSetup& setup) {
  return std::make_unique<StepMaker>(setup);
}

std::string obstacle_on_device(const std::string& target) {
  if (target == "host") return host_compiler_obstacle(false);
  return device_compiler_obstacle();
}

std::unique_ptr<DeviceSteps> make_for_device(const StepSetup& setup, const std::string& target) {
  return std::make_unique<DeviceStepMaker>(setup, target);
}

std::string cache_folder() {
  return folder_of_programs(false).string();
}

}  // namespace
}  // namespace gradus::specialise

extern "C" gradus::ModuleEntry gradus_module() {
  static const gradus::SpecialiseModule functions{
      gradus::specialise::host_compiler_obstacle, gradus::specialise::make,
      gradus::specialise::obstacle_on_device, gradus::specialise::make_for_device,
      gradus::specialise::cache_folder};
  return {GRADUS_VERSION, gradus::SpecialiseModule::interface, &functions};
}
