// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/serve/counted_random.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

using testing::HasSubstr;

std::shared_ptr<const iteration_timer> timer(double step, double prefill_token, double decode_sequence = 0,
                                             double context = 0) {
  return std::make_shared<linear_timer>(step, prefill_token, decode_sequence, context);
}

replica_pool pool(std::shared_ptr<const iteration_timer> t, int replicas = 1, engine_settings e = {}) {
  if (e.blocks == 0) e.blocks = 100000;
  return {.name = "pool", .replicas = replicas, .engine = e, .timer = std::move(t)};
}

workload requests(std::vector<workload_request> all) {
  workload w;
  w.requests = std::move(all);
  return w;
}

cluster_run run(const cluster_settings& s, const workload& w) {
  auto r = simulate_cluster(s, w);
  EXPECT_TRUE(r.ok()) << r.why().text();
  return std::move(*r);
}

double mean_queue_s(const cluster_run& r) {
  double sum = 0;
  for (const auto& one : r.requests) sum += one.queue_s();
  return sum / static_cast<double>(r.requests.size());
}

// One at a time, a prompt and one token: a queue with one server.
cluster_settings one_server() { return {.pools = {pool(timer(0, 1e-3), 1, {.max_sequences = 1})}}; }

// Engines that compute many steps at once and start the next at once, against those woken for every step.
TEST(Cluster, SkippingAheadEqualsStepByStep) {
  const auto w = generate_workload(
      {.requests = 1500, .rate = 12, .prompt = {.mean = 300}, .output = {.mean = 90}, .seed = 3});
  for (const bool waits : {false, true}) {
    engine_settings e{.max_batched_tokens = 400, .max_sequences = 16, .blocks = waits ? 300U : 100000U};
    e.front_end_s = 2e-3, e.request_s = 0.02;
    const auto t = timer(5e-3, 2e-5, 1e-4, 1e-7);
    const auto skipping = run({.pools = {pool(t, 3, e)}}, *w);
    e.fast_forward = false;
    const auto stepping = run({.pools = {pool(t, 3, e)}}, *w);
    ASSERT_EQ(skipping.requests.size(), stepping.requests.size());
    for (std::size_t r = 0; r < skipping.requests.size(); ++r) {
      ASSERT_EQ(skipping.requests[r].first_token_s, stepping.requests[r].first_token_s) << r;
      ASSERT_EQ(skipping.requests[r].last_token_s, stepping.requests[r].last_token_s) << r;
      ASSERT_EQ(skipping.requests[r].replica, stepping.requests[r].replica) << r;
      ASSERT_EQ(skipping.requests[r].preemptions, stepping.requests[r].preemptions) << r;
    }
    for (std::size_t i = 0; i < skipping.replicas.size(); ++i)
      EXPECT_EQ(skipping.replicas[i].steps, stepping.replicas[i].steps);
    EXPECT_EQ(skipping.gaps.count(), stepping.gaps.count());
  }
}

TEST(Cluster, WaitsAsPollaczekAndKhinchineSay) {
  // M/D/1, service 0.1 s, load 0.7: W = 0.7 · 0.1/(2 · 0.3). Of 200 000 waits the mean's standard error is
  // about a percent (they depend on each other).
  const auto w = generate_workload(
      {.requests = 200000, .rate = 7, .prompt = {.mean = 100}, .output = {.mean = 1}, .seed = 11});
  const auto fixed = run(one_server(), *w);
  EXPECT_NEAR(mean_queue_s(fixed), 0.7 * 0.1 / (2 * 0.3), 0.04 * 0.1167);
}

TEST(Cluster, WaitsAsMm1Says) {
  // Exponential service of mean 1 s in thousandths, load 0.6: W = 0.6/(1 - 0.6).
  auto w = generate_workload({.requests = 200000, .rate = 0.6, .output = {.mean = 1}, .seed = 12});
  for (std::size_t i = 0; i < w->requests.size(); ++i)
    w->requests[i].prompt_tokens = 1 + static_cast<std::uint32_t>(1000 * random_exponential(5, i, 1));
  auto s = one_server();
  s.pools[0].engine.max_batched_tokens = 1U << 20U;
  EXPECT_NEAR(mean_queue_s(run(s, *w)), 1.5, 0.05 * 1.5);
}

