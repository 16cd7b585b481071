// The exceptions of gradus. Each message reads: problem (why), hint.
#pragma once

#include <stdexcept>
#include <string>

namespace gradus {

// Base of all errors thrown by gradus.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The model, an option or a parameter value is wrong: something the user can mend.
class InputError : public Error {
 public:
  using Error::Error;
};

// The numbers failed: a loop cannot close, an iteration does not converge, a configuration is
// singular.
class NumericalError : public Error {
 public:
  using Error::Error;
};

// The backend asked for cannot run here: not compiled in, no driver, no device.
class BackendError : public Error {
 public:
  using Error::Error;
};

// A file could not be read or written.
class FileError : public Error {
 public:
  using Error::Error;
};

// A run was given up because its options asked for that: no fault of anybody.
class Cancelled : public Error {
 public:
  using Error::Error;
};

}  // namespace gradus
