// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/search.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>

#include "train/plan_ranking.hpp"

namespace ridge::plan::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model_shape dense(int layers, int heads, int kv_heads) {
  model_shape m{.name = "dense", .hidden = heads * 128, .vocabulary = 32000};
  m.kinds.push_back(
      {.attention = {.heads = heads, .kv_heads = kv_heads, .head_dim = 128, .value_head_dim = 128},
       .feed_forward = {.intermediate = heads * 512}});
  m.order.assign(static_cast<std::size_t>(layers), 0);
  return m;
}

model_shape with_experts(int layers, int experts) {
  auto m = dense(layers, 32, 8);
  m.kinds[0].feed_forward = {.experts = experts, .active_experts = 2, .expert_intermediate = 1024};
  return m;
}

// Models that can be computed by hand: states divided by shards, activations by micro-batch; time is work
// divided by GPUs with a bubble and a cost of communication.
class hand_models final : public plan_models {
 public:
  explicit hand_models(double batch) : batch_(batch) {}
  [[nodiscard]] double memory_bytes(const training_plan& p) const override {
    const auto& l = p.layout;
    const double cut = l.tensor * l.pipeline * std::sqrt(l.expert);
    const double states = p.shard == sharding::weights ? 1000 / cut / l.data
                          : p.shard == sharding::none  ? 1000 / cut
                                                       : 300 / cut + 700 / cut / l.data;
    const double kept = p.recompute == recomputation::full        ? 1
                        : p.recompute == recomputation::selective ? 5
                                                                  : 8;
    return states + kept * p.micro_batch / l.tensor / l.context + 2.0 * l.virtual_pipeline;
  }
  [[nodiscard]] double step_s(const training_plan& p) const override {
    const auto& l = p.layout;
    const double m = batch_ / (l.data * p.micro_batch);
    const double bubble = (l.pipeline - 1.0) / (m * l.virtual_pipeline);
    const double again = p.recompute == recomputation::full        ? 4
                         : p.recompute == recomputation::selective ? 3.2
                                                                   : 3;
    const double toll = 1 + 0.05 * std::log2(l.tensor) + 0.02 * std::log2(l.context) +
                        (p.shard == sharding::weights ? 0.1 : 0) + 0.3 / p.micro_batch + 0.01 * l.expert;
    return again * toll * (1 + bubble) * 1000 / static_cast<double>(l.gpus());
  }

 private:
  double batch_;
};

search_request request(model_shape model, std::int64_t batch, std::vector<std::int64_t> gpus, double memory) {
  search_request r;
  r.job = {.model = std::move(model), .global_batch = batch, .sequence = 4096};
  r.gpus = std::move(gpus);
  r.memory_bytes = memory;
  r.threads = 1;
  return r;
}

search_result run(const search_request& r, const search_progress& progress = {}) {
  const hand_models models(static_cast<double>(r.job.global_batch));
  const plan_models* const one[] = {&models};
  const auto axes = axes_of(r.job, r.space);
  EXPECT_TRUE(axes.ok()) << (axes.ok() ? "" : axes.why().text());
  return search(r, *axes, one, progress);
}

// Every plan of a small space by plain nested loops over all numbers, judged by check_layout.
std::vector<scored_plan> by_brute_force(const search_request& r) {
  const hand_models models(static_cast<double>(r.job.global_batch));
  std::vector<scored_plan> all;
  const int most = static_cast<int>(r.gpus.front());
  for (int t = 1; t <= std::min(most, 8); t *= 2)
    for (int p = 1; p <= most / t; ++p)
      for (int v = 1; v <= 16; ++v)
        for (const int c : {1, 2, 4})
          for (int d = 1; d * t * p * c <= most; ++d)
            for (int e = 1; e <= 8; ++e)
              for (const int et : t > 1 ? std::vector<int>{1, t} : std::vector<int>{1})
                for (const int b : {1, 2, 4, 8})
                  for (int z = 0; z < 4; ++z)
                    for (int re = 0; re < 3; ++re) {
                      const training_plan plan{.layout = {.tensor = t,
                                                          .pipeline = p,
                                                          .virtual_pipeline = v,
                                                          .context = c,
                                                          .data = d,
                                                          .expert = e,
                                                          .expert_tensor = et},
                                               .micro_batch = b,
                                               .recompute = static_cast<recomputation>(re),
                                               .shard = static_cast<sharding>(z)};
                      if (d * 2 <= most / (t * p * c)) continue;
                      if (z > 0 && d * c == 1) continue;
                      if (r.job.global_batch % (d * b) != 0) continue;
                      if (v > 1 && r.job.global_batch / (d * b) % p != 0) continue;
                      if (!check_layout(r.job.model, plan.layout).ok()) continue;
                      const double bytes = models.memory_bytes(plan);
                      if (bytes > r.memory_bytes) continue;
                      all.push_back({plan, 0, most, models.step_s(plan), bytes});
                    }
  return all;
}

