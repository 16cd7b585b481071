// What recordings of one body come to: straight lines from numbers of a design's memory to others,
// and the choices between them. Recordings that went the same way so far share their line.
#pragma once

#include <cstddef>
#include <functional>
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

// Nodes that are computed one after another, none of which was before; guards that must hold then;
// and what follows: the first stretch whose guards hold, or the end of a path with its stores.
struct Stretch {
  struct Way {
    Guard guard;
    int stretch;
  };

  std::vector<int> nodes;
  std::vector<Guard> guards;
  std::vector<Way> ways;  // none at the end of a path
  int path = -1;
  std::vector<Store> stores;
};

class Program {
 public:
  // What recordings are made with.
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }

  // Adds the path of a recording, before and after which place p of the memory held these nodes.
  // Returns false and adds nothing if it asked for something else than an earlier one that had
  // found the same so far: then the body depends on more than the memory. (What bodies ask for in
  // lanes depends on how these differ.)
  bool add(const Recording& recording, const std::vector<int>& before,
           const std::vector<int>& after);

  // Leaves out the stores of paths to places that nobody reads behind them, and what nothing else
  // asks for; a later call decides anew. Returns whether it is as before.
  bool keep_stores(const std::function<bool(int path, int place)>& is_read);

  void write(ByteWriter& to) const;
  // What another has written, in place of all that this one has.
  void read(ByteReader& from);

  // The first is where every path begins. Nodes that nothing asks for are in none.
  const std::vector<Stretch>& stretches() const { return stretches_; }
  std::size_t path_count() const { return paths_.size(); }
  const OperationCount& count(int path) const {
    return paths_[static_cast<std::size_t>(path)].count;
  }

  // Interprets it, for designs in lanes, whose memory is [place, lanes]: returns the number of the
  // path that they take together. Where none is known it returns -1 and writes nothing. `values` is
  // scratch.
  int run(double* memory, double time, std::vector<double>& values, int lanes = 1) const;

 private:
  struct Path {
    std::vector<Guard> guards;
    std::vector<Store> recorded, stores;  // of these the ones that are kept
    OperationCount count;
  };

  bool contradicts(const Path& path, int lanes) const;
  void build_all();
  int build(const std::vector<int>& paths, std::size_t guard, std::vector<char> computed,
            OperationCount count);
  void ask_for(int node, Stretch& stretch, std::vector<char>& computed) const;
  void count_nodes(const Stretch& stretch, OperationCount& count) const;

  Graph graph_;
  std::vector<Path> paths_;
  std::vector<Stretch> stretches_;
};

}  // namespace gradus::specialise
