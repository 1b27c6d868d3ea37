// SPDX-License-Identifier: Apache-2.0
#include "launch_peers.cuh"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/gpu/check.hpp>

namespace peers {
namespace {

using ridge::gpu::check;
using ridge::gpu::check_launch;

constexpr int timings = 51, synchronized = 501;
constexpr int graph_kernels = 1000, queued_kernels = 500;  // a stream accepts about a thousand

__global__ void nothing() {}

__global__ void wait_for_flag(const volatile int* set) {
  for (long long i = 0; *set == 0 && i < 10'000'000; ++i) __nanosleep(200);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// A stream, a flag that the stream can wait for, and two events.
class chain_bench {
 public:
  chain_bench() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
    void* made = nullptr;
    check(cudaHostAlloc(&made, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc of a flag");
    set_ = static_cast<int*>(made);
  }
  ~chain_bench() {
    (void)cudaStreamSynchronize(stream);
    (void)cudaFreeHost(const_cast<int*>(set_));
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
    (void)cudaStreamDestroy(stream);
  }
  chain_bench(const chain_bench&) = delete;
  chain_bench& operator=(const chain_bench&) = delete;

  void launch(int count) const {
    for (int i = 0; i < count; ++i) nothing<<<1, 1, 0, stream>>>();
    check_launch("nothing");
  }
  void wait() const { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }
  // Median seconds of the work that `enqueue` puts on the stream, all of it enqueued before it may begin.
  double seconds(const std::function<void()>& enqueue) const {
    std::vector<double> seen;
    for (int i = 0; i <= timings; ++i) {
      const double one = once(enqueue);
      if (i > 0) seen.push_back(one);
    }
    return median(std::move(seen));
  }

  cudaStream_t stream = nullptr;

 private:
  double once(const std::function<void()>& enqueue) const {
    *set_ = 0;
    wait_for_flag<<<1, 1, 0, stream>>>(set_);
    check_launch("wait_for_flag");
    check(cudaEventRecord(begin_, stream), "cudaEventRecord");
    enqueue();
    check(cudaEventRecord(end_, stream), "cudaEventRecord");
    *set_ = 1;
    wait();
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  volatile int* set_ = nullptr;
};

cudaGraphExec_t chain_of(const chain_bench& bench, int kernels) {
  cudaGraph_t recorded = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamBeginCapture(bench.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  bench.launch(kernels);
  check(cudaStreamEndCapture(bench.stream, &recorded), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&ready, recorded, 0), "cudaGraphInstantiate");
  check(cudaGraphDestroy(recorded), "cudaGraphDestroy");
  return ready;
}

}  // namespace

double launch_and_wait() {
  using clock = std::chrono::steady_clock;
  const chain_bench bench;
  std::vector<double> seen;
  for (int i = 0; i < synchronized; ++i) {
    const auto start = clock::now();
    bench.launch(1);
    bench.wait();
    seen.push_back(std::chrono::duration<double>(clock::now() - start).count());
  }
  return median(std::move(seen));
}

double queued_kernel() {
  const chain_bench bench;
  return bench.seconds([&] { bench.launch(queued_kernels); }) / queued_kernels;
}

double graph_kernel() {
  const chain_bench bench;
  auto* const chain = chain_of(bench, graph_kernels);
  const double all = bench.seconds([&] { check(cudaGraphLaunch(chain, bench.stream), "cudaGraphLaunch"); });
  check(cudaGraphExecDestroy(chain), "cudaGraphExecDestroy");
  return all / graph_kernels;
}

}  // namespace peers
