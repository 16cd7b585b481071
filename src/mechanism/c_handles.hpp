// The handles of the interface for C, and what all its functions do.
#pragma once

#include <new>
#include <string>

#include "gradus/error.hpp"
#include "gradus/gradus.h"
#include "gradus/mechanism.hpp"
#include "gradus/run.hpp"

struct gradus_options {
  gradus::Options options;
  gradus::Exchange exchange;
};

struct gradus_mechanism {
  explicit gradus_mechanism(gradus::Mechanism m)
      : mechanism(std::move(m)), names(mechanism.names()) {}
  gradus::Mechanism mechanism;
  gradus::Result names;
};

struct gradus_session {
  explicit gradus_session(const gradus_mechanism& m) : mechanism(m.mechanism), session(mechanism) {}
  gradus::Mechanism mechanism;
  gradus::Session session;
  std::string message;
};

namespace gradus {

// Keeps the message for the thread.
gradus_code refuse(gradus_code code, const char* message) noexcept;

// Runs work() and turns what it throws into a code.
template <class Work>
gradus_code guarded(const Work& work) noexcept {
  try {
    work();
    return GRADUS_OK;
  } catch (const InputError& error) {
    return refuse(GRADUS_INPUT_ERROR, error.what());
  } catch (const NumericalError& error) {
    return refuse(GRADUS_NUMERICAL_ERROR, error.what());
  } catch (const BackendError& error) {
    return refuse(GRADUS_BACKEND_ERROR, error.what());
  } catch (const FileError& error) {
    return refuse(GRADUS_FILE_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return refuse(GRADUS_FAULT, "memory ran out");
  } catch (const std::exception& error) {
    return refuse(GRADUS_FAULT, error.what());
  } catch (...) {
    return refuse(GRADUS_FAULT, "an unexpected fault");
  }
}

// Handles and arrays that must not be null.
inline void require(const void* pointer, const char* name) {
  if (pointer == nullptr) throw InputError(std::string(name) + ": found a null pointer");
}

// Where a new handle goes; nothing is there until it is made.
template <class Handle>
void require_empty(Handle** to, const char* name) {
  require(to, name);
  *to = nullptr;
}

}  // namespace gradus
