// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

struct admitted {
  std::size_t requests = 0, within = 0;
  [[nodiscard]] double share() const { return static_cast<double>(within) / static_cast<double>(requests); }
};

constexpr double limit_s = 0.5;

admitted served(const workload& w, const engine_settings& engine, int replicas = 1, double slowness = 1) {
  cluster_settings s;
  auto& pool = s.pools.emplace_back();
  pool.name = "p";
  pool.replicas = replicas;
  pool.engine = engine;
  // 20 ms, 25 us a prompt token, 50 us a decoded one, 1 ns a token of context.
  pool.timer =
      std::make_shared<linear_timer>(0.02 * slowness, 25e-6 * slowness, 50e-6 * slowness, 1e-9 * slowness);
  s.admission.ttft_limit_s = limit_s;
  const auto run = simulate_cluster(s, w);
  EXPECT_TRUE(run.ok());
  admitted all;
  for (const auto& r : run->requests) {
    if (r.ended != outcome::finished) continue;
    ++all.requests;
    all.within += r.ttft_s() <= limit_s ? 1U : 0U;
  }
  return all;
}

workload load(double rate, const std::string& prompt, const std::string& output, double burstiness = 1) {
  return *generate_workload({.requests = 4000,
                             .process = burstiness == 1 ? arrival_process::poisson : arrival_process::gamma,
                             .rate = rate,
                             .burstiness = burstiness,
                             .prompt = *parse_lengths(prompt),
                             .output = *parse_lengths(output)});
}

// Each load is more than is served, so that every admission is near the limit.
TEST(EarlyRejection, AlmostAllThatAreAdmittedMeetTheLimit) {
  const engine_settings wide{.max_batched_tokens = 8192, .blocks = 40000},
      scarce{.max_batched_tokens = 8192, .blocks = 6000}, narrow{.max_sequences = 32, .blocks = 40000};
  auto sglang = wide;
  sglang.scheduler = scheduler_kind::sglang;
  auto eager = wide;
  eager.async_scheduling = true;
  auto behind = wide;  // of a front end as slow as the fitted ones
  behind.front_end_s = 0.003, behind.request_s = 0.03;
  const auto equal = load(60, "2000", "300"), spread = load(60, "lognormal:2000:2000", "lognormal:300:300"),
             bursts = load(60, "lognormal:1000:2000", "lognormal:300:300", 0.2),
             chat = load(100, "200", "1000");
  const std::pair<const char*, admitted> cases[] = {{"equal", served(equal, wide)},
                                                    {"spread", served(spread, wide)},
                                                    {"bursts", served(bursts, wide)},
                                                    {"two replicas", served(bursts, wide, 2)},
                                                    {"few blocks", served(spread, scarce)},
                                                    {"long answers", served(chat, scarce)},
                                                    {"few sequences", served(chat, narrow)},
                                                    {"sglang", served(spread, sglang)},
                                                    {"front end", served(spread, behind)},
                                                    {"asynchronous", served(spread, eager)},
                                                    {"slow", served(load(20, "1000", "500"), scarce, 1, 3)}};
  for (const auto& [name, all] : cases) {
    EXPECT_GE(all.requests, 60U) << name;
    EXPECT_GE(all.share(), 0.95) << name;
  }
}

TEST(EarlyRejection, AnIdleReplicaTurnsNobodyAway) {
  const auto w = load(1, "2000", "50");
  EXPECT_EQ(served(w, {.max_batched_tokens = 8192, .blocks = 40000}).requests, w.requests.size());
}

}  // namespace
}  // namespace ridge::plan::serve
