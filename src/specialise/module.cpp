// The module of kernels made for one mechanism.
#include "src/modules/module.hpp"

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

}  // namespace
}  // namespace gradus::specialise

extern "C" gradus::ModuleEntry gradus_module() {
  static const gradus::SpecialiseModule functions{gradus::specialise::obstacle,
                                                  gradus::specialise::make};
  return {GRADUS_VERSION, gradus::SpecialiseModule::interface, &functions};
}
