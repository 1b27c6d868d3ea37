// SPDX-License-Identifier: Apache-2.0
#include "peers/peer_access.hpp"

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

gpu::device_memory memory_on(int device, std::size_t bytes) {
  const on_device there(device);
  return gpu::device_memory(bytes);
}

void allow(int source, int target) {
  const on_device here(source);
  const auto answer = cudaDeviceEnablePeerAccess(target, 0);
  if (answer == cudaErrorPeerAccessAlreadyEnabled)
    (void)cudaGetLastError();  // clears the error, which the next launch would report
  else
    gpu::check(answer, "cudaDeviceEnablePeerAccess");
}

}  // namespace

on_device::on_device(int device) {
  gpu::check(cudaGetDevice(&before_), "cudaGetDevice");
  gpu::check(cudaSetDevice(device), "cudaSetDevice");
}

on_device::~on_device() { (void)cudaSetDevice(before_); }

std::vector<std::pair<int, int>> pairs_with_access() {
  int count = 0;
  gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (count < 2) throw unavailable("a second GPU", "this machine has one");
  std::vector<std::pair<int, int>> pairs;
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      int can = 0;
      if (from != to) gpu::check(cudaDeviceCanAccessPeer(&can, from, to), "cudaDeviceCanAccessPeer");
      if (can) pairs.emplace_back(from, to);
    }
  }
  if (pairs.empty()) throw unavailable("peer access", "no GPU of this machine can use another's memory");
  return pairs;
}

peer_pair::peer_pair(int source, int target, std::size_t bytes)
    : first(source), second(target), here_(memory_on(source, bytes)), there_(memory_on(target, bytes)) {
  allow(source, target);
}

}  // namespace ridge::backends::probe_cuda
