// SPDX-License-Identifier: Apache-2.0
// Properties of every workload and setting: no request is lost, and results depend neither on fast-forward
// nor on how time is sliced.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "engine_fixture.hpp"

namespace ridge::plan::serve {
namespace {

const bent_timer bent_steps;

class adapters_by_number final : public adapter_timer {
 public:
  [[nodiscard]] double seconds(std::int64_t tokens, std::int64_t adapters) const override {
    return 1e-5 * static_cast<double>(tokens) + 1e-3 * static_cast<double>(adapters);
  }
};

struct workload_shape {
  std::uint32_t requests = 150;
  double mean_gap_s = 0.05;
  bool prefixes = true;
};

request_table random_table(std::uint64_t seed, const workload_shape& shape) {
  std::mt19937_64 random{seed};
  std::exponential_distribution<double> gap{1 / shape.mean_gap_s};
  std::uniform_int_distribution<std::uint32_t> input{1, 150}, output{1, 120}, family{1, 6};
  std::uniform_int_distribution<int> priority{0, 3};
  constexpr std::uint32_t block = 8;
  request_table table{shape.prefixes ? block : 0};
  double at_s = 0;
  for (std::uint32_t r = 0; r < shape.requests; ++r) {
    at_s += gap(random);
    const auto tokens = input(random);
    std::vector<std::uint64_t> ids;
    const auto of_family = family(random);
    const auto shared = family(random) * 2;
    for (std::uint32_t b = 0; shape.prefixes && b < tokens / block; ++b) {
      ids.push_back(b < shared ? of_family * 1000 + b : 100'000 + std::uint64_t{r} * 1000 + b);
    }
    table.add({.arrival_s = at_s,
               .input_tokens = tokens,
               .output_tokens = output(random),
               .priority = static_cast<std::int8_t>(priority(random)),
               .adapter = static_cast<std::uint32_t>(of_family)},
              ids);
  }
  return table;
}

std::vector<engine_settings> many_settings() {
  std::vector<engine_settings> all;
  for (const auto scheduler :
       {scheduler_kind::vllm_v1, scheduler_kind::sglang, scheduler_kind::trtllm_inflight,
        scheduler_kind::trtllm_no_evict, scheduler_kind::static_batching}) {
    for (const bool caching : {false, true}) {
      for (const bool async : {false, true}) {
        for (const std::uint32_t blocks : {40U, 400U}) {
          all.push_back({.scheduler = scheduler,
                         .max_batched_tokens = 64,
                         .max_sequences = 12,
                         .block_size = 8,
                         .blocks = blocks,
                         .prefix_caching = caching,
                         .async_scheduling = async,
                         .host_s = async ? 0.0072 : 0.0004,
                         .cuda_graph_sizes = {1, 2, 4, 8, 16}});
        }
      }
    }
  }
  auto more = all.front();
  more.priorities = true;
  all.push_back(more);
  more = all[1];
  more.max_batched_tokens = 6;  // fewer than sequences: some decodes have to wait
  more.long_prefill_tokens = 3;
  all.push_back(more);
  more = all[3];
  more.speculative = {.tokens = 2, .acceptance = 0.6};
  all.push_back(more);
  more = all[6];
  more.host = {.blocks = 30, .read_bytes_per_s = 4e4};
  more.disk = {.blocks = 60, .read_bytes_per_s = 1e4};
  more.kv_bytes_per_token = 10;
  all.push_back(more);
  for (const auto i : {3U, 4U, 9U}) {
    more = all[i];
    more.adapters = {.slots = 2, .load_s = 0.01, .timer = std::make_shared<adapters_by_number>()};
    all.push_back(more);
  }
  for (const auto i : {1U, 3U, 7U, 12U}) {
    more = all[i];
    more.front_end_s = 0.004, more.request_s = 0.03;
    all.push_back(more);
  }
  return all;
}

std::string describe(const engine_settings& s) {
  return std::string{name_of(s.scheduler)} + (s.prefix_caching ? " caching" : "") +
         (s.async_scheduling ? " async" : "") + (s.adapters.slots > 0 ? " adapters" : "") +
         (s.front_end_s > 0 ? " front end" : "") + " blocks " + std::to_string(s.blocks) + " budget " +
         std::to_string(s.max_batched_tokens);
}

void expect_same(const engine& a, const engine& b) {
  ASSERT_EQ(a.events().size(), b.events().size());
  for (std::size_t i = 0; i < a.events().size(); ++i) {
    ASSERT_EQ(a.events()[i].id, b.events()[i].id) << i;
    ASSERT_EQ(a.events()[i].kind, b.events()[i].kind) << i;
    ASSERT_EQ(a.events()[i].at_s, b.events()[i].at_s) << i;  // to the last bit
  }
  EXPECT_EQ(a.counts().steps, b.counts().steps);
  EXPECT_EQ(a.counts().prefill_tokens, b.counts().prefill_tokens);
  EXPECT_EQ(a.counts().decode_tokens, b.counts().decode_tokens);
  EXPECT_EQ(a.counts().prompt_hits, b.counts().prompt_hits);
  EXPECT_EQ(a.counts().busy_s, b.counts().busy_s);
  EXPECT_EQ(a.load().free_blocks, b.load().free_blocks);
}

std::uint64_t sum_of(const request_table& table, std::uint32_t (request_table::*what)(request_id) const) {
  std::uint64_t all = 0;
  for (request_id r = 0; r < table.size(); ++r) {
    all += (table.*what)(r);
  }
  return all;
}

// Events come once each and in order: the first token not after the last, and no token before the arrival.
void expect_all_served(const engine& e, const request_table& table) {
  std::map<std::pair<request_id, engine_event_kind>, int> told;
  double last_s = 0;
  for (const auto& event : e.events()) {
    EXPECT_GE(event.at_s, last_s);
    EXPECT_GT(event.at_s, table.arrival_s(event.id));
    last_s = event.at_s;
    ++told[{event.id, event.kind}];
  }
  for (request_id r = 0; r < table.size(); ++r) {
    EXPECT_EQ((told[{r, engine_event_kind::first_token}]), 1) << r;
    EXPECT_EQ((told[{r, engine_event_kind::finished}]), 1) << r;
    EXPECT_LE(time_of(e.events(), r, engine_event_kind::first_token),
              time_of(e.events(), r, engine_event_kind::finished));
  }
}

TEST(engine_properties, every_request_is_served_once_and_all_blocks_come_back) {
  const auto table = random_table(1, {});
  for (const auto& s : many_settings()) {
    SCOPED_TRACE(describe(s));
    const auto e = played(s, bent_steps, table);
    expect_all_served(e, table);
    EXPECT_EQ(e.load().free_blocks, s.blocks);
    EXPECT_EQ(e.load().running + e.load().waiting, 0U);
    EXPECT_EQ(e.load().queued_tokens, 0U);
    EXPECT_EQ(e.load().context_tokens, 0U);
  }
}

TEST(engine_properties, tokens_are_computed_once_and_again_exactly_when_preempted) {
  bool preempted = false, undisturbed = false;
  for (const auto& s : many_settings()) {
    if (s.prefix_caching) {
      continue;
    }
    SCOPED_TRACE(describe(s));
    const auto table = random_table(2, {.prefixes = false});
    const auto c = played(s, bent_steps, table).counts();
    const auto inputs = sum_of(table, &request_table::input_tokens);
    const auto outputs = sum_of(table, &request_table::output_tokens);
    if (c.preemptions == 0) {
      undisturbed = true;
      EXPECT_EQ(c.prefill_tokens, inputs);
      if (s.scheduler != scheduler_kind::static_batching) {
        EXPECT_EQ(c.decode_tokens, outputs - table.size());
      }
    } else {
      preempted = true;
      EXPECT_GT(c.prefill_tokens, inputs);
      EXPECT_LE(c.decode_tokens, outputs - table.size());
      EXPECT_GE(c.decode_tokens + c.preemptions,
                outputs - table.size());  // each may give one token as a prompt
    }
  }
  EXPECT_TRUE(preempted && undisturbed);
}

TEST(engine_properties, fast_forward_equals_one_step_at_a_time) {
  for (const auto& shape :
       {workload_shape{}, workload_shape{.mean_gap_s = 0.8}, workload_shape{.prefixes = false}}) {
    const auto table = random_table(3, shape);
    for (auto s : many_settings()) {
      SCOPED_TRACE(describe(s));
      const auto fast = played(s, bent_steps, table);
      s.fast_forward = false;
      expect_same(fast, played(s, bent_steps, table));
    }
  }
}

TEST(engine_properties, results_do_not_depend_on_how_time_is_sliced) {
  const auto table = random_table(4, {});
  for (const auto& s : many_settings()) {
    SCOPED_TRACE(describe(s));
    std::mt19937_64 random{5};
    std::exponential_distribution<double> slice{1 / 0.01};
    engine sliced{s, bent_steps, table};
    double now_s = 0;
    for (request_id r = 0; r < table.size(); ++r) {
      for (now_s += slice(random); now_s < table.arrival_s(r); now_s += slice(random)) {
        sliced.advance(now_s);
      }
      now_s = table.arrival_s(r);
      sliced.submit(r, now_s);
    }
    for (int i = 0; i < 20'000 && !sliced.idle(); ++i) {
      now_s += slice(random);
      sliced.advance(now_s);
    }
    EXPECT_TRUE(sliced.idle());
    expect_same(sliced, played(s, bent_steps, table));
  }
}

TEST(engine_properties, no_event_comes_before_the_instant_it_was_announced_for) {
  const auto table = random_table(6, {});
  for (const auto& s : many_settings()) {
    SCOPED_TRACE(describe(s));
    engine led{s, bent_steps, table};
    for (request_id r = 0; r < table.size();) {
      const auto next_s = led.next_s();
      if (table.arrival_s(r) <= next_s) {
        led.submit(r, table.arrival_s(r));
        ++r;
        continue;
      }
      const auto before = led.events().size();
      led.advance(std::nextafter(next_s, 0.0));
      ASSERT_EQ(led.events().size(), before);
      led.advance(next_s);
    }
    while (led.next_s() < engine::never_s) {
      led.advance(led.next_s());
    }
    EXPECT_TRUE(led.idle());
    expect_same(led, played(s, bent_steps, table));
  }
}

// Blocks of prompts that share nothing are counted; with keys that are all different, the results are the
// same.
TEST(engine_properties, counting_blocks_equals_naming_them) {
  for (const std::uint64_t seed : {8U, 9U}) {
    const auto counted = random_table(seed, {.prefixes = false});
    request_table named{8};
    for (request_id r = 0; r < counted.size(); ++r) {
      named.add({.arrival_s = counted.arrival_s(r),
                 .input_tokens = counted.input_tokens(r),
                 .output_tokens = counted.output_tokens(r),
                 .priority = counted.priority(r),
                 .adapter = counted.adapter(r)});
    }
    for (const auto& s : many_settings()) {
      SCOPED_TRACE(describe(s));
      expect_same(played(s, bent_steps, counted), played(s, bent_steps, named));
    }
  }
}

// Steps of one sequence: the times are sums of the timer's seconds.
TEST(engine_properties, a_lone_request_takes_the_sum_of_its_steps) {
  request_table table;
  constexpr std::uint32_t inputs = 100, outputs = 4000;
  table.add({.input_tokens = inputs, .output_tokens = outputs});
  const auto e = played({.blocks = 1000, .prefix_caching = false}, bent_steps, table);
  iteration i{.prefill_tokens = inputs, .prefill_sequences = 1, .prefill_pairs = inputs * (inputs + 1) / 2.0};
  auto sum_s = bent_steps.seconds(i);
  for (std::uint32_t t = 1; t < outputs; ++t) {
    sum_s += bent_steps.seconds({.decode_sequences = 1, .decode_tokens = 1, .decode_context = inputs + t});
  }
  EXPECT_NEAR(time_of(e.events(), 0, engine_event_kind::finished), sum_s, 1e-9 * sum_s);
  EXPECT_NEAR(e.counts().busy_s, sum_s, 1e-9 * sum_s);
}

TEST(engine_properties, more_blocks_never_preempt_more) {
  const auto table = random_table(7, {.requests = 80, .prefixes = false});
  auto preempted = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint32_t blocks : {40U, 80U, 160U, 400U}) {
    const auto now = played({.max_sequences = 12, .block_size = 8, .blocks = blocks, .prefix_caching = false},
                            bent_steps, table)
                         .counts()
                         .preemptions;
    EXPECT_LE(now, preempted);
    preempted = now;
  }
  EXPECT_EQ(preempted, 0U);
}

}  // namespace
}  // namespace ridge::plan::serve
