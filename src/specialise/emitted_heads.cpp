// What emitted text is written with: numbers alone, in packs and in tiles, and columns of them.
#include <string>

#include "kernels/base/tile.hpp"
#include "src/specialise/emit.hpp"

namespace gradus::specialise {
namespace {

constexpr const char* memory_of_host = R"(#include <math.h>
#define RESTRICT restrict
#define FUNCTION static
#define PROGRAM
#define MEMORY Number *m
#define READ_MEMORY const Number *restrict m
#define PASSED_MEMORY m
#define M(place) m[place]
)";

// Designs of a device: what lies in columns has a memory of its own.
constexpr const char* memory_in_tiles = R"(
#define MEMORY double *m, double *c
#define READ_MEMORY const double *m, const double *c
#define PASSED_MEMORY m, c
#define M(place) (*((place) < SHARED ? m + (place) * TILE : c + ((place) - SHARED) * TILE))
typedef struct {
  double *motions;
  long long motion_pitch;
  double *columns;
  long long column_pitch;
  const int *status;
  int *reached;
  long long last;
  double length;
  long long count;
} Batch;
)";

constexpr const char* tiles_on_host = R"(#include <math.h>
#define RESTRICT restrict
#define FUNCTION static
#define PROGRAM static
#define KERNEL(name) void name(const Batch b)
#define EACH_DESIGN for (long long design = 0; design < b.count; ++design)
)";

// NVRTC has no headers.
constexpr const char* tiles_on_gpu = R"(
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#define __builtin_fabs fabs
#define __builtin_sqrt sqrt
#define RESTRICT __restrict__
#define FUNCTION static __device__ __forceinline__
#define PROGRAM static __device__ __noinline__
#define KERNEL(name) extern "C" __global__ void name(const Batch b)
#define EACH_DESIGN \
  const long long design = blockIdx.x * (long long)blockDim.x + threadIdx.x; \
  if (design < b.count)
)";

constexpr const char* numbers_alone = R"(
typedef double Number;
typedef int Mask;
#define ALL(x) (x)
#define TRUE 1
#define FALSE 0
#define NOT(a) (!(a))
#define SELECT(where, a, b) ((where) ? (a) : (b))
#define CHOOSE(where, a, b) ((where) ? (a) : (b))
FUNCTION Number absolute(Number x) { return __builtin_fabs(x); }
FUNCTION Number root(Number x) { return __builtin_sqrt(x); }
FUNCTION int holds_in_all(Mask holds) { return holds; }
FUNCTION int holds_in_some(Mask holds) { return holds; }
#define ONE(name) FUNCTION Number of_##name(Number x) { return name(x); }
#define TWO(name) FUNCTION Number of_##name(Number x, Number y) { return name(x, y); }
)";

constexpr const char* numbers_in_packs = R"(
#if defined(__SSE2__)
#include <immintrin.h>
#endif
typedef double Number __attribute__((vector_size(LANES * 8)));
typedef long long Mask __attribute__((vector_size(LANES * 8)));
#define ALL(x) ((x) - (Number){0})
#define TRUE (~(Mask){0})
#define FALSE ((Mask){0})
#define NOT(a) (~(a))
#define SELECT(where, a, b) ((Number)(((where) & (Mask)(a)) | (~(where) & (Mask)(b))))
#define CHOOSE(where, a, b) (((where) & (a)) | (~(where) & (b)))
static inline Number absolute(Number x) {
  return (Number)((Mask)x & ((Mask){0} + 0x7fffffffffffffffLL));
}
static inline Number root(Number x) {
#if LANES == 8 && defined(__AVX512F__)
  return (Number)_mm512_sqrt_pd((__m512d)x);
#elif LANES == 4 && defined(__AVX__)
  return (Number)_mm256_sqrt_pd((__m256d)x);
#elif LANES == 2 && defined(__SSE2__)
  return (Number)_mm_sqrt_pd((__m128d)x);
#else
  Number y;
  for (int i = 0; i < LANES; ++i) y[i] = __builtin_sqrt(x[i]);
  return y;
#endif
}
static inline int holds_in_all(Mask holds) {
#if LANES == 8 && defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)holds, (__m512i)holds) == 0xff;
#else
  for (int i = 0; i < LANES; ++i)
    if (!holds[i]) return 0;
  return 1;
#endif
}
static inline int holds_in_some(Mask holds) { return !holds_in_all(NOT(holds)); }
#define ONE(name)                                       \
  static inline Number of_##name(Number x) {            \
    Number y;                                           \
    for (int i = 0; i < LANES; ++i) y[i] = name(x[i]);  \
    return y;                                           \
  }
