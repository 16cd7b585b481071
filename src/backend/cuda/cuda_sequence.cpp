// Captures launches, and runs the graph.
#include "src/backend/cuda/cuda_sequence.hpp"

#include "kernels/launch/device.cuh"
#include "src/backend/cuda/call.hpp"

namespace gradus {
namespace {

// A stream that notes what it is asked for. If it is not asked for the graph, it is left as it was.
class Capture {
 public:
  Capture(cudaStream_t stream, const std::string& where) : stream_(stream), where_(where) {
    check_call(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
               "cudaStreamBeginCapture", where_);
  }
  ~Capture() {
    if (!captures_) return;
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream_, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaGetLastError();  // what broke the capture is reported already
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  Graph end() {
    captures_ = false;
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream_, &graph);
    Graph owned(graph);
    check_call(error, "cudaStreamEndCapture", where_);
    return owned;
  }

 private:
  cudaStream_t stream_;
  const std::string& where_;
  bool captures_ = true;
};

}  // namespace

CudaSequence::CudaSequence(CudaDevice& device, const std::vector<DeviceLaunch>& launches)
    : device_(device) {
  device.select();
  const std::string where = device.where();
  // A kernel that is launched for the first time is loaded, which a capture does not survive.
  for (const DeviceLaunch& launch : launches)
    check_call(kernels::load_kernel(launch.kernel), "cudaFuncGetAttributes", where);
  Capture capture(device.stream(), where);
  for (const DeviceLaunch& launch : launches) device.launch(launch.kernel, launch.arguments);
  const Graph graph = capture.end();
  cudaGraphExec_t runnable = nullptr;
  check_call(cudaGraphInstantiate(&runnable, graph.get(), 0), "cudaGraphInstantiate", where);
  graph_.reset(runnable);
}

void CudaSequence::replay(std::size_t times) {
  device_.select();
  for (std::size_t k = 0; k < times; ++k)
    check_call(cudaGraphLaunch(graph_.get(), device_.stream()), "cudaGraphLaunch", device_.where());
}

}  // namespace gradus
