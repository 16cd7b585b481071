// A GPU as a device.
#include "src/backend/cuda/cuda_device.hpp"

#include <algorithm>
#include <limits>

#include "kernels/launch/device.cuh"
#include "kernels/linear/launch.cuh"
#include "src/backend/cuda/call.hpp"
#include "src/backend/cuda/cuda_sequence.hpp"
#include "src/backend/cuda/library_solver.hpp"

namespace gradus {
namespace {

// Chunks leave a fifth of the free memory: to the stacks of the kernels, to allocation in whole
// pages, and to others.
constexpr std::size_t kMemoryShare = 5;

// The runtime moves several pieces at once, unless they are further apart than its limit.
bool is_one_call(const Pieces& pieces) {
  constexpr std::size_t kLargestPitch = std::numeric_limits<int>::max();
  return pieces.count > 1 && std::max(pieces.to_pitch, pieces.from_pitch) <= kLargestPitch;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Without a driver the runtime reports one that is too old.
std::string driver_obstacle() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "no NVIDIA driver";
  return "the NVIDIA driver is too old (it serves CUDA " + version_text(driver) +
         ", gradus was built with CUDA " + version_text(CUDART_VERSION) + ")";
}

std::string device_text(int index) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, index) != cudaSuccess)
    return "GPU " + std::to_string(index);
  return std::string(properties.name) + ", compute capability " + std::to_string(properties.major) +
         "." + std::to_string(properties.minor);
}

std::string count_obstacle(int index) {
  int count = 0;  // left unwritten where there is no driver
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver) return driver_obstacle();
  if (error == cudaErrorNoDevice || (error == cudaSuccess && count < 1))
    return "no NVIDIA GPU was found";
  if (error != cudaSuccess) return describe_failure("cudaGetDeviceCount", error);
  if (index >= 0 && index < count) return "";
  return "device index out of range (found " + std::to_string(index) + ", expected 0" +
         (count > 1 ? " to " + std::to_string(count - 1) : "") + ": this machine has " +
         std::to_string(count) + (count > 1 ? " GPUs)" : " GPU)");
}

std::string code_obstacle(int index) {
  if (const cudaError_t error = cudaSetDevice(index); error != cudaSuccess)
    return describe_failure("cudaSetDevice", error);
  const cudaError_t error = kernels::find_device_code();
  if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction ||
      error == cudaErrorUnsupportedPtxVersion)
    return "the CUDA backend was not built for this GPU (" + device_text(index) +
           "; configure with -DCMAKE_CUDA_ARCHITECTURES=native)";
  return error == cudaSuccess ? "" : describe_failure("cudaFuncGetAttributes", error);
}

}  // namespace

std::string find_obstacle(int index) {
  std::string obstacle = count_obstacle(index);
  if (obstacle.empty()) obstacle = code_obstacle(index);
  cudaGetLastError();  // what was found out is said, and not to be reported by a later call
  return obstacle;
}

