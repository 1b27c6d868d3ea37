// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/counter_random.hpp>

#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return mixed(mixed(mixed(seed) ^ stream) ^ index);
}

double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, stream, index) >> 11) * 0x1p-53;
}

double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return normal_quantile(random_uniform(seed, stream, index) + 0x1p-54);
}

}  // namespace ridge::stats
