// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/side_stream.hpp>

#include "allocation/host_buffer.hpp"
#include "probe_lists.hpp"
#include "timing/host_timed.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

void allocate_and_free(std::size_t bytes) {
  void* memory = nullptr;
  gpu::check(cudaMalloc(&memory, bytes), "cudaMalloc for the probe");
  gpu::check(cudaFree(memory), "cudaFree");
}

rows of_the_device(const request&) {
  return {host_timed({"cuda.malloc.device.1mib", "cudaMalloc and cudaFree of 1 MiB", 1,
                      [] { allocate_and_free(mebibyte); }}),
          host_timed({"cuda.malloc.device.1gib", "cudaMalloc and cudaFree of 1 GiB", 1,
                      [] { allocate_and_free(gibibyte); }})};
}

cudaMemPool_t default_pool() {
  int has = 0;
  gpu::check(cudaDeviceGetAttribute(&has, cudaDevAttrMemoryPoolsSupported, 0), "cudaDeviceGetAttribute");
  if (!has) throw unavailable("memory pools", "use a newer driver");
  cudaMemPool_t pool = nullptr;
  gpu::check(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
  return pool;
}

// Sets how many bytes of freed memory the pool keeps.
void keep(cudaMemPool_t pool, std::uint64_t bytes) {
  gpu::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes),
             "cudaMemPoolSetAttribute");
}

rows of_the_pool(const request&) {
  gpu::side_stream stream;
  const auto pool = default_pool();
  const auto settle = [&] { stream.synchronize(); };
  const auto call = [&] {
    void* memory = nullptr;
    gpu::check(cudaMallocAsync(&memory, mebibyte, stream), "cudaMallocAsync");
    gpu::check(cudaFreeAsync(memory, stream), "cudaFreeAsync");
  };
  keep(pool, 0);
  auto cold = host_timed(
      {"cuda.malloc.pool.cold", "cudaMallocAsync and cudaFreeAsync of 1 MiB, from an empty pool", 1, call, [&] {
         stream.synchronize();
         gpu::check(cudaMemPoolTrimTo(pool, 0), "cudaMemPoolTrimTo");
       }});
  keep(pool, gibibyte);
  auto warm =
      host_timed({"cuda.malloc.pool", "cudaMallocAsync and cudaFreeAsync of 1 MiB, from a pool that holds it",
                  100, call, settle});
  keep(pool, 0);
  gpu::check(cudaMemPoolTrimTo(pool, 0), "cudaMemPoolTrimTo");
  return {std::move(warm), std::move(cold)};
}

rows of_the_host(const request&) {
  struct freed {
    void operator()(void* memory) const { std::free(memory); }
  };
  const std::unique_ptr<void, freed> plain(std::aligned_alloc(4096, gibibyte / 4));
  if (!plain) throw std::bad_alloc();
  for (std::size_t i = 0; i < gibibyte / 4; i += 4096) static_cast<volatile char*>(plain.get())[i] = 1;
  auto allocated = host_timed({"cuda.malloc.host.pinned", "cudaHostAlloc and cudaFreeHost of 256 MiB", 1,
                               [] { const gpu::pinned_memory made(gibibyte / 4); }},
                              7);
  auto registered =
      host_timed({"cuda.malloc.host.registered", "cudaHostRegister and cudaHostUnregister of 256 MiB", 1,
                  [&] {
                    gpu::check(cudaHostRegister(plain.get(), gibibyte / 4, cudaHostRegisterDefault),
                               "cudaHostRegister of 256 MiB");
                    gpu::check(cudaHostUnregister(plain.get()), "cudaHostUnregister");
                  }},
                 7);
  allocated.size_bytes = registered.size_bytes = gibibyte / 4;
  return {std::move(allocated), std::move(registered)};
}

}  // namespace

void add_allocation_probes(probe_list& list, gpu_bench&) {
  list.push_back({"cuda.malloc.device", "allocating on the GPU", "what allocating in every step costs", depth::quick,
                  of_the_device});
  list.push_back({"cuda.malloc.pool", "allocating from a pool", "what allocating on a stream costs",
                  depth::quick, of_the_pool});
  list.push_back({"cuda.malloc.host", "pinning host memory", "what staging buffers cost that are not reused",
                  depth::standard, of_the_host});
}

}  // namespace ridge::backends::probe_cuda