bool beats(const scored_plan& a, const scored_plan& b) {
  const bool no_worse = a.step_s <= b.step_s && a.memory_bytes <= b.memory_bytes && a.gpus <= b.gpus;
  return no_worse && (a.step_s < b.step_s || a.memory_bytes < b.memory_bytes || a.gpus < b.gpus);
}

void expect_same_as_brute_force(const search_request& r) {
  const auto all = by_brute_force(r);
  const auto found = run(r);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(found.timed, std::ssize(all));
  const auto fastest = std::ranges::min_element(all, {}, &scored_plan::step_s);
  EXPECT_DOUBLE_EQ(found.best.front().step_s, fastest->step_s);
  for (const auto& f : found.front) {
    EXPECT_TRUE(std::ranges::none_of(all, [&](const auto& a) { return beats(a, f); }));
  }
  const auto on_front = [&](const scored_plan& a) {
    return std::ranges::any_of(
        found.front, [&](const auto& f) { return f.step_s == a.step_s && f.memory_bytes == a.memory_bytes; });
  };
  for (const auto& a : all) {
    EXPECT_TRUE(on_front(a) || std::ranges::any_of(all, [&](const auto& b) { return beats(b, a); }));
  }
}

TEST(search, finds_what_nested_loops_find) {
  expect_same_as_brute_force(request(dense(12, 32, 8), 48, {16}, 90));
  expect_same_as_brute_force(request(dense(14, 32, 8), 60, {24}, 120));
}

TEST(search, finds_what_nested_loops_find_with_experts) {
  expect_same_as_brute_force(request(with_experts(8, 8), 32, {16}, 100));
  expect_same_as_brute_force(request(with_experts(6, 6), 36, {12}, 100));
}

TEST(search, is_the_same_for_any_number_of_threads) {
  auto r = request(dense(96, 96, 8), 1536, {192, 384, 1000}, 20);
  const auto one = run(r);
  ASSERT_GT(one.best.size(), 1U);
  for (const int threads : {2, 3, 7}) {
    r.threads = threads;
    const auto many = run(r);
    EXPECT_EQ(many.best, one.best);
    EXPECT_EQ(many.front, one.front);
    EXPECT_EQ(many.evaluated, one.evaluated);
    EXPECT_EQ(many.least_memory, one.least_memory);
    EXPECT_THAT(many.rejected, testing::ElementsAreArray(one.rejected));
  }
}

TEST(search, counts_every_plan_once) {
  const auto r = request(dense(24, 32, 8), 64, {32}, 60);
  const auto found = run(r);
  EXPECT_EQ(found.evaluated, found.timed + found.rejected[static_cast<std::size_t>(rejection::memory)]);
  EXPECT_GT(found.rejected[static_cast<std::size_t>(rejection::memory)], 0);
}

TEST(search, offers_each_layout_and_micro_batch_once) {
  const auto found = run(request(dense(24, 32, 8), 64, {32}, 200));
  ASSERT_EQ(found.best.size(), 10U);
  for (std::size_t i = 0; i < found.best.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto &a = found.best[i].plan, &b = found.best[j].plan;
      EXPECT_FALSE(a.layout == b.layout && a.micro_batch == b.micro_batch);
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(found.best, {}, &scored_plan::step_s));
}

TEST(search, says_what_is_needed_where_nothing_fits) {
  const auto found = run(request(dense(24, 32, 8), 64, {4}, 1));
  EXPECT_TRUE(found.best.empty());
  EXPECT_TRUE(found.front.empty());
  EXPECT_GT(found.least_memory_bytes, 1);
  EXPECT_EQ(found.least_memory.recompute, recomputation::full);
}

TEST(search, uses_counts_that_are_no_power_of_two) {
  const auto found = run(request(dense(126, 128, 8), 1216, {2432}, 30));
  ASSERT_FALSE(found.best.empty());
  EXPECT_EQ(found.best.front().plan.layout.gpus(), 2432);
}

