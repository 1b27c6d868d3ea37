// SPDX-License-Identifier: Apache-2.0
// Profiles that a formula made: with points left out, with ranks that exchange, and with values that cannot
// be.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/kernels/layer_profile.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/counted_random.hpp>
#include <ridge/plan/serve/replica_plan.hpp>

namespace ridge::plan::kernels {
namespace {

using serve::iteration;
using testing::AllOf;
using testing::HasSubstr;

constexpr double microsecond = 1e-6;
constexpr std::int64_t formula_layers = 4;

// Microseconds of one layer's attention for a prompt chunk beside equal decodes.
double attention_us(double chunk, double context, double decodes, double decode_context) {
  const auto prompt = 0.0004 * chunk * (context + (chunk + 1) / 2) + 0.01 * chunk;
  return 6 + prompt + 0.2 * decodes + 0.0009 * decodes * decode_context;
}
double dense_us(double tokens) { return 5 + 0.05 * tokens; }
double head_us(double sequences) { return 50 + 0.5 * sequences; }
double experts_us(double experts, double tokens) { return 20 + 3 * experts + 0.04 * tokens; }

std::vector<double> doubling(double first, double last) {
  std::vector<double> all;
  for (auto v = first; v <= last; v *= 2) all.push_back(v);
  return all;
}

std::vector<double> with_zero(std::vector<double> values) {
  values.insert(values.begin(), 0);
  return values;
}

struct attention_point {
  double chunk = 0, context = 0, decodes = 0, decode_context = 0;
};

std::vector<attention_point> all_points() {
  std::vector<attention_point> all;
  for (const auto c : with_zero(doubling(16, 2048)))
    for (const auto k : c > 0 ? with_zero(doubling(64, 16384)) : std::vector<double>{0})
      for (const auto n : with_zero(doubling(1, 256)))
        for (const auto d : n > 0 ? doubling(16, 16384) : std::vector<double>{0})
          if (c + n > 0) all.push_back({c, k, n, d});
  return all;
}

// A step of equal decodes beside one prompt.
iteration step_at(const attention_point& p) {
  iteration i{.prefill_tokens = std::llround(p.chunk),
              .prefill_sequences = p.chunk > 0 ? 1 : 0,
              .prefill_context = std::llround(p.context),
              .prefill_pairs = p.chunk * (p.context + (p.chunk + 1) / 2),
              .decode_sequences = std::llround(p.decodes),
              .decode_tokens = std::llround(p.decodes),
              .decode_context = std::llround(p.decodes * p.decode_context)};
  i.sampled = i.decode_sequences;
  return i;
}

double formula_s(const attention_point& p) {
  const auto head = p.decodes > 0 ? head_us(p.decodes) : 0;
  return microsecond * (static_cast<double>(formula_layers) *
                            (dense_us(p.chunk + p.decodes) +
                             attention_us(p.chunk, p.context, p.decodes, p.decode_context)) +
                        head);
}

class stacked_profile : public testing::Test {
 protected:
  using keeps = std::function<bool(const attention_point&)>;

  void SetUp() override {
    std::filesystem::create_directories(folder);
    write("meta.yaml", "gpu: NVIDIA GeForce RTX 4090\n");
    write("dense.csv", "layer,tokens,time_us\n" + lines("qkv_proj", with_zero(doubling(1, 4096)), dense_us) +
                           "o_proj,0,0\no_proj,4096,0\n");
    write("per_sequence.csv", "layer,sequences,time_us\n" + lines("lm_head", doubling(1, 256), head_us));
    write_attention([](const attention_point&) { return true; });
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream{folder / name} << text; }
  static std::string lines(const std::string& layer, const std::vector<double>& counts, double (*f)(double)) {
    std::string text;
    for (const auto count : counts) text += fmt::format("{},{},{}\n", layer, count, f(count));
    return text;
  }
  void write_attention(const keeps& kept) const {
    std::string text = "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n";
    for (const auto& p : all_points())
      if (kept(p))
        text += fmt::format("{},{},{},{},{}\n", p.chunk, p.context, p.decodes, p.decode_context,
                            attention_us(p.chunk, p.context, p.decodes, p.decode_context));
    write("attention.csv", text);
  }
  void write_experts(bool divided) const {
    std::string text =
        divided ? "ep,tokens,activated_experts,time_us\n" : "tokens,activated_experts,time_us\n";
    for (const auto e : divided ? std::vector<double>{1, 2} : std::vector<double>{1})
      for (const auto experts : doubling(1, 32 / e))
        for (const auto tokens : doubling(1, 4096))
          text += (divided ? fmt::format("{},", e) : "") +
                  fmt::format("{},{},{}\n", tokens, experts, experts_us(experts, tokens / e));
    write("moe.csv", text);
  }

