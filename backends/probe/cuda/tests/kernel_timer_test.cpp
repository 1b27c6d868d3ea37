// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include <ridge/probe/kernel_timer.hpp>

#include "on_gpu.hpp"
#include "serving/decode_check.hpp"
#include "serving/operand_pool.hpp"
#include "serving/routed_rows.hpp"

namespace ridge::backends::probe_cuda {

std::unique_ptr<probe::kernel_timer> make_kernel_timer(int index);

namespace {

using decode_on_gpu = on_gpu;
using kernel_timer_on_gpu = on_gpu;

double error_of(decode_call call) {
  const auto queries = static_cast<std::size_t>(call.sequences * call.heads * call.head_dim);
  const auto keys = static_cast<std::size_t>(call.sequences * call.context) *
                    static_cast<std::size_t>(call.kv_heads * call.head_dim);
  const gpu::device_memory q(2 * queries), k(2 * keys), v(2 * keys), output(2 * queries),
      partial(static_cast<std::size_t>(call.partial_floats()) * sizeof(float));
  for (const auto* array : {&q, &k, &v}) fill_operands(array->data(), array->bytes(), element::bf16);
  call.q = q.data(), call.k = k.data(), call.v = v.data(), call.output = output.data();
  call.partial = partial.as<float>();
  launch_decode(call, nullptr);
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize after attention");
  return decode_error(call);
}

TEST_F(decode_on_gpu, agrees_with_the_host_whole_and_in_parts) {
  for (const int head_dim : {64, 128})
    for (const int heads : {2, 8, 32})
      for (const int splits : {1, 2, 7})
        for (const int context : {16, 80, 1040})
          EXPECT_LT(error_of({.heads = heads,
                              .kv_heads = 2,
                              .head_dim = head_dim,
                              .sequences = 2,
                              .context = context,
                              .splits = splits}),
                    0.02)
              << head_dim << ' ' << heads << ' ' << splits << ' ' << context;
}

TEST_F(kernel_timer_on_gpu, a_larger_product_takes_longer_and_an_unknown_kernel_is_refused) {
  const auto timer = make_kernel_timer(0);
  const auto seconds = [&](std::int64_t m) {
    const auto found = timer->time({"product", "bf16", {{"m", m}, {"n", 4096}, {"k", 4096}}});
    return found ? found->seconds : -1;
  };
  const double small = seconds(16), large = seconds(8192);
  if (small < 0) GTEST_SKIP() << "no cuBLASLt here";
  EXPECT_GT(large, 4 * small);
  EXPECT_FALSE(timer->time({"convolution", "bf16", {}}).ok());
}

TEST(routed_rows, are_top_k_a_token_and_more_for_popular_experts) {
  const auto rows = routed_rows(4096, 64, 8);
  int all = 0;
  for (const int r : rows) all += r;
  EXPECT_EQ(all, 4096 * 8);
  EXPECT_GT(rows.back(), 4 * rows.front());
  for (const int r : rows) EXPECT_LE(r, 4096);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
