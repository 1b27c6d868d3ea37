// SPDX-License-Identifier: Apache-2.0
// Does a known amount of work on a GPU, for `ridge profile` to count: 100 kernels, a graph of 10 kernels
// launched 20 times, 3 copies to and 2 from the device, 1 fill, 5 NVTX ranges, and one stream that waits for
// another's event. Then it starts itself again for 50 kernels more. With a number it launches that many
// kernels only and prints the seconds. usage: profiled_gpu_work [child | COUNT]
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

__global__ void counted_kernel(float* x) { x[threadIdx.x] += 1.0F; }
__global__ void graph_kernel(float* x) { x[threadIdx.x] *= 1.5F; }

void must(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
  std::exit(2);
}

double now_s() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr std::size_t count = 256;

void launch(float* x, int times, cudaStream_t stream) {
  for (int i = 0; i < times; ++i) counted_kernel<<<1, count, 0, stream>>>(x);
  must(cudaGetLastError());
}

void launch_graph(float* x, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 10; ++i) graph_kernel<<<1, count, 0, stream>>>(x);
  must(cudaStreamEndCapture(stream, &graph));
  must(cudaGraphInstantiate(&runnable, graph, 0));
  for (int i = 0; i < 20; ++i) must(cudaGraphLaunch(runnable, stream));
  must(cudaStreamSynchronize(stream));
}

void copy_and_fill(float* x, cudaStream_t stream) {
  float* pinned = nullptr;
  must(cudaMallocHost(&pinned, count * sizeof(float)));
  must(cudaMemsetAsync(x, 0, count * sizeof(float), stream));
  for (int i = 0; i < 3; ++i)
    must(cudaMemcpyAsync(x, pinned, count * sizeof(float), cudaMemcpyHostToDevice, stream));
  for (int i = 0; i < 2; ++i)
    must(cudaMemcpyAsync(pinned, x, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
  must(cudaStreamSynchronize(stream));
}

void all_work(float* x) {
  cudaStream_t one = nullptr, two = nullptr;
  cudaEvent_t event = nullptr;
  must(cudaStreamCreate(&one));
  must(cudaStreamCreate(&two));
  must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int i = 0; i < 5; ++i) {
    nvtxRangePushA("counted range");
    launch(x, 10, one);
    must(cudaEventRecord(event, one));
    must(cudaStreamWaitEvent(two, event, 0));
    launch(x, 10, two);
    nvtxRangePop();
  }
  must(cudaStreamSynchronize(two));
  launch_graph(x, one);
  copy_and_fill(x, two);
  must(cudaDeviceSynchronize());
}

void timed_launches(float* x, int times) {
  launch(x, 1000, nullptr);
  must(cudaDeviceSynchronize());
  const auto start = now_s();
  launch(x, times, nullptr);
  must(cudaDeviceSynchronize());
  std::printf("%.6f\n", now_s() - start);
}

int run_child(char* self) {
  const auto child = fork();
  if (child == 0) {
    execl("/proc/self/exe", self, "child", nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

}  // namespace

int main(int words, char** word) {
  float* x = nullptr;
  must(cudaMalloc(&x, count * sizeof(float)));
  if (words > 1 && std::strcmp(word[1], "child") == 0) {
    launch(x, 50, nullptr);
    must(cudaDeviceSynchronize());
    return 0;
  }
  if (words > 1) return timed_launches(x, std::atoi(word[1])), 0;
  all_work(x);
  return run_child(word[0]);
}