CudaDevice::CudaDevice(int index) : index_(index) {
  select();
  cudaDeviceProp properties{};
  check_call(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties", where());
  gpu_ = properties.name;
  stream_ = make_stream(where());
  for (Event& mark : marks_) mark = make_event(where());
}

// The handles are released on their own GPU.
CudaDevice::~CudaDevice() {
  cudaSetDevice(index_);
}

std::string CudaDevice::where() const {
  return "cuda:" + std::to_string(index_);
}

std::string CudaDevice::name() const {
  return where() + " (" + gpu_ + ")";
}

void CudaDevice::select() const {
  check_call(cudaSetDevice(index_), "cudaSetDevice", where());
}

std::size_t CudaDevice::free_memory() const {
  select();
  std::size_t free = 0;
  std::size_t total = 0;
  check_call(cudaMemGetInfo(&free, &total), "cudaMemGetInfo", where());
  return free - free / kMemoryShare;
}

void* CudaDevice::allocate(std::size_t bytes) {
  select();
  void* memory = nullptr;
  check_call(cudaMalloc(&memory, bytes), "cudaMalloc",
             where() + ": cannot allocate " + std::to_string(bytes) + " bytes");
  return memory;
}

// Waits for the kernels that use the memory. Their failures have been reported, or will be.
void CudaDevice::release(void* memory) noexcept {
  cudaSetDevice(index_);
  cudaStreamSynchronize(stream_.get());
  cudaFree(memory);
}

void CudaDevice::start_transfer(void* to, const void* from, const Pieces& pieces,
                                cudaMemcpyKind kind) {
  if (pieces.is_empty()) return;
  select();
  if (is_one_call(pieces)) {
    check_call(cudaMemcpy2DAsync(to, pieces.to_pitch, from, pieces.from_pitch, pieces.bytes,
                                 pieces.count, kind, stream()),
               "cudaMemcpy2DAsync", where());
    return;
  }
  for_each_piece(to, from, pieces, [&](char* end, const char* begin) {
    check_call(cudaMemcpyAsync(end, begin, pieces.bytes, kind, stream()), "cudaMemcpyAsync",
               where());
  });
}

// Both wait for the end, so that the caller may do with its memory what it likes.
void CudaDevice::upload(void* to, const void* from, const Pieces& pieces) {
  start_transfer(to, from, pieces, cudaMemcpyHostToDevice);
  if (!pieces.is_empty()) synchronise();
}

void CudaDevice::download(void* to, const void* from, const Pieces& pieces) {
  start_transfer(to, from, pieces, cudaMemcpyDeviceToHost);
  if (!pieces.is_empty()) synchronise();
}

void CudaDevice::download_later(void* to, const void* from, const Pieces& pieces) {
  start_transfer(to, from, pieces, cudaMemcpyDeviceToHost);
}

void CudaDevice::mark(int number) {
  select();
  check_call(cudaEventRecord(marks_[number].get(), stream_.get()), "cudaEventRecord", where());
}

void CudaDevice::wait(int number) {
  select();
  check_call(cudaEventSynchronize(marks_[number].get()), "cudaEventSynchronize", where());
}

void* CudaDevice::allocate_pinned(std::size_t bytes) {
  select();
  void* memory = nullptr;
  check_call(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "cudaHostAlloc",
             where() + ": cannot allocate " + std::to_string(bytes) + " pinned bytes");
  return memory;
}

void CudaDevice::release_pinned(void* memory) noexcept {
  cudaSetDevice(index_);
  cudaStreamSynchronize(stream_.get());
  cudaFreeHost(memory);
}

void CudaDevice::copy(void* to, const void* from, const Pieces& pieces) {
  start_transfer(to, from, pieces, cudaMemcpyDeviceToDevice);
}

void CudaDevice::clear(void* memory, const Pieces& pieces) {
  if (pieces.is_empty()) return;
  select();
  if (is_one_call(pieces)) {
    check_call(cudaMemset2DAsync(memory, pieces.to_pitch, 0, pieces.bytes, pieces.count, stream()),
               "cudaMemset2DAsync", where());
    return;
  }
  for_each_piece(memory, memory, pieces, [&](char* end, const char*) {
    check_call(cudaMemsetAsync(end, 0, pieces.bytes, stream()), "cudaMemsetAsync", where());
  });
}

void CudaDevice::launch(kernels::KernelId kernel, const DeviceArguments& arguments) {
  select();
  check_call(kernels::launch_on_device(kernel, arguments, stream_.get()), "cudaLaunchKernelEx",
             where());
}

std::unique_ptr<Sequence> CudaDevice::make_sequence(std::vector<DeviceLaunch> launches) {
  return std::make_unique<CudaSequence>(*this, launches);
}

void CudaDevice::synchronise() {
  select();
  check_call(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize", where());
}

void CudaDevice::solve_systems(const kernels::LinearArguments& arguments) {
  select();
  check_call(kernels::run_systems_on_device(arguments, stream_.get()), "cudaLaunchKernelEx",
             where());
}

std::unique_ptr<BatchedSolver> CudaDevice::make_library_solver(SolverKind kind,
                                                               const LinearBatch& batch) {
  if (kind == SolverKind::cusolver) return make_cusolver_solver(*this, batch);
  if (kind == SolverKind::cublas_getrs || kind == SolverKind::cublas_trsm)
    return make_cublas_solver(*this, kind, batch);
  return Device::make_library_solver(kind, batch);
}

}  // namespace gradus