TEST(Cluster, AHandCanFollowTwoRequests) {
  // Steps of 10 ms plus 1 ms per prompt token; 16 tokens per step at most.
  const auto w = requests({{.arrival_s = 0, .prompt_tokens = 10, .output_tokens = 3},
                           {.arrival_s = 0.005, .prompt_tokens = 20, .output_tokens = 2}});
  const auto r = run({.pools = {pool(timer(0.010, 0.001), 1, {.max_batched_tokens = 16})}}, w);
  // 0..20 ms: prompt of the first. 20..45: its decode and 15 of 20 tokens. 45..60: its last, and 5 tokens:
  // first token of the second at 60. 60..70: decode.
  EXPECT_NEAR(r.requests[0].first_token_s, 0.020, 1e-12);
  EXPECT_NEAR(r.requests[0].last_token_s, 0.060, 1e-12);
  EXPECT_NEAR(r.requests[1].scheduled_s, 0.020, 1e-12);
  EXPECT_NEAR(r.requests[1].ttft_s(), 0.055, 1e-12);
  EXPECT_NEAR(r.requests[1].last_token_s, 0.070, 1e-12);
  EXPECT_NEAR(r.requests[0].tpot_s(), 0.020, 1e-12);
  EXPECT_EQ(r.gaps.count(), 3);
  EXPECT_NEAR(r.gaps.mean_s(), (0.025 + 0.015 + 0.010) / 3, 1e-12);
  EXPECT_NEAR(r.replicas[0].busy_s, 0.070, 1e-12);
}

TEST(Cluster, AClosedLoopKeepsItsClientsBusy) {
  // Each of 3 clients: prompt step and no decode: 0.1 s of service, one at a time.
  auto w = generate_workload({.requests = 90, .clients = 3, .prompt = {.mean = 100}, .output = {.mean = 1}});
  const auto r = run(one_server(), *w);
  EXPECT_NEAR(r.end_s, 9.0, 1e-9);
  for (std::size_t i = 3; i < 90; ++i) EXPECT_NEAR(r.requests[i].e2e_s(), 0.3, 1e-9);
  const auto s = summarize(*w, r, {});
  EXPECT_FALSE(s.saturated.saturated);
  EXPECT_NEAR(s.requests_per_s, 10, 1e-9);
}

TEST(Cluster, ATurnComesWhenTheOneBeforeHasEnded) {
  const auto w = requests({{.arrival_s = 0, .prompt_tokens = 100, .output_tokens = 1},
                           {.arrival_s = 2, .prompt_tokens = 100, .output_tokens = 1, .follows = 0},
                           {.arrival_s = 0.5, .prompt_tokens = 100, .output_tokens = 1, .follows = 1}});
  const auto r = run(one_server(), w);
  EXPECT_NEAR(r.requests[1].arrival_s, 2.1, 1e-12);
  EXPECT_NEAR(r.requests[2].arrival_s, 2.7, 1e-12);
  EXPECT_NEAR(r.requests[2].last_token_s, 2.8, 1e-12);
}

workload poisson(std::int64_t n, double rate, std::uint64_t seed = 1) {
  return *generate_workload({.requests = n,
                             .rate = rate,
                             .prompt = *parse_lengths("lognormal:300:200"),
                             .output = *parse_lengths("lognormal:60:40"),
                             .seed = seed});
}

TEST(Cluster, EveryRouterServesEveryRequestOnce) {
  const auto w = poisson(2000, 20);
  for (const auto kind :
       {router_kind::random, router_kind::round_robin, router_kind::shortest_queue, router_kind::power_of_two,
        router_kind::least_kv, router_kind::prefix, router_kind::session, router_kind::earliest_deadline}) {
    const auto r = run({.pools = {pool(timer(0.01, 1e-4, 1e-4), 4)}, .router = {.kind = kind}}, w);
    std::int64_t tokens = 0, asked = 0, done = 0;
    for (const auto& one : r.requests) {
      EXPECT_EQ(one.ended, outcome::finished);
      asked += one.prompt_tokens;
    }
    for (const auto& u : r.replicas) tokens += u.prefill_tokens, done += u.requests;
    EXPECT_EQ(tokens, asked) << name_of(kind);
    EXPECT_EQ(done, 2000);
  }
}