TEST(search, leaves_gpus_idle_where_nothing_divides) {
  const auto found = run(request(dense(32, 32, 8), 64, {13}, 2000));
  ASSERT_FALSE(found.best.empty());
  EXPECT_LE(found.best.front().plan.layout.gpus(), 13);
  EXPECT_EQ(found.best.front().gpus, 13);
}

TEST(search, answers_for_one_gpu_and_for_131072) {
  EXPECT_EQ(run(request(dense(32, 32, 8), 64, {1}, 2000)).best.front().plan.layout.gpus(), 1);
  const auto many = run(request(dense(128, 128, 8), 16384, {131072}, 2000));
  EXPECT_EQ(many.best.front().plan.layout.gpus(), 131072);
}

TEST(search, prefers_by_the_objective) {
  auto r = request(dense(24, 32, 8), 64, {8, 32}, 400);
  r.objective = objective::time;
  EXPECT_EQ(run(r).best.front().gpus, 32);
  r.objective = objective::cost;
  r.dollars_per_gpu_hour = 2;
  const auto cheap = run(r).best.front();
  EXPECT_EQ(cheap.gpus, 8);
  EXPECT_NEAR(score(cheap, r), cheap.step_s * 8 * 2 / 3600, 1e-12);
  r.objective = objective::memory;
  const auto found = run(r);
  EXPECT_DOUBLE_EQ(found.best.front().memory_bytes, found.least_memory_bytes);
}

TEST(search, keeps_what_was_finished_when_stopped) {
  auto r = request(dense(24, 32, 8), 64, {32}, 400);
  int told = 0;
  const auto found = run(r, [&](double) { return ++told < 10; });
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(told, 10);
  EXPECT_GT(found.evaluated, 0);
  EXPECT_LT(found.evaluated, run(r).evaluated);
  EXPECT_FALSE(found.best.empty());
}

TEST(search, tells_of_its_progress) {
  double last = 0;
  run(request(dense(24, 32, 8), 64, {32}, 400), [&](double share) {
    EXPECT_GT(share, last);
    last = share;
    return true;
  });
  EXPECT_EQ(last, 1);
}

TEST(search, asks_each_precision) {
  const hand_models slow(64), same(64);
  class quick_models final : public plan_models {
   public:
    [[nodiscard]] double memory_bytes(const training_plan&) const override { return 1; }
    [[nodiscard]] double step_s(const training_plan&) const override { return 1e-3; }
  } quick;
  const auto r = request(dense(24, 32, 8), 64, {32}, 400);
  const plan_models* const both[] = {&slow, &quick};
  EXPECT_EQ(search(r, *axes_of(r.job, r.space), both).best.front().precision, 1);
  const plan_models* const alike[] = {&slow, &same};
  EXPECT_EQ(search(r, *axes_of(r.job, r.space), alike).best.front().precision, 0);
}

TEST(plan_front, keeps_only_what_is_not_beaten) {
  plan_front front;
  const auto offer = [&](double s, double bytes, int tensor) {
    front.offer(
        {.score = s, .scored = {.plan = {.layout = {.tensor = tensor}}, .step_s = s, .memory_bytes = bytes}});
  };
  offer(3, 3, 1);
  offer(1, 9, 1);
  offer(2, 9, 1);  // beaten by 1, 9
  offer(5, 1, 1);
  offer(3, 4, 1);  // beaten by 3, 3
  offer(3, 2, 1);  // beats 3, 3
  offer(5, 1, 2);  // equal, but less simple
  std::vector<double> times;
  for (const auto& p : front.all()) times.push_back(p.scored.step_s);
  EXPECT_THAT(times, ElementsAre(1, 3, 5));
  EXPECT_EQ(front.all()[1].scored.memory_bytes, 2);
  EXPECT_EQ(front.all()[2].scored.plan.layout.tensor, 1);
}

TEST(undominated, drops_what_fewer_gpus_do_as_well) {
  const auto at = [](std::int64_t gpus, double s, double bytes) {
    return ranked_plan{.score = s, .scored = {.gpus = gpus, .step_s = s, .memory_bytes = bytes}};
  };
  const auto left = undominated({at(16, 2, 5), at(8, 2, 5), at(16, 1, 5), at(8, 4, 1), at(16, 4, 1)});
  ASSERT_EQ(left.size(), 3U);
  EXPECT_EQ(left[0].gpus, 8);
  EXPECT_EQ(left[1].gpus, 8);
  EXPECT_EQ(left[2].step_s, 1);
}

}  // namespace
}  // namespace ridge::plan::train
