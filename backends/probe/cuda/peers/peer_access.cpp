// SPDX-License-Identifier: Apache-2.0
#include "peers/peer_access.hpp"

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

std::unique_ptr<device_memory> memory_on(int device, std::size_t bytes) {
  const on_device there(device);
  return std::make_unique<device_memory>(bytes);
}

void allow(int from, int to) {
  const on_device here(from);
  const auto answer = cudaDeviceEnablePeerAccess(to, 0);
  if (answer == cudaErrorPeerAccessAlreadyEnabled)
    (void)cudaGetLastError();  // which the next launch would report
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

peer_pair::peer_pair(int from, int to, std::size_t bytes)
    : first(from), second(to), here_(memory_on(from, bytes)), there_(memory_on(to, bytes)) {
  allow(from, to);
}

}  // namespace ridge::backends::probe_cuda
