// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <fmt/format.h>

namespace ridge::backends::device_cuda {
namespace {

// A reading that fails must not be the error that the next launch finds.
bool told(cudaError_t code) {
  if (code == cudaSuccess) return true;
  (void)cudaGetLastError();
  return false;
}

std::size_t limit(cudaLimit which) {
  std::size_t bytes = 0;
  return told(cudaDeviceGetLimit(&bytes, which)) ? bytes : 0;
}

void read_pools(settings& seen, int ordinal) {
  cudaMemPool_t usual = nullptr, used = nullptr;
  if (!told(cudaDeviceGetDefaultMemPool(&usual, ordinal)) || !told(cudaDeviceGetMemPool(&used, ordinal)))
    return;
  seen.default_pool = usual == used;
  std::uint64_t kept = 0;
  if (told(cudaMemPoolGetAttribute(usual, cudaMemPoolAttrReleaseThreshold, &kept))) seen.kept_by_pool = kept;
}

template <class Value>
std::string changed(std::string_view what, Value before, Value after) {
  return before == after ? "" : fmt::format("somebody changed {} from {} to {}", what, before, after);
}

}  // namespace

settings read_settings(int ordinal, cudaStream_t queue) {
  settings seen{.heap = limit(cudaLimitMallocHeapSize),
                .prints = limit(cudaLimitPrintfFifoSize),
                .fetch_granularity = limit(cudaLimitMaxL2FetchGranularity)};
  if (!told(cudaGetDevice(&seen.current_device))) seen.current_device = ordinal;
  if (told(cudaGetDeviceFlags(&seen.schedule))) seen.schedule &= cudaDeviceScheduleMask;
  cudaFuncCache preferred = cudaFuncCachePreferNone;
  if (told(cudaDeviceGetCacheConfig(&preferred))) seen.cache_preference = preferred;
  read_pools(seen, ordinal);
  cudaStreamAttrValue window{};
  if (told(cudaStreamGetAttribute(queue, cudaStreamAttributeAccessPolicyWindow, &window)))
    seen.window_of_queue = window.accessPolicyWindow.num_bytes;
  return seen;
}

std::string difference(const settings& before, const settings& after) {
  for (const auto& found :
       {changed("the heap of kernels", before.heap, after.heap),
        changed("the buffer of printf", before.prints, after.prints),
        changed("the granularity of L2 fetches", before.fetch_granularity, after.fetch_granularity),
        changed("the current GPU", before.current_device, after.current_device),
        changed("how the host waits for the device", before.schedule, after.schedule),
        changed("the preferred cache configuration", before.cache_preference, after.cache_preference),
        changed("whether the default pool is used", before.default_pool, after.default_pool),
        changed("what the default pool keeps", before.kept_by_pool, after.kept_by_pool),
        changed("the access window of the queue", before.window_of_queue, after.window_of_queue)}) {
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace ridge::backends::device_cuda