TEST(Cluster, ShorterQueuesWaitLess) {
  // One request at a time at 80 % load: with random routing requests wait as in single queues, with the
  // shortest queue hardly at all.
  auto w = generate_workload({.requests = 40000, .rate = 32, .prompt = {.mean = 100}, .output = {.mean = 1}});
  const auto wait = [&](router_kind kind) {
    return mean_queue_s(
        run({.pools = {pool(timer(0, 1e-3), 4, {.max_sequences = 1})}, .router = {.kind = kind}}, *w));
  };
  const double random = wait(router_kind::random), two = wait(router_kind::power_of_two),
               shortest = wait(router_kind::shortest_queue);
  EXPECT_NEAR(random, 0.2, 0.02);  // M/D/1 at 0.8: 0.8 · 0.1/(2 · 0.2)
  EXPECT_LT(two, random / 2);
  EXPECT_LT(shortest, two);
}

TEST(Cluster, PrefixRoutingFindsWhatAReplicaHasCached) {
  auto w = *generate_workload({.requests = 3000,
                               .rate = 10,
                               .prompt = {.mean = 256},
                               .output = {.mean = 32},
                               .sessions = {.turns = 6, .pause_s = 3},
                               .seed = 6});
  const auto hits = [&](router_kind kind) {
    const auto r = run({.pools = {pool(timer(0.005, 1e-5, 1e-5), 8)}, .router = {.kind = kind}}, w);
    return summarize(w, r, {}).prefix_hit_rate;
  };
  const double blind = hits(router_kind::round_robin), aware = hits(router_kind::prefix),
               session = hits(router_kind::session);
  EXPECT_GT(aware, 1.5 * blind);
  EXPECT_GT(session, aware);  // the prefix router also considers the load
}

TEST(Cluster, TheTokenBucketLetsItsRateThrough) {
  auto w = generate_workload({.requests = 4000, .rate = 40, .prompt = {.mean = 90}, .output = {.mean = 10}});
  cluster_settings s{.pools = {pool(timer(0.001, 1e-6), 1)}};
  s.admission = {.tokens_per_s = 1000, .bucket_tokens = 500};
  const auto sum = summarize(*w, run(s, *w), {});
  // Ten requests of 100 tokens per second, of forty.
  EXPECT_NEAR(static_cast<double>(sum.finished), 10 * w->span_s(), 15);
  EXPECT_EQ(sum.finished + sum.rejected, 4000);
}

TEST(Cluster, EarlyRejectionKeepsTheFirstTokenInTime) {
  const auto w = poisson(3000, 60);  // twice its capacity
  cluster_settings s{.pools = {pool(timer(0.005, 1e-4, 2e-5), 1)}};
  const auto limit = *parse_objectives("ttft<1s");
  const auto late = summarize(w, run(s, w), limit);
  s.admission.ttft_limit_s = 1;
  const auto early = summarize(w, run(s, w), limit);
  EXPECT_TRUE(late.saturated.saturated);
  EXPECT_GT(early.rejected, 0);
  EXPECT_LT(early.ttft.p99_s, 1.3);
  EXPECT_GT(early.goodput_requests_per_s, 2 * late.goodput_requests_per_s);
}

TEST(Cluster, EarliestDeadlinesGoFirst) {
  std::vector<workload_request> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back({.arrival_s = 0.001 * i,
                   .prompt_tokens = 100,
                   .output_tokens = 1,
                   .tenant = static_cast<std::uint16_t>(i % 2)});
  }
  auto s = one_server();
  s.pools[0].engine.max_batched_tokens = 100;
  s.router.kind = router_kind::earliest_deadline;
  s.deadline_s = {100, 1};
  const auto r = run(s, requests(all));
  double patient = 0, urgent = 0;
  for (std::size_t i = 2; i < 40; ++i) (i % 2 == 0 ? patient : urgent) += r.requests[i].ttft_s();
  EXPECT_LT(urgent * 2, patient);
}

