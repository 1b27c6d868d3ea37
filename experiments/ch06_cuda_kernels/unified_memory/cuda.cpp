// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>

#include <ridge/gpu/memory.hpp>
#include <ridge/harness/experiment.hpp>

#include "unified_memory.hpp"

namespace ridge::experiments::ch06_unified_memory {
namespace {

enum class pages : std::uint8_t { fault, prefetched, stay };

// Every call begins with the source in managed memory whose pages are on the host, as after a loader's work;
// how they come to the kernel is the variant. Bodies own at most 64 MiB of managed memory.
auto managed(pages come) {
  return [come](const workload& shape, setup&) {
    auto memory = std::make_shared<gpu::managed_memory>(shape.source.size_bytes());
    if (come == pages::stay) memory->keep_on_host();
    return [come, memory](workload& w, call& c) {
      gpu::enqueue_copy(memory->data(), w.source.data(), w.source.size_bytes(), c.queue());
      memory->move_to_host(c.queue());
      if (come == pages::prefetched) memory->move_to_device(c.queue());
      launch_double({memory->as<const float>(), w.source.size()}, w.target, c.queue());
    };
  };
}

// The same way by explicit copies: to pinned host memory, and from there to memory of the device.
auto explicit_copies(const workload& shape, setup& s) {
  return [host = std::make_shared<gpu::pinned_memory>(shape.source.size_bytes()),
          device = s.workspace<float>(shape.source.size())](workload& w, call& c) {
    gpu::enqueue_copy(host->data(), w.source.data(), w.source.size_bytes(), c.queue());
    gpu::enqueue_copy(device.data(), host->data(), w.source.size_bytes(), c.queue());
    launch_double(device, w.target, c.queue());
  };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "on_demand",
       .is = role::baseline,
       .idea = "managed memory: each page comes when the kernel faults on it",
       .run = managed(pages::fault)},
      {.name = "prefetched",
       .idea = "cudaMemPrefetchAsync brings all pages before the kernel begins",
       .run = managed(pages::prefetched)},
      {.name = "read_in_place",
       .idea = "cudaMemAdvise: pages stay on the host, and the kernel reads them over the link",
       .run = managed(pages::stay)},
      {.name = "explicit_copies",
       .is = role::comparator,
       .idea = "cudaMemcpyAsync from pinned memory to memory of the device, no managed memory",
       .run = explicit_copies},
  };
}

}  // namespace ridge::experiments::ch06_unified_memory
