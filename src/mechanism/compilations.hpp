// A mechanism compiled in the ways in which sessions run it.
#pragma once

#include <memory>
#include <mutex>

#include "gradus/mechanism.hpp"
#include "src/motion/mechanism.hpp"

namespace gradus {

// The first two are compiled at once, so that mistakes are found; the others when they are first
// asked for, by whichever thread.
class Compilations {
 public:
  // Throws as Mechanism does.
  Compilations(Model model, const Options& options, Exchange exchange);

  const Exchange& exchange() const { return exchange_; }
  const std::shared_ptr<const CompiledMechanism>& stated() const { return stated_; }
  // With what is exchanged: parameters and start state in, objectives, sensors, final state out.
  const std::shared_ptr<const CompiledMechanism>& extended() const { return extended_; }
  // Of weighted outputs: all inputs, and the weights.
  const std::shared_ptr<const CompiledMechanism>& weighted() const;

 private:
  using Compiled = std::shared_ptr<const CompiledMechanism>;

  Compiled compile(const Extension& extension) const;

  Options options_;
  Exchange exchange_;
  Extension extension_;
  Compiled stated_, extended_;
  mutable std::once_flag weights_flag_;
  mutable Compiled weighted_;
};

}  // namespace gradus