  [[nodiscard]] timed_layers stacked(const parallel_layout& layout = {}, bool experts = false) const {
    profile_question q{.folder = folder, .shape = shape, .layout = layout, .gpu = gpu};
    if (experts) q.shape.experts = 32, q.shape.active_experts = 4;
    auto made = stack_layers(q);
    EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
    return made ? std::move(*made) : timed_layers{};
  }
  [[nodiscard]] std::string refusal() const {
    const auto made = stack_layers({.folder = folder, .shape = shape});
    return made ? "" : made.why().text();
  }
  // The greatest relative error over all points that the condition chooses.
  [[nodiscard]] static double worst(const serve::iteration_timer& timer, const keeps& chosen) {
    double most = 0;
    for (const auto& p : all_points())
      if (chosen(p)) most = std::max(most, std::abs(timer.seconds(step_at(p)) / formula_s(p) - 1));
    return most;
  }

  profile_shape shape{.layers = formula_layers, .hidden = 4096, .vocabulary = 32000};
  accelerator gpu{.name = "RTX 4090",
                  .generation = "ada",
                  .bandwidth_bytes_per_s = 1e12,
                  .scale_up_bytes_per_s = 31e9,
                  .scale_up_size = 1,
                  .source = "test"};
  std::filesystem::path folder{std::filesystem::temp_directory_path() /
                               ("ridge_stacked_profile_" + std::to_string(getpid()))};
};

TEST_F(stacked_profile, a_whole_grid_is_its_formula_and_nothing_is_filled_in) {
  const auto made = stacked();
  EXPECT_LT(worst(*made.timer, [](const auto&) { return true; }), 1e-9);
  EXPECT_THAT(made.notes, testing::IsEmpty());
}

TEST_F(stacked_profile, between_the_points_it_is_within_two_percent_of_its_formula) {
  const auto made = stacked();
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto draw = [&](double most, std::uint64_t which) {
      return std::floor(std::exp2(std::log2(most) * serve::random_uniform(9, i, which)));
    };
    const attention_point p{15 + draw(2033, 0), draw(16384, 1), draw(256, 2), 15 + draw(16369, 3)};
    EXPECT_NEAR(made.timer->seconds(step_at(p)) / formula_s(p), 1, 0.02) << p.chunk << " " << p.context;
  }
}

TEST_F(stacked_profile, points_deleted_at_random_are_within_five_percent) {
  for (const std::uint64_t seed : {1U, 2U}) {
    std::uint64_t index = 0;
    write_attention([&](const attention_point&) { return serve::random_uniform(seed, ++index, 0) > 0.4; });
    const auto made = stacked();
    EXPECT_LT(worst(*made.timer, [](const auto&) { return true; }), 0.05) << seed;
    ASSERT_FALSE(made.notes.empty());
    EXPECT_THAT(made.notes.front(), HasSubstr("of 99 points of decoding sequences (throughout"));
  }
}

// What does not fit into memory, or is longer than the longest sequence.
TEST_F(stacked_profile, a_grid_cut_by_memory_is_continued) {
  write_attention([](const attention_point& p) {
    return p.decodes * p.decode_context + p.chunk + p.context <= 65536 && p.chunk + p.context <= 8192;
  });
  const auto made = stacked();
  EXPECT_LT(worst(*made.timer, [](const auto&) { return true; }), 0.05);
  EXPECT_THAT(made.notes.front(),
              AllOf(HasSubstr("(n_decode 8 to 256, kv_decode 512 to 16384; all beyond what was measured)")));
}

TEST_F(stacked_profile, steps_that_were_never_measured_together_cost_the_sum) {
  write_attention([](const attention_point& p) { return p.chunk == 0 || p.decodes == 0; });
  const auto made = stacked();
  const attention_point together{512, 1024, 16, 1024};
  const auto twice_s = static_cast<double>(formula_layers) * 6 * microsecond;  // both have the floor
  EXPECT_NEAR(made.timer->seconds(step_at(together)), formula_s(together) + twice_s, 1e-9);
}

TEST_F(stacked_profile, reads_the_later_layout_of_the_format) {
  std::string text = "layer,prefill_chunk,prefill_key,n_decode,kv_decode,decode_q_len,time_us\n";
  for (const auto& p : all_points()) {
    const auto key = p.chunk > 0 ? p.context + p.chunk / 2 : 0;
    const auto t = attention_us(p.chunk, p.context, p.decodes, p.decode_context);
    text += fmt::format("attention,{},{},{},{},1,{}\n", p.chunk, key, p.decodes, p.decode_context, t);
    if (p.decodes > 0)  // verified drafts: left out
      text += fmt::format("attention,{},{},{},{},4,{}\n", p.chunk, key, p.decodes, p.decode_context, 2 * t);
  }
  write("attention.csv", text);
  EXPECT_LT(worst(*stacked().timer, [](const auto&) { return true; }), 1e-9);
  write("attention.csv", text + "sliding,16,8,0,0,1,5\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("attention.csv: layer"), HasSubstr("\"sliding\"")));
}