TEST(Cluster, PrioritiesGoFirst) {
  std::vector<workload_request> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back({.arrival_s = 0.001 * i,
                   .prompt_tokens = 100,
                   .output_tokens = 1,
                   .priority = static_cast<std::int8_t>(i % 2 == 0 ? 5 : -5)});
  }
  auto s = one_server();
  s.pools[0].engine.priorities = true;
  const auto r = run(s, requests(all));
  EXPECT_LT(r.requests[39].last_token_s, r.requests[4].first_token_s);
}

TEST(Cluster, AFailedReplicasRequestsStartAgainElsewhere) {
  const auto w = poisson(4000, 10);
  cluster_settings s{.pools = {pool(timer(0.01, 1e-4, 1e-4), 3)}};
  s.router.kind = router_kind::shortest_queue;
  s.failures = {.mtbf_s = 60, .recovery_s = 10};
  const auto r = run(s, w);
  const auto sum = summarize(w, r, {});
  std::int64_t failures = 0, prefill = 0;
  for (const auto& u : r.replicas) failures += u.failures, prefill += u.prefill_tokens;
  // Each is up 60 s and down 10 s by turns for about 400 s: six failures each.
  EXPECT_NEAR(static_cast<double>(failures), 17, 12);
  EXPECT_EQ(sum.finished, 4000);
  EXPECT_GT(sum.restarts, 0);
  EXPECT_GT(prefill, sum.prompt_tokens);  // recomputed
  for (const auto& one : r.requests) EXPECT_GE(one.last_token_s, one.first_token_s);
}

TEST(Cluster, RequestsWaitWhereAllReplicasAreDown) {
  cluster_settings s{.pools = {pool(timer(0.01, 1e-4, 1e-4), 1)}};
  s.failures = {.mtbf_s = 20, .recovery_s = 30};
  const auto w = poisson(1000, 5);
  const auto sum = summarize(w, run(s, w), {});
  EXPECT_EQ(sum.finished, 1000);
  EXPECT_GT(sum.ttft.max_s, 10);
}

TEST(Cluster, TheAutoscalerFollowsTheLoadAndIsPaidForWhatItUses) {
  auto busy = poisson(6000, 30);
  auto quiet = poisson(200, 0.5, 2);
  const double shift = busy.span_s();
  for (auto r : quiet.requests) {
    r.arrival_s += shift;
    busy.requests.push_back(r);
  }
  cluster_settings s{.pools = {pool(timer(0.02, 1e-5, 5e-4), 1, {.max_sequences = 16})}};
  s.pools[0].usd_per_hour = 3600;
  s.router.kind = router_kind::shortest_queue;
  s.autoscaler = {
      .least = 1, .most = 8, .target = 0.7, .interval_s = 5, .warm_up_s = 20, .scale_down_delay_s = 30};
  const auto r = run(s, busy);
  double most = 0;
  for (const auto& p : r.timeline) most = std::max(most, p.replicas);
  EXPECT_GE(most, 3);
  EXPECT_EQ(r.timeline.back().replicas, 1);
  const auto sum = summarize(busy, r, {});
  EXPECT_EQ(sum.finished, 6200);
  double up = 0;
  for (const auto& u : r.replicas) up += u.up_s;
  EXPECT_NEAR(sum.cost_usd, up, 1e-6 * up);  // a dollar per second
  EXPECT_LT(up, 8 * r.end_s / 2);
  EXPECT_GT(up, r.end_s);
}

cluster_settings disaggregated(double link_bytes_per_s, int layers) {
  cluster_settings s;
  s.pools = {pool(timer(0, 1e-3), 2, {.role = engine_role::prefill}),
             pool(timer(0.01, 1e-3), 3, {.role = engine_role::decode})};
  s.router.kind = router_kind::shortest_queue;
  s.disaggregated = disaggregation_settings{
      .kv_bytes_per_token = 1000, .link_bytes_per_s = link_bytes_per_s, .layers = layers};
  return s;
}

