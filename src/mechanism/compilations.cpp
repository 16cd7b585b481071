// What sessions run, compiled.
#include "src/mechanism/compilations.hpp"

#include <utility>

#include "gradus/error.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {

Compilations::Compilations(Model model, const Options& options, Exchange exchange)
    : options_(options),
      exchange_(std::move(exchange)),
      stated_(std::make_shared<const CompiledMechanism>(std::move(model), options)),
      extended_(stated_) {
  const Plan& plan = stated_->plan();
  if (exchange_.times.empty() && !exchange_.sensors.empty())
    throw InputError("sensors: found " + std::to_string(exchange_.sensors.size()) +
                     " but no times at which to hand them over; give times");
  extension_.times = exchange_.times;
  extension_.sensors = exchange_.sensors;
  extension_.final_state = exchange_.final_state;
  if (exchange_.start_states) {
    extension_.start_state = start_state_on_host(stated_->request(), stated_->nominal());
    extension_.held = plan.held_rows;
    extension_.released = plan.released_rows;
  }
  if (exchange_.start_states || exchange_.final_state || !exchange_.times.empty())
    extended_ = compile(extension_);
}

// Remarks were made when the mechanism was compiled as stated.
Compilations::Compiled Compilations::compile(const Extension& extension) const {
  Options options = options_;
  options.log = {};
  return std::make_shared<const CompiledMechanism>(stated_->model(), options, extension);
}

const std::shared_ptr<const CompiledMechanism>& Compilations::weighted() const {
  std::call_once(weights_flag_, [this] {
    Extension extension = extension_;
    extension.weighted = true;
    weighted_ = compile(extension);
  });
  return weighted_;
}

}  // namespace gradus