#define TWO(name)                                            \
  static inline Number of_##name(Number a, Number b) {       \
    Number y;                                                \
    for (int i = 0; i < LANES; ++i) y[i] = name(a[i], b[i]); \
    return y;                                                \
  }
)";

constexpr const char* rest_of_head = R"(
typedef union { Number number; Mask mask; } Slot;
ONE(floor) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(exp) ONE(log) TWO(atan2) TWO(pow)
)";

// Of a pack one column after another; of a design alone vectors of columns, the last of which may
// begin before the one before it ends.
constexpr const char* columns_in_packs = R"(
typedef Number Column;
typedef Mask ColumnMask;
#define EACH_COLUMN for (int c = 0; c < COLUMNS; ++c)
#define MEMORY_OF_COLUMNS(place) m[(place) + c]
#define TABLE_OF_COLUMNS(table) ALL((table)[c])
#define IN_COLUMNS(x) (x)
#define ROW(row) w[(row) * COLUMNS + c]
#define SET_ROW(row, x) w[(row) * COLUMNS + c] = x
#define SELECT_COLUMNS(where, a, b) SELECT(where, a, b)
#define ALL_COLUMNS_HOLD TRUE
#define absolute_of_columns absolute
#define hold_in_all_columns holds_in_all
)";
constexpr const char* columns_in_vectors = R"(
#if COLUMNS >= 8 && defined(__AVX512F__)
#define WIDTH 8
#elif COLUMNS >= 4 && defined(__AVX__)
#define WIDTH 4
#else
#define WIDTH 2
#endif
typedef double Column __attribute__((vector_size(WIDTH * 8)));
typedef long long ColumnMask __attribute__((vector_size(WIDTH * 8)));
typedef double LooseColumn __attribute__((vector_size(WIDTH * 8), aligned(8)));
#define EACH_COLUMN \
  for (int k = 0, c = 0; k < COLUMNS; k += WIDTH, c = k + WIDTH > COLUMNS ? COLUMNS - WIDTH : k)
#define MEMORY_OF_COLUMNS(place) (*(const LooseColumn *)(m + (place) + c))
#define TABLE_OF_COLUMNS(table) (*(const LooseColumn *)((table) + c))
#define IN_COLUMNS(x) ((x) - (Column){0})
#define ROW(row) (*(const LooseColumn *)(w + (row) * COLUMNS + c))
#define SET_ROW(row, x) *(LooseColumn *)(w + (row) * COLUMNS + c) = x
#define SELECT_COLUMNS(where, a, b) ((where) ? (a) : (b))
#define ALL_COLUMNS_HOLD (~(ColumnMask){0})
static inline Column absolute_of_columns(Column x) {
  return (Column)((ColumnMask)x & ((ColumnMask){0} + 0x7fffffffffffffffLL));
}
static inline int hold_in_all_columns(ColumnMask holds) {
  for (int i = 0; i < WIDTH; ++i)
    if (!holds[i]) return 0;
  return 1;
}
)";
constexpr const char* stores_of_columns = R"(
#define STORE_COLUMNS(place, row) \
  __builtin_memcpy(m + (place), w + (row) * COLUMNS, sizeof(Number) * COLUMNS)
#define FILL_COLUMNS(place, x) for (int c = 0; c < COLUMNS; ++c) m[(place) + c] = x
)";

}  // namespace

std::string emitted_head(int lanes, int columns) {
  std::string head = memory_of_host;
  if (lanes > 1) head += "#define LANES " + std::to_string(lanes) + "\n";
  head += lanes == 1 ? numbers_alone : numbers_in_packs;
  head += rest_of_head;
  if (columns < 2) return head;
  head += "#define COLUMNS " + std::to_string(columns) + "\n";
  return head + (lanes == 1 ? columns_in_vectors : columns_in_packs) + stores_of_columns;
}

std::string emitted_device_head(DeviceKind kind, int shared) {
  return std::string(kind == DeviceKind::host ? tiles_on_host : tiles_on_gpu) + "#define SHARED " +
         std::to_string(shared) + "\n#define TILE " + std::to_string(kernels::kTile) +
         memory_in_tiles + numbers_alone + rest_of_head;
}

}  // namespace gradus::specialise
