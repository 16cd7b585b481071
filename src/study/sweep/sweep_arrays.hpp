// The arrays of a sweep, made of its chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "src/results/sweep_folder.hpp"
#include "src/study/sweep/chunk_store.hpp"

namespace gradus {

// Fills parameters, objectives, statuses and statistics of the result from chunks that hold all its
// designs in order. `varied`: the parameters of the sweep, by index in the model.
void merge(const std::vector<StoredChunk>& chunks, const std::vector<std::size_t>& varied,
           SweepResult& result);

// The arrays that are too large to copy, as pieces of the chunks.
results::SweepPieces pieces_of(const std::vector<StoredChunk>& chunks);

}  // namespace gradus
