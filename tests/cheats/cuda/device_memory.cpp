// SPDX-License-Identifier: Apache-2.0
// Memory of the device that is not counted as the variant's.
#include <memory>

#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"
#include "cuda/gpu_memory_goal.hpp"

namespace ridge::cheats::cuda {
namespace {

struct released {
  void (*release)(void*);
  void operator()(float* memory) const { release(memory); }
};
using taken = std::unique_ptr<float, released>;

taken by_malloc() {
  void* memory = nullptr;
  cudaMalloc(&memory, static_elements * sizeof(float));
  return {static_cast<float*>(memory), {[](void* p) { cudaFree(p); }}};
}
taken from_a_pool() {
  void* memory = nullptr;
  own_stream once;
  cudaMallocAsync(&memory, static_elements * sizeof(float), once);
  once.synchronize();
  return {static_cast<float*>(memory), {[](void* p) { cudaFree(p); }}};
}
taken managed() {
  void* memory = nullptr;
  cudaMallocManaged(&memory, static_elements * sizeof(float));
  return {static_cast<float*>(memory), {[](void* p) { cudaFree(p); }}};
}
taken on_the_host() {
  void* memory = nullptr;
  cudaHostAlloc(&memory, static_elements * sizeof(float), cudaHostAllocMapped);
  return {static_cast<float*>(memory), {[](void* p) { cudaFreeHost(p); }}};
}

// A small workspace that is counted beside the large one that is not.
template <auto Take>
auto works_in_taken_memory(arrays&, setup& s) {
  return [small = s.workspace<float>(64), large = Take()](arrays& w, call& c) {
    through_memory(w, c, {large.get(), static_elements});
  };
}

void works_in_a_static(arrays& w, call& c) {
  launch_through_a_static(w.source.data(), w.target.data(), w.source.size(), c.queue());
}

// Taken once in the process, when the first body of it is verified.
template <auto Take>
void works_in_memory_taken_once(arrays& w, call& c) {
  static const auto large = Take();
  through_memory(w, c, {large.get(), static_elements});
}

}  // namespace

std::vector<cheat> device_memory_cheats() {
  const std::vector<std::string> counted{"no_gain", "audit"};
  return {
      {"memory_by_malloc", "A large workspace that the set-up takes by cudaMalloc", gain::report, counted,
       "large_workspace_on_gpu", least_gpu_memory<works_in_taken_memory<by_malloc>>},
      {"memory_from_the_pool", "A large workspace that the set-up takes from the default pool", gain::report,
       counted, "memory_pool", least_gpu_memory<works_in_taken_memory<from_a_pool>>},
      {"memory_that_is_managed", "A large workspace in managed memory", gain::report, counted,
       "managed_memory", least_gpu_memory<works_in_taken_memory<managed>>},
      {"memory_of_the_host", "A large workspace in pinned memory of the host", gain::report, counted,
       "large_workspace_on_gpu", least_gpu_memory<works_in_taken_memory<on_the_host>>},
      {"memory_in_a_static_array", "A large workspace in a static array of the device", gain::report, counted,
       "large_workspace_on_gpu", least_gpu_memory<works_in_a_static>},
      {"memory_taken_once", "A large workspace that the first call of the process takes", gain::report,
       counted, "large_workspace_on_gpu", least_gpu_memory<works_in_memory_taken_once<by_malloc>>},
  };
}

}  // namespace ridge::cheats::cuda
