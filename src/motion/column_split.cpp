// Spreads columns over threads.
#include "src/motion/column_split.hpp"

#include <algorithm>

#include "kernels/base/tile.hpp"

namespace gradus {
namespace {

constexpr std::size_t kLeastColumns = 4;   // of a slice
constexpr std::size_t kMostColumns = 32;   // beyond that nothing is saved
constexpr std::size_t kWorthAMotion = 32;  // columns that cost as much as a motion, about

}  // namespace

ColumnSplit split_columns(const MotionRequest& request, bool apart) {
  const std::size_t parameters = request.plan->nominal.size();
  const auto all = static_cast<int>(parameters);
  if (!request.with_columns() || parameters == 0) return {all, 1, false};
  // All columns may decide on the step, and the matrix of a sum of squares has an entry for every
  // pair.
  if (request.columns_decide() || request.plan->least_squares_count > 0) return {all, 1, false};
  if (apart && request.n_design > 1) return {all, 1, false};
  // Stages tell columns from the motion. What one-step methods do to both is one launch; rows of
  // reactions and of recorded sensors have room for one slice only.
  const bool shares = request.formulation->has_stages && !request.records_columns() &&
                      request.plan->view().uses_reactions == 0;
  // In whole groups of four columns, which go through the arithmetic together.
  const std::size_t enough = (parameters * request.n_design / kFullDevice + 3) / 4 * 4;
  const std::size_t width =
      shares ? std::clamp(enough, kLeastColumns, kMostColumns) : std::max(enough, kWorthAMotion);
  const std::size_t used = std::min(width, parameters);
  return {static_cast<int>(used), (parameters + used - 1) / used, shares};
}

ChunkSize choose_chunk(const ColumnSplit& split, std::size_t designs, std::size_t available,
                       std::size_t shared, std::size_t slice) {
  constexpr std::size_t kTile = kernels::kTile;
  const std::size_t motions = split.shares_motion ? 1 : split.slices;
  const auto fits = [&](std::size_t count) {
    return kTile * (kernels::tiles_of(count * motions) * shared +
                    kernels::tiles_of(count * split.slices) * slice) <=
           available;
  };
  if (fits(designs)) return {designs, split.slices};
  const std::size_t tiles = available / (kTile * (motions * shared + split.slices * slice));
  if (tiles > 0) return {std::min(tiles * kTile, designs), split.slices};
  for (std::size_t count = std::min(kTile, designs); count > 0; --count)
    if (fits(count)) return {count, split.slices};
  // One design with some of its columns, or what costs no more: a tile is the least there is.
  const std::size_t left = available - std::min(available, kTile * shared);
  const std::size_t whole = std::max<std::size_t>(
      split.shares_motion ? left / (kTile * slice) : available / (kTile * (shared + slice)), 1);
  if (whole * kTile < split.slices) return {1, whole * kTile};
  return {std::clamp<std::size_t>(kTile / split.slices, 1, designs), split.slices};
}

}  // namespace gradus
