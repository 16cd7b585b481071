// What is counted: operations, and which numbers of a block of memory are read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus::bench {

struct Operations {
  long long additions = 0;  // and subtractions
  long long multiplications = 0;
  long long divisions = 0;  // and square roots
  long long functions = 0;  // sine, power, ...

  long long total() const { return additions + multiplications + divisions + functions; }
  Operations& operator+=(const Operations& b) {
    additions += b.additions;
    multiplications += b.multiplications;
    divisions += b.divisions;
    functions += b.functions;
    return *this;
  }
};

struct Traffic {
  long long reads = 0;  // as the formulas ask for them; a compiler keeps some in registers
  long long writes = 0;
  long long distinct = 0;  // numbers read before they are written, and numbers written, once each

  Traffic& operator+=(const Traffic& b) {
    reads += b.reads;
    writes += b.writes;
    distinct += b.distinct;
    return *this;
  }
};

// Watches one block. One thread only.
class Accesses {
 public:
  void watch(const void* begin, std::size_t numbers, std::size_t size_of_number) {
    begin_ = reinterpret_cast<std::uintptr_t>(begin);
    size_ = size_of_number;
    seen_.assign(numbers, 0);
    traffic_ = {};
  }
  // What was counted since the last time; distinct numbers count anew from here.
  Traffic take() {
    const Traffic counted = traffic_;
    traffic_ = {};
    seen_.assign(seen_.size(), 0);
    return counted;
  }

  void read(const void* number) {
    if (std::uint8_t* seen = find(number)) {
      ++traffic_.reads;
      if (*seen == 0) ++traffic_.distinct, *seen = kRead;
    }
  }
  void write(const void* number) {
    if (std::uint8_t* seen = find(number)) {
      ++traffic_.writes;
      if ((*seen & kWritten) == 0) ++traffic_.distinct, *seen |= kWritten;
    }
  }

 private:
  static constexpr std::uint8_t kRead = 1, kWritten = 2;

  // Null for numbers elsewhere, e.g. in registers.
  std::uint8_t* find(const void* number) {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(number) - begin_;
    const std::size_t index = size_ == 0 ? seen_.size() : offset / size_;
    return index < seen_.size() ? &seen_[index] : nullptr;
  }

  std::uintptr_t begin_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> seen_;
  Traffic traffic_;
};

inline Accesses& accesses() {
  static Accesses watched;
  return watched;
}

}  // namespace gradus::bench
