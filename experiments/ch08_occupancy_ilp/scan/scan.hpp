// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_scan {

// sums[i] = terms[0] + ... + terms[i].
struct workload {
  input<float> terms{};
  output<float> sums{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a scan of kernels.cu on `queue`, which works in as many bytes of device memory as
// workspace_bytes says: three kernels that read the terms twice; one in which tiles look back at the sums of
// those before them; one of blocks that stay, whose warps divide loading, adding, looking back and scanning
// among them (compute capability 9.0; arrays off 16 bytes are scanned by the second).
[[nodiscard]] std::size_t workspace_bytes(std::size_t terms);
void launch_three_kernels(const workload& w, std::span<std::byte> workspace, stream queue);
void launch_look_back(const workload& w, std::span<std::byte> workspace, stream queue);
void launch_look_ahead(const workload& w, std::span<std::byte> workspace, stream queue);

// In comparator.cu: cub::DeviceScan::InclusiveSum; without scratch it says how many bytes it needs.
void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch08_scan
