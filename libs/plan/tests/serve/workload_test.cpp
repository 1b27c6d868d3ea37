// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/serve/counted_random.hpp>
#include <ridge/plan/serve/workload.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

namespace ridge::plan::serve {
namespace {

workload generated(const generator_settings& settings) {
  auto w = generate_workload(settings);
  EXPECT_TRUE(w.ok()) << w.why().text();
  return std::move(*w);
}

std::vector<double> gaps_of(const workload& w) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < w.requests.size(); ++i)
    gaps.push_back(w.requests[i].arrival_s - w.requests[i - 1].arrival_s);
  return gaps;
}

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double variation_of(const std::vector<double>& x) {
  const double m = mean_of(x);
  double squares = 0;
  for (const double v : x) squares += (v - m) * (v - m);
  return std::sqrt(squares / static_cast<double>(x.size())) / m;
}

// 40 000 gaps: the standard error of the mean is half a percent.
constexpr std::int64_t many = 40000;

TEST(Generator, GapsHaveTheMeanAndVariationOfTheirProcess) {
  struct one {
    arrival_process process;
    double burstiness, variation;
  };
  const double weibull = std::sqrt(std::tgamma(1 + 2 / 0.7) / std::pow(std::tgamma(1 + 1 / 0.7), 2) - 1);
  for (const auto& c : {one{arrival_process::poisson, 1, 1}, one{arrival_process::gamma, 0.25, 2},
                        one{arrival_process::gamma, 4, 0.5}, one{arrival_process::weibull, 0.7, weibull},
                        one{arrival_process::constant, 1, 0}}) {
    const auto gaps = gaps_of(generated(
        {.requests = many, .process = c.process, .rate = 8, .burstiness = c.burstiness, .seed = 3}));
    EXPECT_NEAR(mean_of(gaps), 0.125, 0.125 * 0.04) << c.burstiness;
    EXPECT_NEAR(variation_of(gaps), c.variation, 0.03 + 0.03 * c.variation) << c.burstiness;
  }
}

TEST(Generator, ARequestAsksTheSameAtAnyRate) {
  const auto slow =
      generated({.requests = 500, .rate = 1, .prompt = *parse_lengths("lognormal:500:300"), .seed = 9});
  const auto fast =
      generated({.requests = 500, .rate = 10, .prompt = *parse_lengths("lognormal:500:300"), .seed = 9});
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(slow.requests[i].prompt_tokens, fast.requests[i].prompt_tokens);
    EXPECT_NEAR(slow.requests[i].arrival_s, 10 * fast.requests[i].arrival_s,
                1e-9 * slow.requests[i].arrival_s);
  }
  const auto other =
      generated({.requests = 500, .rate = 1, .prompt = *parse_lengths("lognormal:500:300"), .seed = 10});
  EXPECT_NE(slow.requests[7].prompt_tokens, other.requests[7].prompt_tokens);
}

TEST(Generator, LengthsFollowTheirDistribution) {
  const auto mean_length = [](const char* text) {
    const auto w = generated({.requests = many, .rate = 1, .prompt = *parse_lengths(text), .seed = 1});
    double sum = 0;
    for (const auto& r : w.requests) sum += r.prompt_tokens;
    return sum / static_cast<double>(many);
  };
  EXPECT_EQ(mean_length("512"), 512);
  EXPECT_NEAR(mean_length("uniform:100:900"), 500, 5);
  EXPECT_NEAR(mean_length("lognormal:512:256"), 512, 6);
  // Weight 1/x from 1 to 1000: the mean of the whole part of such a number.
  EXPECT_NEAR(mean_length("zipf:1:1000:1"), 1000 / std::log(1001.0) - 0.45, 4);
  for (const auto* bad :
       {"", "0", "-5", "uniform:5", "uniform:9:2", "normal:1:2", "lognormal:0:1", "zipf:0:5:1"})
    EXPECT_FALSE(parse_lengths(bad).ok()) << bad;
}

