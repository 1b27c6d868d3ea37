// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/counter_random.hpp>

#include <ridge/base/splitmix.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return splitmix64(splitmix64(splitmix64(seed) ^ stream) ^ index);
}

double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, stream, index) >> 11) * 0x1p-53;
}

double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return normal_quantile(random_uniform(seed, stream, index) + 0x1p-54);
}

}  // namespace ridge::stats