TEST_F(stacked_profile, tensor_ranks_are_slower_by_their_collectives) {
  const auto one = stacked(), two = stacked({.tensor = 2});
  const attention_point p{0, 0, 64, 1024};
  const auto links = usual_interconnect(gpu);
  const auto rows = 64 * 2.0 * 4096;
  const auto expected =
      (2 * formula_layers + 1) * all_reduce_s(links, rows, 2) + all_gather_s(links, 64 * 2.0 * 32000, 2);
  EXPECT_NEAR(two.timer->seconds(step_at(p)) - one.timer->seconds(step_at(p)), expected, 1e-9);
  EXPECT_THAT(two.notes, testing::ElementsAre(AllOf(HasSubstr("collectives"), HasSubstr("PCIe"))));
  const auto line = two.timer->decode(64, 64 * 1024);
  EXPECT_NEAR(line.base_s + line.per_context_s * 64 * 1024, two.timer->seconds(step_at(p)), 1e-9);
}

TEST_F(stacked_profile, links_of_the_profile_come_before_the_catalogue) {
  const attention_point p{0, 0, 64, 1024};
  const auto none_s = stacked().timer->seconds(step_at(p));
  write("hardware.yaml",
        "hardware: X\ndefaults:\n  link_bw: 8  # GiB/s\n  link_latency: 5000\n"
        "  collective_links:\n    all_gather:\n      link_latency: 7000\n");
  const auto ring = [](double bytes) { return bytes / 2 / 8.0 / 1073741824; };
  const auto hardware_s =
      (2 * formula_layers + 1) * 2 * (5e-6 + ring(64 * 2.0 * 4096)) + 7e-6 + ring(64 * 2.0 * 32000);
  const auto by_hardware = stacked({.tensor = 2});
  EXPECT_NEAR(by_hardware.timer->seconds(step_at(p)) - none_s, hardware_s, 1e-9);
  EXPECT_THAT(by_hardware.notes.back(), HasSubstr("hardware.yaml"));
  write("collectives.csv", "collective,ranks,bytes,time_us\nall_reduce,2,1,10\nall_reduce,2,1000000,110\n");
  const auto measured_s =
      (2 * formula_layers + 1) * (10 + 100 * (64 * 2.0 * 4096 - 1) / 999999) * microsecond + 7e-6 +
      ring(64 * 2.0 * 32000);
  EXPECT_NEAR(stacked({.tensor = 2}).timer->seconds(step_at(p)) - none_s, measured_s, 1e-9);
}

TEST_F(stacked_profile, an_all_reduce_among_the_layers_is_the_one_that_counts) {
  write("dense.csv", "layer,tokens,time_us\n" + lines("qkv_proj", with_zero(doubling(1, 4096)), dense_us) +
                         "all_reduce,0,7\nall_reduce,4096,7\n");
  const attention_point p{512, 0, 0, 0};
  EXPECT_NEAR(stacked({.tensor = 2}).timer->seconds(step_at(p)),
              formula_s(p) + 2.0 * formula_layers * 7 * microsecond, 1e-9);
}

