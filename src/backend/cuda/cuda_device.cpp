// A GPU as a device, and the door to it.
#include "src/backend/cuda/cuda_device.hpp"

#include <algorithm>
#include <exception>
#include <limits>

#include "kernels/launch/device.cuh"
#include "kernels/linear/launch.cuh"
#include "src/backend/cuda/driver.hpp"
#include "src/backend/cuda/entry.hpp"
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

// Why GPU `index` cannot be used, in words; empty if it can.
std::string find_obstacle(int index) {
  std::string obstacle = count_obstacle(index);
  if (obstacle.empty()) obstacle = code_obstacle(index);
  cudaGetLastError();  // what was found out is said, and not to be reported by a later call
  return obstacle;
}

// Launches as a CUDA graph.
class CudaSequence : public Sequence {
 public:
  CudaSequence(const CudaDevice& device, const Graph& graph) : device_(device) {
    cudaGraphExec_t runnable = nullptr;
    device.check(cudaGraphInstantiate(&runnable, graph.get(), 0), "cudaGraphInstantiate");
    graph_.reset(runnable);
  }

  void replay(std::size_t times) override {
    device_.select();
    for (std::size_t k = 0; k < times; ++k)
      device_.check(cudaGraphLaunch(graph_.get(), device_.stream()), "cudaGraphLaunch");
  }

 private:
  const CudaDevice& device_;
  RunnableGraph graph_;
};

// Steps of one mechanism, a thread for each design. Few designs are spread over many
// multiprocessors.
class CudaStepKernel : public StepKernel {
 public:
  CudaStepKernel(const CudaDevice& device, const std::string& image)
      : device_(device), module_(load_image(image, device.where())) {
    function_ = find_function(module_.get(), "step", device.where());
  }

  void launch(const StepBatch& batch) override {
    device_.select();
    StepBatch arguments = batch;
    launch_function(function_, (batch.count + kernels::kTile - 1) / kernels::kTile, kernels::kTile,
                    device_.stream(), &arguments, device_.where());
  }

 private:
  const CudaDevice& device_;
  DriverModule module_;
  CUfunction function_ = nullptr;
};

// The door of the module: no exception passes it.
Device* create(int index, std::string& error) try {
  error = find_obstacle(index);
  return error.empty() ? new CudaDevice(index) : nullptr;
} catch (const std::exception& failure) {
  error = failure.what();
  return nullptr;
}

constexpr CudaModule functions{create};

}  // namespace

CudaDevice::CudaDevice(int index) : index_(index) {
  select();
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  gpu_ = properties.name;
  architecture_ = "sm_" + std::to_string(10 * properties.major + properties.minor);
  stream_ = make_stream(where());
  for (Event& mark : marks_) mark = make_event(where());
}

// The handles are released on their own GPU.
CudaDevice::~CudaDevice() {
  cudaSetDevice(index_);
}

std::size_t CudaDevice::free_memory() const {
  std::size_t free = 0;
  std::size_t total = 0;
  select();
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
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
  cudaStreamSynchronize(stream());
  cudaFree(memory);
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
  cudaStreamSynchronize(stream());
  cudaFreeHost(memory);
}

void CudaDevice::move(Transfer transfer, void* to, const void* from, const Pieces& pieces) {
  if (pieces.is_empty()) return;
  select();
  const cudaMemcpyKind kind = transfer == Transfer::upload ? cudaMemcpyHostToDevice
                              : transfer == Transfer::copy ? cudaMemcpyDeviceToDevice
                                                           : cudaMemcpyDeviceToHost;
  if (is_one_call(pieces))
    check(cudaMemcpy2DAsync(to, pieces.to_pitch, from, pieces.from_pitch, pieces.bytes,
                            pieces.count, kind, stream()),
          "cudaMemcpy2DAsync");
  else
    for_each_piece(to, from, pieces, [&](char* end, const char* begin) {
      check(cudaMemcpyAsync(end, begin, pieces.bytes, kind, stream()), "cudaMemcpyAsync");
    });
  // The caller may then do with its memory what it likes.
  if (transfer == Transfer::upload || transfer == Transfer::download) synchronise();
}

void CudaDevice::mark(int number) {
  select();
  check(cudaEventRecord(marks_[number].get(), stream()), "cudaEventRecord");
}

void CudaDevice::wait(int number) {
  select();
  check(cudaEventSynchronize(marks_[number].get()), "cudaEventSynchronize");
}

void CudaDevice::clear(void* memory, const Pieces& pieces) {
  if (pieces.is_empty()) return;
  select();
  if (is_one_call(pieces))
    check(cudaMemset2DAsync(memory, pieces.to_pitch, 0, pieces.bytes, pieces.count, stream()),
          "cudaMemset2DAsync");
  else
    for_each_piece(memory, memory, pieces, [&](char* end, const char*) {
      check(cudaMemsetAsync(end, 0, pieces.bytes, stream()), "cudaMemsetAsync");
    });
}

void CudaDevice::launch(kernels::KernelId kernel, const DeviceArguments& arguments) {
  select();
  check(kernels::launch_on_device(kernel, arguments, stream()));
}

// Where it throws, the stream goes on as before.
std::unique_ptr<Sequence> CudaDevice::make_sequence(std::vector<DeviceLaunch> launches) {
  select();
  // A kernel that is launched for the first time is loaded, which a capture does not survive.
  for (const DeviceLaunch& l : launches)
    check(kernels::load_kernel(l.kernel), "cudaFuncGetAttributes");
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
  const auto end = [&](Graph& graph) {
    cudaGraph_t captured = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream(), &captured);
    graph.reset(captured);
    return error;
  };
  Graph graph;
  try {
    for (const DeviceLaunch& l : launches) launch(l.kernel, l.arguments);
  } catch (...) {
    end(graph);
    cudaGetLastError();  // what broke the capture is reported already
    throw;
  }
  check(end(graph), "cudaStreamEndCapture");
  return std::make_unique<CudaSequence>(*this, graph);
}

void CudaDevice::synchronise() {
  select();
  check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
}

std::unique_ptr<StepKernel> CudaDevice::load_steps(const StepCode& code) {
  select();
  return std::make_unique<CudaStepKernel>(*this, code.image);
}

void CudaDevice::solve_systems(const kernels::LinearArguments& arguments) {
  select();
  check(kernels::run_systems_on_device(arguments, stream()));
}

std::unique_ptr<BatchedSolver> CudaDevice::make_library_solver(SolverKind kind,
                                                               const LinearBatch& batch) {
  if (kind == SolverKind::cusolver) return make_cusolver_solver(*this, batch);
  if (kind == SolverKind::cublas_getrs || kind == SolverKind::cublas_trsm)
    return make_cublas_solver(*this, kind, batch);
  return Device::make_library_solver(kind, batch);
}

}  // namespace gradus

extern "C" gradus::ModuleEntry gradus_module() {
  return {GRADUS_VERSION, gradus::CudaModule::interface, &gradus::functions};
}
