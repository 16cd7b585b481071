// The compiler of the host, for text that programs were emitted as.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace gradus::specialise {

// The command of the C compiler: GRADUS_CC, otherwise the first of cc, gcc and clang that is there;
// empty if none is.
std::string host_compiler();
// Why it cannot be used: there is none, it is no program or, if it is tried, it compiles nothing
// within ten seconds.
// Empty if it can.
std::string host_compiler_obstacle(bool tries);

// C that was compiled and is part of the process as long as this lives.
class CompiledText {
 public:
  // Throws Error with what the compiler says, and ends it when `given_up` says so.
  CompiledText(const std::string& compiler, const std::string& text,
               const std::function<bool()>& given_up = {});
  // What was compiled before. Throws Error if that is no library.
  explicit CompiledText(std::string library);

  // The library, as a file has it.
  const std::string& bytes() const { return bytes_; }

  // A function of the text; throws Error if there is none of that name.
  template <class Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const std::string& name) const;
  void open(const std::string& file);

  std::string bytes_;
  struct Close {
    void operator()(void* library) const;
  };
  std::unique_ptr<void, Close> library_;
};

}  // namespace gradus::specialise