TEST(Cluster, DisaggregationTakesEveryPromptAcrossOnce) {
  const auto w = poisson(1000, 2);
  const auto r = run(disaggregated(1e9, 10), w);
  double bytes = 0;
  std::int64_t prompts = 0, outputs = 0, prefilled = 0, decoded = 0, several = 0;
  for (const auto& one : r.requests) {
    EXPECT_EQ(one.ended, outcome::finished);
    prompts += one.prompt_tokens;
    outputs += one.output_tokens;
    if (one.output_tokens == 1) continue;
    ++several;
    bytes += 1000.0 * one.prompt_tokens;
    EXPECT_GE(one.replica, 2);
  }
  for (std::size_t i = 0; i < 2; ++i) prefilled += r.replicas[i].prefill_tokens;
  for (std::size_t i = 2; i < 5; ++i) decoded += r.replicas[i].decode_tokens + r.replicas[i].prefill_tokens;
  EXPECT_EQ(r.transfers, several);
  EXPECT_DOUBLE_EQ(r.transferred_bytes, bytes);
  EXPECT_EQ(prefilled, prompts);
  EXPECT_EQ(decoded, outputs - 1000);  // the first tokens came with the prompts
}

TEST(Cluster, ShortPromptsArePrefilledWhereTheyDecode) {
  const auto w = poisson(1000, 2);
  auto s = disaggregated(1e9, 10);
  s.disaggregated->remote_prefill_from = 250;
  const auto r = run(s, w);
  std::int64_t long_ones = 0, short_tokens = 0, long_tokens = 0, here = 0, there = 0;
  for (const auto& one : r.requests) {
    EXPECT_EQ(one.ended, outcome::finished);
    EXPECT_LE(one.first_token_s, one.last_token_s);
    const bool is_long = one.prompt_tokens >= 250;
    long_ones += is_long && one.output_tokens > 1 ? 1 : 0;
    (is_long ? long_tokens : short_tokens) += one.prompt_tokens;
  }
  for (std::size_t i = 0; i < 2; ++i) there += r.replicas[i].prefill_tokens;
  for (std::size_t i = 2; i < 5; ++i) here += r.replicas[i].prefill_tokens;
  EXPECT_EQ(r.transfers, long_ones);
  EXPECT_EQ(there, long_tokens);
  EXPECT_GE(here, short_tokens);  // and the last token of prompts that came
  EXPECT_LE(here, short_tokens + long_ones);
}

TEST(Cluster, TransfersHideBehindThePrefillLayerByLayer) {
  // A prompt of 100 tokens: 0.1 s of prefill, 100 kB, 0.05 s on the link.
  const auto w = requests({{.arrival_s = 0, .prompt_tokens = 100, .output_tokens = 3}});
  const auto late = run(disaggregated(2e6, 1), w);
  EXPECT_NEAR(late.exposed_transfer_s, 0.05, 1e-12);
  const auto hidden = run(disaggregated(2e6, 10), w);
  EXPECT_NEAR(hidden.exposed_transfer_s, 0.005, 1e-12);  // the last layer's tenth
  // Slower than the prefill: it starts with the first layer at 0.01 s and takes 0.2 s.
  const auto slow = run(disaggregated(5e5, 10), w);
  EXPECT_NEAR(slow.exposed_transfer_s, 0.01 + 0.2 - 0.1, 1e-12);
  EXPECT_NEAR(slow.requests[0].first_token_s, 0.1, 1e-12);
  EXPECT_GT(slow.requests[0].last_token_s, 0.21 + 0.02);
}

TEST(Cluster, TransfersQueueOnTheLink) {
  auto s = disaggregated(1e6, 1);
  s.pools[0].replicas = 1;
  s.pools[0].engine.max_sequences = 1;
  const auto w = requests({{.arrival_s = 0, .prompt_tokens = 100, .output_tokens = 3},
                           {.arrival_s = 0, .prompt_tokens = 50, .output_tokens = 3}});
  const auto r = run(s, w);
  // 0.1 s on the link from 0.1; the second is computed at 0.15 and waits until 0.2.
  EXPECT_NEAR(r.transfer_wait_s, 0.05, 1e-9);
}

