// The small module as it should be, and as it should be refused.
#include "tests/unit/modules/small_module.hpp"

#ifdef SMALL_MODULE_IS_NEEDY
int lost_number();
#else
static int lost_number() {
  return 0;
}
#endif

namespace gradus::test {
namespace {

int twice(int number) {
  return 2 * number + lost_number();
}

constexpr SmallModule functions{twice};

}  // namespace
}  // namespace gradus::test

#if defined(SMALL_MODULE_IS_EMPTY)
extern "C" const void* something_else() {
  return &gradus::test::functions;
}
#elif defined(SMALL_MODULE_IS_OLD)
extern "C" gradus::ModuleEntry gradus_module() {
  return {"0.0.1", gradus::test::SmallModule::interface, &gradus::test::functions};
}
#else
extern "C" gradus::ModuleEntry gradus_module() {
  return {GRADUS_VERSION, gradus::test::SmallModule::interface, &gradus::test::functions};
}
#endif
