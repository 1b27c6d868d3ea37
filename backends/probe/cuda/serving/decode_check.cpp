// SPDX-License-Identifier: Apache-2.0
#include "serving/decode_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

// bf16 numbers of the device as doubles.
std::vector<double> read(const void* array, std::size_t count) {
  std::vector<std::uint16_t> words(count);
  gpu::check(cudaMemcpy(words.data(), array, count * 2, cudaMemcpyDeviceToHost), "cudaMemcpy of attention");
  std::vector<double> numbers;
  for (const auto w : words)
    numbers.push_back(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(w) << 16)));
  return numbers;
}

struct host_attention {
  const decode_call& c;
  std::vector<double> q, k, v;

  [[nodiscard]] std::size_t key(int sequence, int token, int head) const {
    const auto row = (static_cast<std::size_t>(sequence) * static_cast<std::size_t>(c.context) +
                      static_cast<std::size_t>(token)) *
                         static_cast<std::size_t>(c.kv_heads) +
                     static_cast<std::size_t>(head / (c.heads / c.kv_heads));
    return row * static_cast<std::size_t>(c.head_dim);
  }
  // The row of one query: its attention to all tokens of its sequence.
  [[nodiscard]] std::vector<double> row(int sequence, int head) const {
    const auto dim = static_cast<std::size_t>(c.head_dim);
    const auto query = static_cast<std::size_t>(sequence * c.heads + head) * dim;
    std::vector<double> weights, out(dim);
    double sum = 0;
    for (int t = 0; t < c.context; ++t) {
      double s = 0;
      for (std::size_t d = 0; d < dim; ++d) s += q[query + d] * k[key(sequence, t, head) + d];
      weights.push_back(std::exp(s / std::sqrt(static_cast<double>(dim))));
      sum += weights.back();
    }
    for (int t = 0; t < c.context; ++t)
      for (std::size_t d = 0; d < dim; ++d)
        out[d] += weights[static_cast<std::size_t>(t)] / sum * v[key(sequence, t, head) + d];
    return out;
  }
};

}  // namespace

double decode_error(const decode_call& call) {
  const auto queries = static_cast<std::size_t>(call.sequences) * static_cast<std::size_t>(call.heads) *
                       static_cast<std::size_t>(call.head_dim);
  const auto keys = static_cast<std::size_t>(call.sequences) * static_cast<std::size_t>(call.context) *
                    static_cast<std::size_t>(call.kv_heads) * static_cast<std::size_t>(call.head_dim);
  const host_attention host{call, read(call.q, queries), read(call.k, keys), read(call.v, keys)};
  const auto found = read(call.output, queries);
  double off = 0, greatest = 0;
  std::size_t at = 0;
  for (int s = 0; s < call.sequences; ++s)
    for (int h = 0; h < call.heads; ++h)
      for (const double x : host.row(s, h)) {
        const double seen = found[at++];
        off = std::max(off, std::isfinite(seen) ? std::abs(x - seen) : 1e30);
        greatest = std::max(greatest, std::abs(x));
      }
  return off / greatest;
}

}  // namespace ridge::backends::probe_cuda