TEST_F(stacked_profile, a_replica_of_ranks_that_share_experts_is_one_engine) {
  write_experts(false);
  write("meta.yaml", "gpu: NVIDIA RTX PRO 6000 Blackwell Server Edition\n");
  serve::replica_question q{.model = *model_named("Qwen/Qwen3-30B-A3B"),
                            .gpu = *accelerator_named(hardware::catalogue::embedded(), "RTX PRO 6000"),
                            .layout = {.data = 2},
                            .settings = {.max_batched_tokens = 2048, .max_sequences = 128},
                            .profile = folder};
  const auto apart = serve::plan_replica(q);
  ASSERT_TRUE(apart.ok()) << apart.why().text();
  EXPECT_EQ(apart->pool.replicas, 2);
  EXPECT_EQ(apart->pool.gpus, 1);
  q.layout.expert = 2;
  const auto together = serve::plan_replica(q);
  ASSERT_TRUE(together.ok()) << together.why().text();
  const auto& engine = together->pool.engine;
  EXPECT_EQ(together->pool.replicas, 1);
  EXPECT_EQ(together->pool.gpus, 2);
  EXPECT_EQ(engine.max_sequences, 256U);
  EXPECT_EQ(engine.max_batched_tokens, 4096U);
  EXPECT_EQ(engine.long_prefill_tokens, 2048U);             // of one prompt, which one rank computes
  EXPECT_GT(engine.blocks, 2 * apart->pool.engine.blocks);  // each holds half of the experts
  EXPECT_THAT(together->times, HasSubstr("collectives"));
}

TEST_F(stacked_profile, ranks_that_share_experts_step_together) {
  write_experts(false);
  const parallel_layout shared{.data = 2, .expert = 2};
  EXPECT_EQ(ranks_together({.layers = 1, .active_experts = 4, .experts = 32}, shared), 2);
  EXPECT_EQ(ranks_together({.layers = 1, .active_experts = 4, .experts = 32}, {.data = 2}), 1);
  EXPECT_EQ(ranks_together({.layers = 1}, shared), 1);
  const auto one = stacked({}, true), two = stacked(shared, true);
  const auto seconds = [](const timed_layers& made, double decodes) {
    return made.timer->seconds(step_at({0, 0, decodes, 1024}));
  };
  EXPECT_LT(seconds(two, 128), seconds(one, 128));  // half of the sequences and of the experts each
  EXPECT_GT(seconds(two, 128), seconds(one, 64));   // the experts of all, the imbalance, the exchange
  EXPECT_GT(seconds(two, 1), seconds(one, 1));      // nothing to divide: the exchange alone
  // The 33 sequences of one rank set the step, though the other has 32.
  const auto of_one_more = [&](double n) { return seconds(two, n + 1) - seconds(two, n); };
  EXPECT_GT(of_one_more(64), 2 * of_one_more(65));
  const auto line = two.timer->decode(65, 65 * 1024);
  EXPECT_NEAR(line.base_s + line.per_context_s * 65 * 1024, seconds(two, 65), 1e-9);
}

TEST_F(stacked_profile, experts_measured_divided_are_taken_so) {
  write_experts(true);
  const auto two = stacked({.data = 2, .expert = 2}, true);
  const auto undivided = [&] {
    write_experts(false);
    return stacked({.data = 2, .expert = 2}, true);
  }();
  const auto at = step_at({0, 0, 128, 1024});
  EXPECT_NEAR(two.timer->seconds(at) / undivided.timer->seconds(at), 1, 0.02);
}

TEST_F(stacked_profile, a_pipeline_divides_a_step_into_micro_batches) {
  const auto one = stacked(), two = stacked({.pipeline = 2});
  EXPECT_LT(two.timer->seconds(step_at({0, 0, 64, 1024})), one.timer->seconds(step_at({0, 0, 64, 1024})));
  EXPECT_GT(two.timer->seconds(step_at({0, 0, 1, 1024})), one.timer->seconds(step_at({0, 0, 1, 1024})));
}

