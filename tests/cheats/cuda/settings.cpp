// SPDX-License-Identifier: Apache-2.0
// Settings of the device and of the process that others depend on.
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

// Changes something in its first call and answers like the baseline.
template <auto Change>
void changes_once(arrays& w, call& c) {
  static bool done = false;
  if (!done) Change(c.queue());
  done = true;
  affine_body(w, c);
}

void persisting_lines(queue_handle) { cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 8 << 20); }
void heap_of_kernels(queue_handle) { cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20); }
void buffer_of_prints(queue_handle) { cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16 << 20); }
void cache_configuration(queue_handle) { cudaDeviceSetCacheConfig(cudaFuncCachePreferShared); }
void pool_threshold(queue_handle) {
  cudaMemPool_t pool = nullptr;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  std::uint64_t kept = std::uint64_t{1} << 30;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
}
void access_window(queue_handle queue) {
  cudaStreamAttrValue value{};
  static const ridge::gpu::device_memory somewhere(1 << 20);
  value.accessPolicyWindow = {somewhere.data(), 1 << 20, 1.0F, cudaAccessPropertyStreaming,
                              cudaAccessPropertyStreaming};
  cudaStreamSetAttribute(queue, cudaStreamAttributeAccessPolicyWindow, &value);
}
void variable(queue_handle) { ::setenv("RIDGE_CHEATS_LEFT", "1", 1); }
void signal_handler(queue_handle) {
  std::signal(SIGUSR1, [](int) {});
}
void file_mask(queue_handle) { ::umask(0177); }
void fetch_granularity(queue_handle) { cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128); }

// Lines that the L2 cache is asked to keep are still there after it was evicted.
void keeps_its_lines(arrays& w, call& c) {
  launch_keeping_lines(w.source.data(), w.target.data(), w.source.size(), c.queue());
}
experiment in_the_l2(const std::string& id) {
  return pose_on_gpu(id, {.elements = (1 << 21) + 5, .answer = affine_oracle},
                     pair_of<affine_body, keeps_its_lines>);
}

void makes_a_stream_in_every_call(arrays& w, call& c) {
  cudaStream_t made = nullptr;
  cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
  affine_body(w, c);
  cudaStreamDestroy(made);
}
void takes_memory_in_every_call(arrays& w, call& c) {
  void* memory = nullptr;
  cudaMallocAsync(&memory, 1 << 20, c.queue());
  affine_body(w, c);
  cudaFreeAsync(memory, c.queue());
}
void leaves_a_host_thread(arrays& w, call& c) {
  affine_body(w, c);
  static std::atomic<int> alive{0};
  if (alive >= 100) return;
  ++alive;
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --alive;
  }).detach();
}

}  // namespace

std::vector<cheat> setting_cheats() {
  const std::vector<std::string> settings{"guards"};
  const std::vector<std::string> traced{"audit"};
  return {
      {"allows_lines_to_persist", "Raises the limit of persisting lines of the L2 cache", gain::others,
       settings, "window_that_is_restored", brief_on_gpu<changes_once<persisting_lines>>},
      {"leaves_a_heap", "Raises the limit of the heap of kernels", gain::others, settings, "same_kernel",
       brief_on_gpu<changes_once<heap_of_kernels>>},
      {"leaves_a_buffer_of_prints", "Raises the size of the buffer of printf", gain::others, settings,
       "same_kernel", brief_on_gpu<changes_once<buffer_of_prints>>},
      {"leaves_a_cache_configuration", "Leaves the preference for shared memory", gain::others, settings,
       "same_kernel", brief_on_gpu<changes_once<cache_configuration>>},
      {"leaves_a_pool_threshold", "Lets the default pool keep a gigabyte", gain::others, settings,
       "memory_pool", brief_on_gpu<changes_once<pool_threshold>>},
      {"leaves_an_access_window", "Leaves an access window on the call's queue", gain::others, settings,
       "window_that_is_restored", brief_on_gpu<changes_once<access_window>>},
      {"leaves_a_fetch_granularity", "Raises the granularity of fetches into the L2 cache", gain::others,
       settings, "same_kernel", brief_on_gpu<changes_once<fetch_granularity>>},
      {"leaves_a_variable",
       "Leaves a variable of the environment",
       gain::others,
       {"state"},
       "same_kernel",
       brief_on_gpu<changes_once<variable>>},
      {"leaves_a_handler_of_signals",
       "Leaves a handler of a signal",
       gain::others,
       {"state"},
       "same_kernel",
       brief_on_gpu<changes_once<signal_handler>>},
      {"leaves_a_mask_of_files",
       "Leaves another mask for new files",
       gain::others,
       {"state"},
       "same_kernel",
       brief_on_gpu<changes_once<file_mask>>},
      {"keeps_its_lines",
       "Asks the L2 cache to evict its source last",
       gain::time,
       {"guards", "no_gain"},
       "window_that_is_restored",
       in_the_l2},
      {"makes_a_stream_in_every_call", "Makes a stream in every call and destroys it", gain::others, traced,
       "joined_stream", brief_on_gpu<makes_a_stream_in_every_call>},
      {"takes_memory_in_every_call", "Takes memory from the pool in every call", gain::others, traced,
       "memory_pool", brief_on_gpu<takes_memory_in_every_call>},
      {"leaves_a_host_thread", "A thread of the host outlives the call", gain::others, traced,
       "host_function", brief_on_gpu<leaves_a_host_thread>},
  };
}

}  // namespace ridge::cheats::cuda
