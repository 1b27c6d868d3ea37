// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/step_time.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "shapes.hpp"

namespace ridge::plan::train {
namespace {

constexpr double endless = 1e30;

training_job tiny_job() {
  training_job job{.model = gpt(2, 64, 4, 128), .global_batch = 2, .sequence = 32};
  return job;
}

step_time time_of(const training_job& job, const accelerator& gpu, const interconnect& links,
                  const training_coefficients& c, const training_plan& plan) {
  return step_model(job, gpu, links, c).time(plan);
}

double sum_of(const step_time& t) {
  return t.product_s + t.attention_s + t.memory_bound_s + t.recomputation_s + t.tensor_exposed_s +
         t.context_exposed_s + t.expert_exposed_s + t.pipeline_exposed_s + t.bubble_s + t.data_exposed_s +
         t.optimizer_s + t.fixed_s + t.straggler_s;
}

std::vector<training_plan> some_plans() {
  std::vector<training_plan> all;
  for (const int t : {1, 3, 8})
    for (const int p : {1, 4})
      for (const int c : {1, 2})
        for (const auto shard : {sharding::none, sharding::optimizer, sharding::weights}) {
          training_plan plan;
          plan.layout = {
              .tensor = t, .pipeline = p, .virtual_pipeline = p > 1 ? 2 : 1, .context = c, .data = 4};
          plan.shard = shard;
          all.push_back(plan);
        }
  return all;
}

// One GPU, two micro-batches, two layers of 12 h² weights and a head, all by hand.
TEST(step_time, of_a_tiny_model_is_what_paper_and_pencil_say) {
  const double flop_per_s = 1e9, bytes_per_s = 1e12, tokens = 32, h = 64, v = 128;
  auto c = ideal();
  c.fixed_s = 0.25;
  const auto t = time_of(tiny_job(), machine(flop_per_s, bytes_per_s), links(1e9, 1e9), c, {});
  const double weights = 12 * h * h;
  EXPECT_DOUBLE_EQ(t.product_s, 2 * 3 * 2 * tokens * (2 * weights + h * v) / flop_per_s);
  // Scores and values: 2 · 2 · h FLOP per pair, half of the pairs; 3.5 passes with the scores' second time.
  EXPECT_DOUBLE_EQ(t.attention_s, 2 * 2 * 3.5 * (4 * h * tokens * tokens / 2) / flop_per_s);
  const double layer_bytes = tokens * (44 * h + 10 * 4 * h) + 8 * weights;
  const double head_bytes = tokens * 18 * v + 8 * h * v;
  EXPECT_NEAR(t.memory_bound_s * bytes_per_s, 2 * (2 * layer_bytes + head_bytes + 12 * tokens * h), 1e-3);
  EXPECT_NEAR(t.optimizer_s * bytes_per_s, 58 * (2 * weights + h * v), 1e-3);
  EXPECT_EQ(t.fixed_s, 0.25);
  EXPECT_EQ(t.bubble_s + t.tensor_exposed_s + t.pipeline_exposed_s + t.data_exposed_s, 0);
  EXPECT_DOUBLE_EQ(t.tokens_per_s, 64 / t.total_s);
}

TEST(step_time, utilization_is_whole_where_nothing_but_products_is_done) {
  auto job = tiny_job();
  job.sequence = 2048;
  job.model.kinds[0].attention.kind = attention_kind::none;
  job.model.kinds[0].attention.heads = 0;
  const auto t = time_of(job, machine(1e9, endless), links(endless, endless), ideal(), {});
  EXPECT_NEAR(t.mfu, 1, 1e-9);
  training_plan full;
  full.recompute = recomputation::full;
  const auto again = time_of(job, machine(1e9, endless), links(endless, endless), ideal(), full);
  EXPECT_NEAR(again.hfu, 1, 1e-9);
  EXPECT_LT(again.mfu, 0.85);
}

TEST(step_time, parts_add_up) {
  const step_model model({.model = llama_70b(), .global_batch = 64, .sequence = 8192}, machine(1e15, 3e12),
                         links(450e9, 50e9), ideal());
  for (const auto& plan : some_plans()) {
    const auto t = model.time(plan);
    EXPECT_NEAR(sum_of(t), t.total_s, 1e-9 * t.total_s) << plan.text();
    EXPECT_GT(t.total_s, 0);
  }
}

TEST(step_time, no_part_gets_slower_when_the_machine_gets_faster) {
  const training_job job{.model = llama_70b(), .global_batch = 64, .sequence = 8192};
  const step_model slow(job, machine(1e15, 3e12), links(450e9, 50e9), ideal());
  const step_model faster[] = {{job, machine(2e15, 3e12), links(450e9, 50e9), ideal()},
                               {job, machine(1e15, 6e12), links(450e9, 50e9), ideal()},
                               {job, machine(1e15, 3e12), links(900e9, 50e9), ideal()},
                               {job, machine(1e15, 3e12), links(450e9, 100e9), ideal()}};
  for (const auto& plan : some_plans())
    for (const auto& fast : faster)
      EXPECT_LE(fast.time(plan).total_s, slow.time(plan).total_s * (1 + 1e-12)) << plan.text();
}

// 2 directions · 64 micro-batches · 3 chunks, each an eighth of 2048 · 12288 elements over 25 GB/s.
TEST(step_time, hand_overs_of_stages_take_bytes_over_bytes_a_second) {
  const training_job job{.model = gpt(96, 12288, 96, 51200), .global_batch = 64, .sequence = 2048};
  training_plan plan;
  plan.layout = {.tensor = 8, .pipeline = 8, .virtual_pipeline = 3};
  const auto t = time_of(job, machine(312e12, 2e12), links(300e9, 25e9), ideal(), plan);
  EXPECT_DOUBLE_EQ(t.pipeline_exposed_s, 2 * 64 * 3 * (2048.0 * 12288 * 2 / 8) / 25e9);
}

// Two blocks per layer; forward gathers and scatters 7/8 of the sequence, backward gathers twice.
TEST(step_time, tensor_ranks_gather_and_scatter_the_sequence) {
  const training_job job{.model = gpt(4, 1024, 16, 32000), .global_batch = 1, .sequence = 2048};
  training_plan plan;
  plan.layout.tensor = 8;
  const auto t = time_of(job, machine(1e15, 1e12), links(300e9, 25e9), ideal(), plan);
  const double one = 7.0 / 8 * 2048 * 1024 * 2 / 300e9;
  const double layers = 4 * 2 * (2 + 3) * one, head_and_embedding = (2 + 1) * one;
  EXPECT_NEAR(t.tensor_exposed_s, layers + head_and_embedding, 1e-12);
  plan.sequence_parallel = false;
  const auto reduced = time_of(job, machine(1e15, 1e12), links(300e9, 25e9), ideal(), plan);
  EXPECT_NEAR(reduced.tensor_exposed_s, 4 * 2 * (2 + 2) * one + (2 + 1) * one, 1e-12);
  EXPECT_GT(reduced.memory_bound_s, t.memory_bound_s);
}

TEST(step_time, dense_peaks_count_and_not_sparse_ones) {
  const auto h100 = *accelerator_named(hardware::catalogue::embedded(), "H100 SXM");
  auto job = tiny_job();
  job.model = gpt(2, 4096, 32, 32000);
  job.sequence = 4096;
  const double flop = 2 * 3 * 2 * 4096.0 * (2 * 12 * 4096.0 * 4096 + 4096.0 * 32000);
  const auto t = time_of(job, h100, links(450e9, 50e9), ideal(), {});
  EXPECT_NEAR(t.product_s, flop / 989.43e12, 1e-9);
  job.compute_type = "fp8";
  // The head stays in 16 bits.
  const double head = 2 * 3 * 2 * 4096.0 * 4096 * 32000;
  EXPECT_NEAR(time_of(job, h100, links(450e9, 50e9), ideal(), {}).product_s,
              (flop - head) / 1978.86e12 + head / 989.43e12, 1e-9);
}

TEST(step_time, eight_bits_gain_nothing_without_units_for_them) {
  auto job = tiny_job();
  const auto before = time_of(job, machine(1e9, 1e12), links(1e9, 1e9), ideal(), {});
  job.compute_type = "fp8";
  const auto after = time_of(job, machine(1e9, 1e12), links(1e9, 1e9), ideal(), {});
  EXPECT_EQ(after.product_s, before.product_s);
}

TEST(step_time, full_recomputation_adds_a_forward_pass_of_the_layers) {
  const training_job job{.model = gpt(24, 2048, 16, 51200), .global_batch = 4, .sequence = 2048};
  training_plan plan;
  plan.recompute = recomputation::full;
  const auto t = time_of(job, machine(1e15, endless), links(endless, endless), ideal(), plan);
  const double head = 4 * 3 * 2 * 2048.0 * 2048 * 51200 / 1e15;
  EXPECT_NEAR(t.recomputation_s, (t.product_s - head) / 3 + t.attention_s / 3.5, 1e-9);
}

TEST(step_time, divisions_outside_the_tables_follow_the_same_law) {
  const training_job job{.model = llama_70b(), .global_batch = 96, .sequence = 8192};
  const step_model model(job, machine(1e15, endless), links(endless, endless), ideal());
  training_plan one, three;
  three.micro_batch = 3;
  EXPECT_NEAR(model.time(three).product_s / model.time(one).product_s, 1, 1e-12);
  EXPECT_NEAR(model.time(three).attention_s / model.time(one).attention_s, 1, 1e-12);
}

TEST(step_time, small_products_are_less_efficient) {
  auto c = ideal();
  c.half_size = 1024;
  const training_job job{.model = gpt(1, 1024, 8, 1024), .global_batch = 1, .sequence = 1024};
  const auto ideal_s = time_of(job, machine(1e12, endless), links(1e9, 1e9), ideal(), {}).product_s;
  const auto real_s = time_of(job, machine(1e12, endless), links(1e9, 1e9), c, {}).product_s;
  EXPECT_GT(real_s, 1.6 * ideal_s);
  EXPECT_LE(real_s, 2 * ideal_s);
}

TEST(step_time, balanced_experts_cost_the_same_wherever_they_are) {
  const training_job job{.model = qwen3_30b_a3b(), .global_batch = 64, .sequence = 4096};
  const step_model model(job, machine(1e15, endless), links(450e9, 50e9), ideal());
  training_plan together, spread;
  together.layout.data = spread.layout.data = 16;
  spread.layout.expert = 16;
  const auto a = model.time(together), b = model.time(spread);
  EXPECT_NEAR(a.product_s, b.product_s, 1e-9 * a.product_s);
  EXPECT_EQ(a.expert_exposed_s, 0);
  // Dispatch and combine, forward and backward, of 8 rows per token; 15 of 16 leave, 8 of 16 leave the node.
  const double rows = 4096.0 * 8 * 2048 * 2;
  EXPECT_GE(b.expert_exposed_s, 48 * 4 * 4 * rows * 8 / 16 / 50e9);
  EXPECT_LE(b.expert_exposed_s, 48 * 4 * 4 * rows * 16 / 16 / 50e9);
}

TEST(step_time, gradients_hide_behind_the_passes_but_for_the_last_bucket) {
  const training_job job{.model = llama_70b(), .global_batch = 64, .sequence = 8192};
  auto c = ideal();
  training_plan plan;
  plan.layout = {.tensor = 8, .data = 16};
  const double open = time_of(job, machine(1e15, 3e12), links(450e9, 50e9), c, plan).data_exposed_s;
  c.data_overlap = 1;
  const double hidden = time_of(job, machine(1e15, 3e12), links(450e9, 50e9), c, plan).data_exposed_s;
  EXPECT_LT(hidden, open);
  EXPECT_GE(hidden, open / 80 * 0.99);
  plan.overlap_data_parallel = false;
  EXPECT_DOUBLE_EQ(time_of(job, machine(1e15, 3e12), links(450e9, 50e9), c, plan).data_exposed_s, open);
  plan.shard = sharding::weights;
  EXPECT_GT(time_of(job, machine(1e15, 3e12), links(450e9, 50e9), ideal(), plan).data_exposed_s, open);
}

TEST(step_time, the_slowest_of_many_is_waited_for) {
  auto c = ideal();
  c.straggler_sigma = 0.01;
  training_plan plan;
  plan.layout.data = 1024;
  const training_job job{.model = llama_70b(), .global_batch = 1024, .sequence = 8192};
  const auto t = time_of(job, machine(1e15, 3e12), links(450e9, 50e9), c, plan);
  EXPECT_NEAR(t.straggler_s / (t.total_s - t.straggler_s), 0.01 * std::sqrt(2 * std::log(1024.0)), 1e-12);
}

TEST(step_time, explains_what_it_says) {
  const training_job job{
      .model = llama_405b(), .global_batch = 1152, .sequence = 8192, .compute_type = "fp8"};
  const auto h100 = *accelerator_named(hardware::catalogue::embedded(), "H100 SXM");
  const step_model model(job, h100, usual_interconnect(h100), training_coefficients_of(h100));
  training_plan plan;
  plan.layout = {.tensor = 8, .pipeline = 8, .virtual_pipeline = 8, .context = 2, .data = 4};
  const auto all = model.explain(plan);
  const auto t = model.time(plan);
  double parts = 0;
  for (const auto& f : all) {
    EXPECT_FALSE(f.label.empty()) << f.id;
    if (f.unit == "s" && f.id != "step_s") parts += f.value;
    EXPECT_TRUE(f.basis != basis::fitted || f.source.find("MLPerf") != std::string::npos) << f.id;
  }
  EXPECT_NEAR(parts, t.total_s, 1e-9);
  ASSERT_NE(find(all, "step_s"), nullptr);
  EXPECT_EQ(find(all, "step_s")->value, t.total_s);
  EXPECT_GT(find(all, "step_s")->relative_band, 0);
  EXPECT_EQ(find(all, "micro_batches")->value, 288);
  EXPECT_EQ(find(all, "gpus")->value, 512);
}

TEST(step_time, is_less_sure_with_experts) {
  const auto h100 = *accelerator_named(hardware::catalogue::embedded(), "H100 SXM");
  const auto band = [&](const model_shape& m) {
    const step_model model({.model = m, .global_batch = 64, .sequence = 4096}, h100, usual_interconnect(h100),
                           training_coefficients_of(h100));
    return find(model.explain({}), "step_s")->relative_band;
  };
  EXPECT_GE(band(qwen3_30b_a3b()), 0.4);
  EXPECT_LE(band(llama_70b()), 0.2);
}

}  // namespace
}  // namespace ridge::plan::train
