// What is left of a recording once it is finished: a straight line from numbers of a design's
// memory to others, and the guards under which it holds.
#pragma once

#include <cstddef>
#include <vector>

#include "src/specialise/recording.hpp"

namespace gradus::specialise {

struct Store {
  int place = 0;
  int node = -1;
};

struct OperationCount {
  std::size_t additions = 0;  // and subtractions
  std::size_t multiplications = 0;
  std::size_t divisions = 0;  // and square roots
  std::size_t functions = 0;
  std::size_t choices = 0;  // comparisons, what is made of them, and selections
  std::size_t loads = 0;
  std::size_t stores = 0;

  std::size_t arithmetic() const { return additions + multiplications + divisions + functions; }
  OperationCount& operator+=(const OperationCount& other);
};

class Program {
 public:
  // Of the recording, before and after which place p of the memory holds these nodes. Nodes that
  // nothing asks for are gone.
  Program(const Recording& recording, const std::vector<int>& before,
          const std::vector<int>& after);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Guard>& guards() const { return guards_; }
  const std::vector<Store>& stores() const { return stores_; }
  OperationCount count() const;

  // Interprets it. Where a guard does not hold it returns false and writes nothing. `values` is
  // scratch.
  bool run(double* memory, double time, std::vector<double>& values) const;

 private:
  std::vector<Node> nodes_;
  std::vector<Guard> guards_;
  std::vector<Store> stores_;
};

}  // namespace gradus::specialise
