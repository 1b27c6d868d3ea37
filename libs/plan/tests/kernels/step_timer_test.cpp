// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/step_timer.hpp>

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/kernels/efficiency.hpp>

#include "small_machine.hpp"

namespace ridge::plan::kernels {
namespace {

using serve::iteration;
using ::testing::HasSubstr;

// Every kernel at the speed of light and without a floor, so that times can be worked out by hand.
const efficiency_catalogue& ideal() {
  static const efficiency_catalogue all = [] {
    efficiency_catalogue c;
    for (const auto* kernel :
         {"product", "prefill_attention", "decode_attention", "latent_prefill", "latent_decode", "experts",
          "all_reduce", "all_gather", "all_to_all", "elementwise"})
      c.entries.push_back({"Test", "hopper", kernel, "", {0, 1, 1, 0, 0, 0}, 1, 0, 0, "test", "2026-01-01"});
    return c;
  }();
  return all;
}

std::unique_ptr<step_timer> timer_of(const step_request& r) {
  auto made = make_step_timer(r, *analytic_times(r.gpu, ideal()));
  EXPECT_TRUE(made.ok()) << made.why().text();
  return std::move(*made);
}

iteration decoding(std::int64_t sequences, std::int64_t context) {
  iteration i;
  i.decode_sequences = i.decode_tokens = i.sampled = sequences;
  i.decode_context = context;
  return i;
}

iteration prompt(std::int64_t tokens) {
  iteration i;
  i.prefill_tokens = tokens, i.prefill_sequences = 1, i.sampled = 1;
  i.prefill_pairs = static_cast<double>(tokens) * static_cast<double>(tokens + 1) / 2;
  return i;
}

// Of a layer: 1024 x 1536 query, key and value, 1024 x 1024 output, 3 x 1024 x 4096: 15,204,352 weights.
constexpr double layer_weights = 1024.0 * (8 + 2 * 2) * 128 + 1024.0 * 1024 + 3.0 * 1024 * 4096;

TEST(step_timer, reads_weights_once_a_step_whatever_the_batch) {
  const auto timer = timer_of(test::request());
  const double one = timer->parts(decoding(1, 1)).products_s,
               many = timer->parts(decoding(32, 32)).products_s;
  EXPECT_NEAR(one, 10 * layer_weights * 2 / 1e12, 0.01 * one);
  // Only activations grow: 32 rows beside 15 million weights.
  EXPECT_LT(many, 1.2 * one);
  EXPECT_GT(many, one);
}

TEST(step_timer, is_bound_by_the_units_for_long_prompts) {
  const auto timer = timer_of(test::request());
  EXPECT_NEAR(timer->parts(prompt(8192)).products_s, 8192 * 10 * layer_weights * 2 / 100e12, 1e-6);
  // 4 · heads · head size · pairs, ten layers.
  EXPECT_NEAR(timer->parts(prompt(8192)).attention_prefill_s, 10 * 4.0 * 8 * 128 * 8192 * 8193 / 2 / 100e12,
              2e-5);
}

TEST(step_timer, reads_keys_and_values_of_kv_heads_alone) {
  const auto timer = timer_of(test::request());
  const double grown = timer->parts(decoding(16, 160'000)).attention_decode_s -
                       timer->parts(decoding(16, 80'000)).attention_decode_s;
  EXPECT_NEAR(grown, 80'000.0 * 10 * 2 * 2 * 128 * 2 / 1e12, 1e-9);
}

TEST(step_timer, halves_cache_traffic_with_an_fp8_cache) {
  auto r = test::request();
  const double wide = timer_of(r)->decode(16, 100'000).per_context_s;
  r.kv_format = "fp8";
  EXPECT_NEAR(timer_of(r)->decode(16, 100'000).per_context_s, wide / 2, 1e-3 * wide);
}

TEST(step_timer, agrees_with_the_lines_it_gives_for_decoding) {
  auto r = test::request();
  r.engine.hidden_step_s = 0.6e-3, r.engine.sequence_s = 1e-5, r.engine.hidden_sequence_s = 1e-5;
  r.engine.kernel_launch_s = 2e-5;
  r.model.kinds[0].attention.kind = attention_kind::sliding;
  r.model.kinds[0].attention.window = 500;
  r.model.kinds.push_back(test::small_model().kinds[0]);
  for (std::size_t i = 0; i < 10; i += 2) r.model.order[i] = 1;
  const auto timer = timer_of(r);
  for (const std::int64_t b : {1, 3, 17, 200, 513, 1024, 1500})
    for (const std::int64_t mean : {1, 2, 100, 499, 500, 501, 777, 4096, 50'000, 300'000}) {
      const auto line = timer->decode(b, b * mean);
      EXPECT_GE(line.up_to_context, b * mean);
      for (const auto context : {b * mean, std::min(line.up_to_context, 2 * b * mean)})
        EXPECT_NEAR(line.base_s + line.per_context_s * static_cast<double>(context),
                    timer->seconds(decoding(b, context)), 1e-12)
            << b << " sequences, " << context << " tokens";
    }
}

TEST(step_timer, splits_heads_but_not_the_latent_row_among_ranks) {
  auto r = test::request();
  auto& a = r.model.kinds[0].attention;
  a = {};
  a.kind = attention_kind::latent;
  a.heads = 16, a.kv_heads = 16, a.kv_rank = 512, a.rope_dim = 64, a.nope_dim = 128, a.value_head_dim = 128;
  const double one = timer_of(r)->decode(64, 640'000).per_context_s;
  r.layout.tensor = 8;
  const double eight = timer_of(r)->decode(64, 640'000).per_context_s;
  EXPECT_NEAR(one, 10 * 576 * 2 / 1e12, 1e-15);
  EXPECT_NEAR(eight, one, 1e-3 * one);
}

TEST(step_timer, keeps_one_kv_head_on_every_rank_where_there_are_fewer) {
  auto r = test::request();
  r.layout.tensor = 2;
  const double two = timer_of(r)->decode(64, 640'000).per_context_s;
  r.layout.tensor = 8;
  EXPECT_NEAR(timer_of(r)->decode(64, 640'000).per_context_s, two, 1e-3 * two);
}

TEST(step_timer, reduces_twice_a_layer_and_once_for_the_embedding) {
  auto r = test::request();
  r.layout.tensor = 4;
  // Ring: 2 · 3/4 of 512 rows of 2 KiB over 100 GB/s.
  EXPECT_NEAR(timer_of(r)->parts(decoding(512, 512)).collectives_s, 21 * 1.5 * 512 * 2048 / 100e9, 1e-9);
  r.scaling.collective_floor_s = 1e-5;
  EXPECT_NEAR(timer_of(r)->parts(decoding(512, 512)).collectives_s, 21 * (1.5 * 512 * 2048 / 100e9 + 1e-5),
              1e-9);
}

TEST(step_timer, stops_counting_context_at_the_window) {
  auto r = test::request();
  r.model.kinds[0].attention.kind = attention_kind::sliding;
  r.model.kinds[0].attention.window = 1024;
  const auto timer = timer_of(r);
  EXPECT_GT(timer->decode(8, 8 * 600).per_context_s, 0);
  EXPECT_EQ(timer->decode(8, 8 * 4000).per_context_s, 0);
  EXPECT_EQ(timer->seconds(decoding(8, 8 * 4000)), timer->seconds(decoding(8, 8 * 9000)));
}

TEST(step_timer, touches_few_experts_with_few_tokens) {
  auto r = test::request();
  auto& f = r.model.kinds[0].feed_forward;
  f = {};
  f.experts = 64, f.active_experts = 4, f.expert_intermediate = 512;
  const auto timer = timer_of(r);
  const double expert_bytes = 3.0 * 1024 * 512 * 2;
  EXPECT_NEAR(timer->parts(decoding(1, 1)).experts_s, 10 * 4 * expert_bytes / 1e12,
              0.05 * 10 * 4 * expert_bytes / 1e12);
  const double all = timer->parts(decoding(1024, 1024)).experts_s;
  EXPECT_GT(all, 0.95 * 10 * 64 * expert_bytes / 1e12);
}

TEST(step_timer, takes_longer_for_the_host_only_where_it_is_not_hidden) {
  auto r = test::request();
  const double bare = timer_of(r)->seconds(decoding(4, 4000));
  r.engine.hidden_step_s = (bare - r.engine.step_s) / 2;
  EXPECT_DOUBLE_EQ(timer_of(r)->seconds(decoding(4, 4000)), bare);
  r.engine.hidden_step_s = 10 * bare;
  EXPECT_NEAR(timer_of(r)->seconds(decoding(4, 4000)), 10 * bare + r.engine.step_s, 1e-12);
  r.engine.hidden_step_s = 0, r.engine.step_s += 5e-3;
  EXPECT_NEAR(timer_of(r)->seconds(decoding(4, 4000)), bare + 5e-3, 1e-12);
}

TEST(step_timer, waits_for_launches_beyond_the_graphs) {
  auto r = test::request();
  r.engine.kernel_launch_s = 1e-3, r.engine.graph_tokens = 64;
  const auto timer = timer_of(r);
  EXPECT_EQ(timer->parts(decoding(64, 6400)).waiting_s, 0);
  EXPECT_GT(timer->parts(decoding(65, 6500)).waiting_s, 50e-3);
}

TEST(step_timer, runs_as_many_micro_batches_as_stages) {
  auto r = test::request();
  const double whole = timer_of(r)->parts(prompt(4096)).products_s;
  r.layout.pipeline = 2;
  const double piped = timer_of(r)->parts(prompt(4096)).products_s;
  EXPECT_NEAR(piped, whole / 2, 0.02 * whole);
  // Decoding reads all weights twice as often in a step of two micro-batches on half of the layers each.
  EXPECT_NEAR(timer_of(r)->parts(decoding(2, 2)).products_s,
              timer_of(test::request())->parts(decoding(1, 1)).products_s, 1e-9);
}

TEST(step_timer, explains_where_its_seconds_go) {
  const auto r = test::request();
  const auto times = analytic_times(r.gpu, ideal());
  const auto timer = timer_of(r);
  const auto i = decoding(32, 32'000);
  const auto how = explain_step(r, *times, *timer, i);
  const auto* total = find(how, "step_ms");
  ASSERT_NE(total, nullptr);
  EXPECT_NEAR(total->value, timer->seconds(i) * 1e3, 1e-9);
  double sum = 0;
  for (const auto& f : how) sum += f.id == "step_ms" ? 0 : f.value;
  EXPECT_NEAR(sum, total->value, 1e-9);
}

TEST(step_timer, gives_another_engine_over_the_same_kernels) {
  const auto timer = timer_of(test::request());
  auto o = timer->engine();
  o.step_s += 7e-3;
  EXPECT_NEAR(timer->with(o)->seconds(decoding(2, 20)), timer->seconds(decoding(2, 20)) + 7e-3, 1e-12);
}

TEST(step_timer, names_what_it_cannot_time) {
  auto r = test::request();
  const auto times = analytic_times(r.gpu, ideal());
  r.weight_format = "fp9";
  EXPECT_THAT(make_step_timer(r, *times).why().message, HasSubstr("fp9"));
  r = test::request();
  r.gpu.bandwidth_bytes_per_s = 0;
  EXPECT_THAT(make_step_timer(r, *times).why().message, HasSubstr("Test has no memory bandwidth"));
  r = test::request();
  r.model.order.clear();
  EXPECT_THAT(make_step_timer(r, *times).why().message, HasSubstr("no layers"));
}

TEST(step_timer, takes_no_time_for_nothing) { EXPECT_EQ(timer_of(test::request())->seconds({}), 0); }

}  // namespace
}  // namespace ridge::plan::kernels
