// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/host/team.hpp>
#include <ridge/probe/kernel_timer.hpp>

#include "serving/host_kernels.hpp"

namespace ridge::backends::probe_host {

std::unique_ptr<probe::kernel_timer> make_kernel_timer();

namespace {

// One output element by the definition of attention, in fp64.
double expected(const decode_on_host& c, std::size_t sequence, std::size_t head, std::size_t element) {
  const auto pair = sequence * c.kv_heads + head / (c.heads / c.kv_heads);
  const float* q = c.queries + (sequence * c.heads + head) * c.head_dim;
  double weights = 0, sum = 0;
  for (std::size_t t = 0; t < c.context; ++t) {
    const auto at = (pair * c.context + t) * c.head_dim;
    double score = 0;
    for (std::size_t i = 0; i < c.head_dim; ++i) score += double{q[i]} * double{c.keys[at + i]};
    const double weight = std::exp(score / std::sqrt(static_cast<double>(c.head_dim)));
    weights += weight, sum += weight * double{c.values[at + element]};
  }
  return sum / weights;
}

TEST(decode_on_host, is_the_softmax_of_scores_times_values) {
  auto team = host::team::of_cores();
  decode_on_host c{.heads = 6, .kv_heads = 2, .head_dim = 40, .sequences = 3, .context = 29};
  std::vector<float> queries(c.query_floats()), outputs(c.query_floats()), keys(c.key_floats()),
      values(c.key_floats());
  for (std::size_t i = 0; i < queries.size(); ++i) queries[i] = std::sin(static_cast<float>(i));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = 3 * std::cos(static_cast<float>(7 * i));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(3 * i));
  c.queries = queries.data(), c.keys = keys.data(), c.values = values.data(), c.outputs = outputs.data();
  compute(team, c);
  for (std::size_t s = 0; s < c.sequences; ++s)
    for (std::size_t h = 0; h < c.heads; ++h)
      for (std::size_t i = 0; i < c.head_dim; ++i)
        EXPECT_NEAR(outputs[(s * c.heads + h) * c.head_dim + i], expected(c, s, h, i), 1e-5);
}

TEST(host_kernel_timer, takes_longer_for_more_work_and_refuses_what_it_cannot_run) {
  const auto timer = make_kernel_timer();
  EXPECT_FALSE(timer->machine().is_gpu);
  EXPECT_FALSE(timer->machine().name.empty());
  // The least of a few: on a busy machine the threads of a team wait for each other.
  const auto seconds = [&](const model::kernel_call& call) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
      const auto found = timer->time(call);
      EXPECT_TRUE(found.ok()) << found.why().text();
      if (found) least = std::min(least, found->seconds);
    }
    return least;
  };
  const auto product = [&](std::int64_t m) {
    return seconds({"product", "fp32", {{"m", m}, {"n", 256}, {"k", 256}}});
  };
  EXPECT_GT(product(2048), 2 * product(8));
  const auto decode = [&](std::int64_t context) {
    return seconds(
        {"decode_attention",
         "fp32",
         {{"heads", 8}, {"kv_heads", 2}, {"head_dim", 64}, {"sequences", 2}, {"context", context}}});
  };
  EXPECT_GT(decode(4096), 2 * decode(32));
  EXPECT_GT(seconds({"elementwise", "", {{"bytes", 1 << 24}}}),
            2 * seconds({"elementwise", "", {{"bytes", 1 << 14}}}));
  EXPECT_FALSE(timer->time({"product", "bf16", {{"m", 1}, {"n", 8}, {"k", 8}}}).ok());
}

}  // namespace
}  // namespace ridge::backends::probe_host