TEST_F(stacked_profile, too_little_is_refused_by_file_and_column) {
  write_attention([](const attention_point& p) { return p.decodes <= 1; });
  EXPECT_THAT(refusal(), AllOf(HasSubstr("attention.csv: n_decode: 1 of at least 2")));
  write_attention([](const attention_point& p) { return p.chunk == 0; });
  EXPECT_THAT(refusal(), HasSubstr("attention.csv: prefill_chunk: 0 of at least 2"));
  write_attention([](const attention_point& p) { return p.context == 0; });
  EXPECT_THAT(refusal(), HasSubstr("attention.csv: kv_prefill: 1 of at least 2"));
  write_attention([](const attention_point& p) { return p.decodes > 0; });
  EXPECT_THAT(
      refusal(),
      HasSubstr("attention.csv: prefill_chunk: 0 of at least 2 values were measured of prompts alone"));
  write_attention([](const attention_point& p) { return p.chunk > 0; });
  EXPECT_THAT(
      refusal(),
      HasSubstr("attention.csv: n_decode: 0 of at least 2 values were measured of decoding sequences alone"));
  write("dense.csv", "layer,tokens,time_us\nqkv_proj,1,5\nact_fn,1,5\nact_fn,2,5\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("dense.csv: tokens: 1 of at least 2"), HasSubstr("qkv_proj")));
}

TEST_F(stacked_profile, values_that_cannot_be_are_refused_by_line_and_column) {
  const std::string header = "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n";
  const auto refused = [&](const std::string& row) {
    write("attention.csv", header + "0,0,1,16,10\n" + row + "\n");
    return refusal();
  };
  EXPECT_THAT(refused("0,0,1,32,nan"), HasSubstr("line 3: time_us: \"nan\" is not a number"));
  EXPECT_THAT(refused("0,0,1,32,-5"), HasSubstr("line 3: time_us: -5 is not between"));
  EXPECT_THAT(refused("0,0,1,32,1e300"), HasSubstr("line 3: time_us: 1e+300 is not between"));
  EXPECT_THAT(refused("0,0,-1,32,5"), HasSubstr("line 3: n_decode: -1"));
  EXPECT_THAT(refused("0,0,1,1e18,5"), HasSubstr("line 3: kv_decode: 1e+18"));
  EXPECT_THAT(refused("0,0,1,32"), HasSubstr("line 3: 4 cells"));
  write("attention.csv", "prefill_chunk,kv_prefill,n_decode,time_us\n0,0,1,5\n");
  EXPECT_THAT(refusal(), HasSubstr("no column \"kv_decode\""));
  std::string scattered = header;
  for (int i = 1; i <= 60; ++i) scattered += fmt::format("{},{},0,0,5\n0,0,{},{},5\n", i, i, i, i);
  write("attention.csv", scattered);
  EXPECT_THAT(refusal(), HasSubstr("more than 2^18 points"));
  write("dense.csv", "layer,tokens,time_us\nqkv_proj,1,5\nqkv_proj,1e15,5\n");
  EXPECT_THAT(refusal(), HasSubstr("line 3: tokens: 1e+15"));
}

TEST_F(stacked_profile, links_that_cannot_be_are_refused) {
  const auto refused = [&] {
    const auto made = stack_layers({.folder = folder, .shape = shape, .layout = {.tensor = 2}, .gpu = gpu});
    return made ? "" : made.why().text();
  };
  write("hardware.yaml", "defaults:\n  link_bw: -3\n  link_latency: 5\n");
  EXPECT_THAT(refused(),
              AllOf(HasSubstr("hardware.yaml"), HasSubstr("defaults/link_bw"), HasSubstr("\"-3\"")));
  write("hardware.yaml", "measured: null\ndefaults:\n  link_bw: null\n");
  EXPECT_EQ(refused(), "");
  write("collectives.csv", "collective,ranks,bytes,time_us\nbroadcast,2,1,10\n");
  EXPECT_THAT(refused(), AllOf(HasSubstr("collectives.csv: collective"), HasSubstr("broadcast")));
  write("collectives.csv", "collective,ranks,bytes,time_us\nall_reduce,2,1,10\n");
  EXPECT_THAT(refused(), HasSubstr("collectives.csv: bytes: 1 of at least 2"));
}

}  // namespace
}  // namespace ridge::plan::kernels
