// SPDX-License-Identifier: Apache-2.0
#include "serving/operand_pool.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

std::size_t pool_bytes() {
  std::size_t free = 0, all = 0;
  gpu::check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return std::min<std::size_t>(free / 2, 16 * gib) / 256 * 256;
}

std::size_t l2_bytes() {
  int device = 0, bytes = 0;
  gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  gpu::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}

}  // namespace

operand_pool::operand_pool() : memory_(pool_bytes()), cache_bytes_(l2_bytes()) {}

operand_pool::division operand_pool::divide(std::size_t bytes_of_a_set, element type) {
  constexpr std::size_t least = 2, most = 512, over_cache = 4;
  const auto bytes = aligned_bytes(bytes_of_a_set);
  const auto fitting = memory_.bytes() / bytes;
  if (fitting < least)
    throw unavailable(fmt::format("memory for two sets of operands of {} MB", bytes / 1'000'000),
                      "stop other programs on this GPU");
  const auto cold = (over_cache * cache_bytes_ + bytes - 1) / bytes;
  const auto sets = std::min(std::clamp(cold, least, most), fitting);
  fill_operands(memory_.data(), sets * bytes, type);
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize after filling operands");
  return {memory_.as<std::byte>(), bytes, static_cast<int>(sets)};
}

}  // namespace ridge::backends::probe_cuda
