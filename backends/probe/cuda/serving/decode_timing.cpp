// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "serving/decode_check.hpp"
#include "serving/decode_kernel.hpp"
#include "serving/replayed.hpp"
#include "serving/timed_calls.hpp"

namespace ridge::backends::probe_cuda {
namespace {

int processors() {
  int device = 0, count = 0;
  gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  gpu::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  return count;
}

decode_call call_of(const model::kernel_call& call) {
  decode_call c{.heads = static_cast<int>(call.size("heads")),
                .kv_heads = static_cast<int>(call.size("kv_heads")),
                .head_dim = static_cast<int>(call.size("head_dim")),
                .sequences = static_cast<int>(call.size("sequences")),
                .context = static_cast<int>(call.size("context"))};
  c.splits = c.splits_for(processors());
  return c;
}

// Where the operands of a call lie within a set.
struct decode_layout {
  explicit decode_layout(const decode_call& c)
      : keys(aligned_bytes(static_cast<std::size_t>(c.sequences) * static_cast<std::size_t>(c.context) *
                           static_cast<std::size_t>(c.kv_heads) * static_cast<std::size_t>(c.head_dim) * 2)),
        queries(aligned_bytes(static_cast<std::size_t>(c.sequences) * static_cast<std::size_t>(c.heads) *
                              static_cast<std::size_t>(c.head_dim) * 2)),
        partial(aligned_bytes(static_cast<std::size_t>(c.partial_floats()) * sizeof(float))) {}
  std::size_t keys, queries, partial;
  [[nodiscard]] std::size_t bytes() const { return 2 * keys + 2 * queries + partial; }
  [[nodiscard]] decode_call placed(decode_call c, std::byte* set) const {
    c.k = set, c.v = set + keys, c.q = set + 2 * keys, c.output = set + 2 * keys + queries;
    c.partial = reinterpret_cast<float*>(set + 2 * keys + 2 * queries);
    return c;
  }
};

// A wrong kernel may be fast: its result is compared once, with a split and without.
void verify(const timing_bench& bench) {
  for (const int splits : {1, 3}) {
    decode_call c{.heads = 8, .kv_heads = 2, .head_dim = 128, .sequences = 2, .context = 272};
    c.splits = splits;
    const decode_layout layout(c);
    const auto placed = layout.placed(c, bench.pool.divide(layout.bytes(), element::bf16).at(0));
    launch_decode(placed, bench.stream);
    gpu::check(cudaStreamSynchronize(bench.stream), "cudaStreamSynchronize after attention");
    constexpr double most = 0.02;  // bf16 has eight bits, in the result and in the softmax
    if (const double off = decode_error(placed); !(off < most))
      throw failure({fmt::format("decode attention is wrong by {:.3f} of its greatest result", off),
                     "report it: its times are not used"});
  }
}

}  // namespace

probe::kernel_timing timed_decode(const timing_bench& bench, const model::kernel_call& call) {
  static bool verified = false;
  if (!verified) verify(bench);
  verified = true;
  const auto wanted = call_of(call);
  const decode_layout layout(wanted);
  const auto sets = bench.pool.divide(layout.bytes(), element::bf16);
  auto found = replayed(bench.stream, sets.sets, [&](cudaStream_t stream, int set) {
    launch_decode(layout.placed(wanted, sets.at(set)), stream);
  });
  found.implementation = "Ridge's split kernel (mma.sync)";
  return found;
}

}  // namespace ridge::backends::probe_cuda