TEST(Generator, SessionsGrowAndShareWhatTheySaidBefore) {
  const auto w = generated({.requests = 4000,
                            .rate = 1,
                            .prompt = {.mean = 64},
                            .output = {.mean = 32},
                            .sessions = {.turns = 4, .pause_s = 10, .shared_tokens = 160},
                            .hash_tokens = 16,
                            .seed = 5});
  std::size_t follow = 0;
  double pauses = 0;
  for (const auto& r : w.requests) {
    EXPECT_EQ(r.hashes, (r.prompt_tokens + r.output_tokens) / 16);
    if (r.follows == no_request) {
      EXPECT_EQ(r.prompt_tokens, 160U + 64U);
      continue;
    }
    ++follow;
    pauses += r.arrival_s;
    const auto& before = w.requests[r.follows];
    EXPECT_EQ(before.session, r.session);
    EXPECT_EQ(r.prompt_tokens, before.prompt_tokens + before.output_tokens + 64);
    const auto a = w.hashes_of(before), b = w.hashes_of(r);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  }
  EXPECT_NEAR(static_cast<double>(follow) / 4000, 0.75, 0.02);  // three of four turns follow another
  EXPECT_NEAR(pauses / static_cast<double>(follow), 10, 0.6);
  const auto first = w.hashes_of(w.requests[0]);
  const auto other = std::ranges::find_if(w.requests, [&](const auto& r) { return r.session == 2; });
  EXPECT_EQ(first[9], w.hashes_of(*other)[9]);    // the system prompt: ten blocks
  EXPECT_NE(first[10], w.hashes_of(*other)[10]);  // after it each has its own
}

TEST(Generator, RefusesWhatCannotBe) {
  EXPECT_FALSE(generate_workload({.rate = 0}).ok());
  EXPECT_FALSE(generate_workload({.requests = 0}).ok());
  EXPECT_FALSE(generate_workload({.process = arrival_process::gamma, .burstiness = 0}).ok());
  EXPECT_FALSE(generate_workload({.sessions = {.turns = 0.5}}).ok());
  EXPECT_TRUE(generate_workload({.rate = 0, .clients = 4}).ok());
}

workload three() {
  workload w{.hashes = {1, 2, 3}, .hash_tokens = 4};
  w.requests = {
      {.arrival_s = 0, .prompt_tokens = 8, .output_tokens = 1, .session = 1, .first_hash = 0, .hashes = 2},
      {.arrival_s = 2, .prompt_tokens = 4, .output_tokens = 1, .session = 1, .first_hash = 2, .hashes = 1},
      {.arrival_s = 6, .prompt_tokens = 5, .output_tokens = 1}};
  return w;
}

TEST(Workload, RepeatsWithTheMeanGapBetweenAndNothingShared) {
  auto w = three();
  repeat(w, 3);
  ASSERT_EQ(w.requests.size(), 9U);
  EXPECT_DOUBLE_EQ(w.requests[3].arrival_s, 9);  // a span of 6, two gaps of 3 in it
  EXPECT_DOUBLE_EQ(w.requests[8].arrival_s, 24);
  EXPECT_EQ(w.requests[4].session, 2U);
  EXPECT_EQ(w.requests[5].session, 0U);
  EXPECT_EQ(count_sharing(table_of(w)).shared, 0U);
  EXPECT_DOUBLE_EQ(w.rate(), 8.0 / 24);
}

TEST(Workload, ScalesThinsAndLimits) {
  auto w = three();
  scale_rate(w, 2);
  EXPECT_DOUBLE_EQ(w.requests[2].arrival_s, 3);
  limit(w, 2);
  EXPECT_EQ(w.requests.size(), 2U);
  auto big = generated({.requests = many, .rate = 1, .seed = 2});
  thin(big, 0.25, 7);
  EXPECT_NEAR(static_cast<double>(big.requests.size()), many / 4.0, 5 * std::sqrt(many * 0.25 * 0.75));
  auto again = generated({.requests = many, .rate = 1, .seed = 2});
  thin(again, 0.25, 7);
  EXPECT_EQ(again.requests.size(), big.requests.size());
}

TEST(Workload, ThinningKeepsSessionsWhole) {
  const generator_settings with{.requests = 2000, .rate = 1, .sessions = {.turns = 5}, .seed = 4};
  auto w = generated(with);
  thin(w, 0.5, 1);
  for (const auto& r : w.requests) {
    if (r.follows != no_request) {
      EXPECT_EQ(w.requests[r.follows].session, r.session);
    }
  }
}

TEST(CountedRandom, NumbersOfDifferentPurposesDoNotCorrelate) {
  double xy = 0, xx = 0, yy = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double x = random_uniform(1, i, 1) - 0.5, y = random_uniform(1, i, 2) - 0.5;
    xy += x * y, xx += x * x, yy += y * y;
  }
  EXPECT_NEAR(xy / std::sqrt(xx * yy), 0, 4 / std::sqrt(20000.0));
  EXPECT_NEAR(xx / 20000, 1.0 / 12, 0.002);
}

}  // namespace
}  // namespace ridge::plan::serve
