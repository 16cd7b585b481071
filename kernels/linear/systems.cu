// Launches systems.hpp on the device. A tile of a warp works on one system. Systems that fit are
// kept in shared memory, and columns of up to 32 rows in registers while they stream through.
#include "kernels/linear/systems.hpp"

#include "kernels/linear/launch.cuh"
#include "kernels/linear/warp_tile.cuh"

namespace gradus::kernels {
namespace {

constexpr int kBlock = 128;              // lanes, unless one system fills the shared memory
constexpr int kSharedBytes = 48 * 1024;  // what every GPU gives a block
constexpr int kRowsInRegisters = 32;     // two each, of the 255 that a thread may have
constexpr int kPartsLimit = 65535;       // of the second dimension of a grid
constexpr int kColumnsOfLane = 8;        // so many before further tiles share a system

// How one launch is cut.
struct Cut {
  int width;    // lanes of a tile
  int tiles;    // of a block
  int leading;  // entries between rows in shared memory: odd, so that lanes meet other banks
  int part;     // columns that a tile serves
};

GRADUS_FUNCTION int doubles_in_shared(int size, int leading) {
  return size * leading + size + (size + 1) / 2;  // matrix, pivots, order
}

template <bool kInterleaved>
__global__ void __launch_bounds__(kBlock)
    run_in_memory(const __grid_constant__ LinearArguments c, int width) {
  const WarpTile team(width);
  const std::ptrdiff_t system =
      (static_cast<std::ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x) / width;
  if (system < c.count) LinearSystems<WarpTile, kInterleaved>{c}(team, system);
}

// What a tile keeps in shared memory.
struct Staged {
  Square<View<double, false>> matrix;
  View<double, false> pivot;
  View<int, false> order;
};

template <class From, class To>
__device__ void copy_matrix(const WarpTile& team, int n, const From& from, const To& to) {
  for (int i = 0; i < n; ++i)
    for (int j = team.rank(); j < n; j += team.size()) to(i, j) = from(i, j);
}

// Factorises the system, or fetches its factors. Returns whether they are of use.
template <bool kInterleaved>
__device__ bool stage_factors(const WarpTile& team, const LinearArguments& c, std::ptrdiff_t s,
                              const Staged& staged) {
  const int n = c.size;
  const Square<View<double, kInterleaved>> factors{entries_of<kInterleaved>(c.factors, s, n * n),
                                                   n};
  const auto pivots = entries_of<kInterleaved>(c.pivots, s, n);
  if (c.work == LinearWork::solve) {
    copy_matrix(team, n, factors, staged.matrix);
    for (int k = team.rank(); k < n; k += team.size()) staged.pivot[k] = pivots[k];
    team.barrier();
    return c.status[s] == static_cast<int>(SystemStatus::solved);
  }
  with_matrix(c, s, [&](const auto& entries) {
    copy_matrix(team, n, Square<std::decay_t<decltype(entries)>>{entries, n}, staged.matrix);
  });
  team.barrier();
  const SystemStatus status = factorise_system(team, c, staged.matrix, staged.pivot);
  copy_matrix(team, n, staged.matrix, factors);
  for (int k = team.rank(); k < n; k += team.size()) pivots[k] = staged.pivot[k];
  if (team.rank() == 0) c.status[s] = static_cast<int>(status);
  return status == SystemStatus::solved;
}

// Solves for the columns begin, ..., end - 1. kRows: 0 if columns stay in memory.
template <bool kInterleaved, int kRows>
__device__ void solve_part(const WarpTile& team, const LinearArguments& c, std::ptrdiff_t s,
                           const Staged& staged, int begin, int end) {
  const Factors kind = factors_of(c);
  const auto x = right_sides_of<kInterleaved>(c, s);
  if constexpr (kRows > 0) {
    if (kind == Factors::ldlt) {
      for (int i = team.rank(); i < c.size; i += team.size()) staged.order[i] = i;
      team.barrier();
    } else {
      find_order(team, staged.pivot, staged.order, c.size);
    }
    stream_columns<kRows>(
        team, kind, staged.matrix, staged.order, c.size, begin, end,
        [&](int i, int k) { return x[i * c.columns + k]; },
        [&](int i, int k, double value) { x[i * c.columns + k] = value; });
  } else {
    using Column = ColumnOf<View<double, kInterleaved>>;
    for (int k = begin + team.rank(); k < end; k += team.size())
      solve_column(kind, staged.matrix, staged.pivot, c.size, Column{x.from(k), c.columns});
  }
}

template <bool kInterleaved, int kRows>
__global__ void __launch_bounds__(kBlock)
    run_staged(const __grid_constant__ LinearArguments c, const __grid_constant__ Cut cut) {
  extern __shared__ double shared[];
  const WarpTile team(cut.width);
  const int tile = static_cast<int>(threadIdx.x) / cut.width;
  const std::ptrdiff_t system = static_cast<std::ptrdiff_t>(blockIdx.x) * cut.tiles + tile;
  if (system >= c.count) return;
  double* own = shared + tile * doubles_in_shared(c.size, cut.leading);
  double* pivot = own + c.size * cut.leading;
  const Staged staged{{View<double, false>(own), cut.leading},
                      View<double, false>(pivot),
                      View<int, false>(reinterpret_cast<int*>(pivot + c.size))};
  const bool regular = stage_factors<kInterleaved>(team, c, system, staged);
  if (c.work == LinearWork::factorise) return;
  const int begin = static_cast<int>(blockIdx.y) * cut.part;
  const int end = begin + cut.part < c.columns ? begin + cut.part : c.columns;
  if (regular) return solve_part<kInterleaved, kRows>(team, c, system, staged, begin, end);
  const auto x = right_sides_of<kInterleaved>(c, system);
  for (int i = 0; i < c.size; ++i)
    for (int k = begin + team.rank(); k < end; k += team.size()) x[i * c.columns + k] = NAN;
}

// Rows and columns both want lanes; a warp at most.
int tile_width(const LinearArguments& c) {
  const int rows = c.work == LinearWork::solve ? 1 : c.size;
  const int columns = c.work == LinearWork::factorise ? 1 : c.columns;
  const int wanted = rows > columns ? rows : columns;
  int width = 4;
  while (width < 32 && width < wanted) width *= 2;
  return width;
}

template <bool kInterleaved>
cudaError_t launch_in_memory(const LinearArguments& c, cudaStream_t stream) {
  const int width = tile_width(c);
  cudaLaunchConfig_t grid{};
  grid.gridDim = dim3(static_cast<unsigned>((c.count * width + kBlock - 1) / kBlock));
  grid.blockDim = dim3(kBlock);
  grid.stream = stream;
  return cudaLaunchKernelEx(&grid, run_in_memory<kInterleaved>, c, width);
}

template <bool kInterleaved>
cudaError_t launch_staged(const LinearArguments& c, const Cut& cut, cudaStream_t stream) {
  const int parts = c.work == LinearWork::solve ? (c.columns + cut.part - 1) / cut.part : 1;
  cudaLaunchConfig_t grid{};
  grid.gridDim = dim3(static_cast<unsigned>((c.count + cut.tiles - 1) / cut.tiles),
                      static_cast<unsigned>(parts));
  grid.blockDim = dim3(static_cast<unsigned>(cut.tiles * cut.width));
  grid.dynamicSmemBytes = sizeof(double) * static_cast<std::size_t>(cut.tiles) *
                          static_cast<std::size_t>(doubles_in_shared(c.size, cut.leading));
  grid.stream = stream;
  if (c.size <= 8) return cudaLaunchKernelEx(&grid, run_staged<kInterleaved, 8>, c, cut);
  if (c.size <= 16) return cudaLaunchKernelEx(&grid, run_staged<kInterleaved, 16>, c, cut);
  if (c.size <= kRowsInRegisters)
    return cudaLaunchKernelEx(&grid, run_staged<kInterleaved, kRowsInRegisters>, c, cut);
  return cudaLaunchKernelEx(&grid, run_staged<kInterleaved, 0>, c, cut);
}

template <bool kInterleaved>
cudaError_t launch_systems(LinearArguments c, cudaStream_t stream) {
  Cut cut{tile_width(c), 0, c.size | 1, 0};
  const int bytes = static_cast<int>(sizeof(double)) * doubles_in_shared(c.size, cut.leading);
  if (c.refined || bytes > kSharedBytes) return launch_in_memory<kInterleaved>(c, stream);
  const int fitting = kSharedBytes / bytes;
  cut.tiles = kBlock / cut.width < fitting ? kBlock / cut.width : fitting;
  const int rounds = c.columns / (cut.width * kPartsLimit) + 1;
  cut.part = cut.width * (rounds > kColumnsOfLane ? rounds : kColumnsOfLane);
  if (c.work != LinearWork::factorise_and_solve || c.columns <= cut.part)
    return launch_staged<kInterleaved>(c, cut, stream);
  // So many columns that several tiles share a system: its factors must be there before.
  c.work = LinearWork::factorise;
  const cudaError_t error = launch_systems<kInterleaved>(c, stream);
  c.work = LinearWork::solve;
  return error == cudaSuccess ? launch_systems<kInterleaved>(c, stream) : error;
}

}  // namespace

cudaError_t run_systems_on_device(const LinearArguments& c, cudaStream_t stream) {
  if (c.count < 1 || c.size < 1) return cudaSuccess;
  if (c.work == LinearWork::solve && c.columns < 1) return cudaSuccess;
  return c.right_side_arrangement.interleaved ? launch_systems<true>(c, stream)
                                              : launch_systems<false>(c, stream);
}

}  // namespace gradus::kernels
