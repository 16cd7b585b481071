// The module of kernels made for one mechanism.
#include "src/modules/module.hpp"

#include "src/specialise/device_compiler.hpp"
#include "src/specialise/device_step_maker.hpp"
#include "src/specialise/step_maker.hpp"

namespace gradus::specialise {
namespace {

std::string obstacle() {
  if (!host_compiler().empty()) return {};
  return "there is no C compiler: install gcc (Debian: gcc), or name one by GRADUS_CC";
}

std::unique_ptr<SpecialisedSteps> make(const StepSetup& setup) {
  return std::make_unique<StepMaker>(setup);
}

std::string obstacle_on_device(const std::string& target) {
  if (target == "host") return obstacle();
  return device_compiler_obstacle();
}

std::unique_ptr<DeviceSteps> make_for_device(const StepSetup& setup, const std::string& target) {
  return std::make_unique<DeviceStepMaker>(setup, target);
}

}  // namespace
}  // namespace gradus::specialise

extern "C" gradus::ModuleEntry gradus_module() {
  static const gradus::SpecialiseModule functions{
      gradus::specialise::obstacle, gradus::specialise::make,
      gradus::specialise::obstacle_on_device, gradus::specialise::make_for_device};
  return {GRADUS_VERSION, gradus::SpecialiseModule::interface, &functions};
}