TEST(Cluster, TheSameSettingsGiveTheSameBits) {
  const auto w = poisson(2000, 15);
  cluster_settings s{.pools = {pool(timer(0.01, 1e-4, 1e-4, 1e-8), 3)},
                     .router = {.kind = router_kind::power_of_two}};
  const auto a = run(s, w), b = run(s, w);
  for (std::size_t i = 0; i < a.requests.size(); ++i)
    EXPECT_EQ(a.requests[i].last_token_s, b.requests[i].last_token_s);
  for (auto& p : s.pools) p.engine.fast_forward = false;
  s.timeline_interval_s = 0.37;  // timeline points in between change nothing
  const auto c = run(s, w);
  for (std::size_t i = 0; i < a.requests.size(); ++i)
    EXPECT_EQ(a.requests[i].last_token_s, c.requests[i].last_token_s);
  EXPECT_EQ(a.gaps.count(), c.gaps.count());
  EXPECT_NEAR(a.gaps.mean_s(), c.gaps.mean_s(), 1e-9 * a.gaps.mean_s());
}

// All clients of a closed loop arrive at once, so that the span of the arrivals says nothing of the run's.
TEST(Cluster, TheTimelineOfAClosedLoopHasFewPoints) {
  auto w = poisson(2000, 15);
  w.clients = 16;
  const auto r = run({.pools = {pool(timer(0.01, 1e-4, 1e-4), 1)}}, w);
  ASSERT_GT(r.end_s, 10);
  EXPECT_LE(r.timeline.size(), 800U);
  EXPECT_GE(r.timeline.size(), 200U);
  for (std::size_t i = 1; i < r.timeline.size(); ++i)
    EXPECT_GT(r.timeline[i].t_s, r.timeline[i - 1].t_s) << i;
  EXPECT_GT(r.replicas[0].mean_kv_use, 0);
}

TEST(Cluster, GapsAreAllTokensButTheFirst) {
  const auto w = poisson(500, 5);
  const auto r = run({.pools = {pool(timer(0.01, 1e-4, 1e-4), 2)}}, w);
  std::int64_t gaps = 0;
  for (const auto& one : r.requests) gaps += one.output_tokens - 1;
  EXPECT_EQ(r.gaps.count(), gaps);
}

TEST(Cluster, PromptsThatNoCacheHoldsAreSaid) {
  const auto w = requests({{.arrival_s = 0, .prompt_tokens = 100, .output_tokens = 3},
                           {.arrival_s = 0, .prompt_tokens = 1000, .output_tokens = 3}});
  const auto r = run({.pools = {pool(timer(0.01, 1e-4), 1, {.blocks = 10})}}, w);
  EXPECT_EQ(r.requests[0].ended, outcome::finished);
  EXPECT_EQ(r.requests[1].ended, outcome::too_long);
}

TEST(Cluster, StopsWhenAskedWithWhatThereIs) {
  const auto w = poisson(20000, 20);
  cluster_settings s{.pools = {pool(timer(0.01, 1e-4, 1e-4), 1)}};
  s.watch = [](double done) { return done > 0.2; };
  const auto r = run(s, w);
  EXPECT_TRUE(r.stopped);
  const auto sum = summarize(w, r, {});
  EXPECT_GT(sum.finished, 4000);
  EXPECT_LT(sum.finished, 10000);
  EXPECT_GT(sum.unfinished, 0);
  EXPECT_GT(sum.ttft.p50_s, 0);
}

TEST(Cluster, RefusesWhatCannotRun) {
  const auto w = poisson(10, 1);
  EXPECT_THAT(simulate_cluster({}, w).why().message, HasSubstr("no pool of replicas"));
  EXPECT_THAT(simulate_cluster({.pools = {pool(timer(1, 1))}}, {}).why().message, HasSubstr("no requests"));
  EXPECT_THAT(simulate_cluster({.pools = {pool(timer(1, 1), 0)}}, w).why().message, HasSubstr("0 replicas"));
  EXPECT_THAT(simulate_cluster({.pools = {{.name = "x"}}}, w).why().message, HasSubstr("no timer"));
  auto s = disaggregated(1e9, 1);
  std::swap(s.pools[0], s.pools[1]);
  EXPECT_FALSE(simulate_cluster(s, w).ok());
  s.disaggregated.reset();
  EXPECT_FALSE(simulate_cluster(s, w).ok());
}

}  // namespace
}  // namespace ridge::plan::serve
