// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

json answer_of(const scene& program, const std::string& words) {
  const auto seen = program.ridge("plan " + words + " --json");
  EXPECT_EQ(seen.code, 0) << words << '\n' << seen.err;
  return json::parse(seen.out, nullptr, false);
}

// Expects a refusal: its exit code, words that name what is wrong, and nothing on stdout.
void expect_refused(const scene& program, const std::string& words, const std::string& named, int code = 64) {
  const auto seen = program.ridge("plan " + words);
  EXPECT_EQ(seen.code, code) << words << '\n' << seen.out;
  EXPECT_THAT(seen.err, HasSubstr(named)) << words;
  EXPECT_EQ(seen.out, "") << words;
}

void write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(cli_plan, kv_cache_counts_key_and_value_heads) {
  const scene in;
  const auto a = answer_of(in, "kv-cache --model meta-llama/Llama-3.1-70B --tokens 1 --batch 1 --dtype fp16");
  EXPECT_EQ(a.at("schema"), "ridge.plan.kv-cache/1");
  EXPECT_EQ(a.at("bytes_per_token"), 2 * 80 * 8 * 128 * 2);
  EXPECT_EQ(a.at("total_bytes"), 327'680);
  EXPECT_EQ(answer_of(in, "kv-cache --model deepseek-ai/DeepSeek-V3 --tokens 1").at("bytes_per_token"),
            70'272);
  EXPECT_EQ(answer_of(in, "kv-cache --model meta-llama/Llama-3.1-405B --tokens 1").at("bytes_per_token"),
            516'096);
}

TEST(cli_plan, kv_cache_warns_where_heads_are_not_given_and_shows_both) {
  const scene in;
  const auto seen = in.ridge("plan kv-cache --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8");
  EXPECT_EQ(seen.code, 0);
  EXPECT_THAT(seen.out, AllOf(HasSubstr("40.00 GiB"), HasSubstr("5.000 GiB")));
  const auto a = answer_of(in, "kv-cache --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8");
  EXPECT_TRUE(a.contains("warning") || a.contains("warnings")) << a.dump().substr(0, 400);
}

TEST(cli_plan, every_figure_carries_formula_source_and_band) {
  const scene in;
  for (const auto* words :
       {"kv-cache --model llama-3.1-8b --gpu H100", "cost-per-token --avg-power 800 --throughput 1500",
        "parallelism --model llama-3.1-8b --gpu H100 --gpus 8",
        "memory train --model llama-3.1-8b --gpu H100 --dp 8 --sequence 4096",
        "scaling 1:10 2:19 4:35 8:60"}) {
    const auto a = answer_of(in, words);
    ASSERT_TRUE(a.contains("figures")) << words;
    ASSERT_FALSE(a.at("figures").empty()) << words;
    for (const auto& f : a.at("figures")) {
      EXPECT_TRUE(f.at("value").is_number()) << words << f.dump();
      EXPECT_NE(f.at("basis").get<std::string>(), "") << words << f.dump();
      EXPECT_LE(f.at("low").get<double>(), f.at("high").get<double>()) << words << f.dump();
    }
    EXPECT_THAT(in.ridge(std::string("plan ") + words + " --explain").out,
                HasSubstr("How each figure comes about"));
  }
}

// 0.8 J a token at PUE 1.5 and $0.16 a kWh.
TEST(cli_plan, cost_keeps_the_electricity_of_the_older_flags) {
  const scene in;
  const auto a = answer_of(in, "cost-per-token --avg-power 800 --throughput 1500 --electricity-cost 0.16");
  EXPECT_NEAR(a.at("electricity_usd_per_mtok").get<double>(), 800.0 / 1500 * 1.5 / 3.6e6 * 0.16 * 1e6, 1e-12);
  EXPECT_NEAR(a.at("joules_per_token").get<double>(), 0.8, 1e-12);
}

TEST(cli_plan, parallelism_says_what_it_evaluated) {
  const scene in;
  const auto a =
      answer_of(in, "parallelism --model meta-llama/Llama-3.1-405B --gpu H100 --gpus 16384 --top 3");
  EXPECT_GT(a.at("evaluated").get<std::int64_t>(), 1000);
  EXPECT_GT(a.at("wall_s").get<double>(), 0);
  ASSERT_EQ(a.at("plans").size(), 3);
  EXPECT_LE(a.at("plans")[0].at("step_s").get<double>(), a.at("plans")[1].at("step_s").get<double>());
}

TEST(cli_plan, parallelism_is_the_same_for_any_number_of_threads) {
  const scene in;
  const std::string words =
      "parallelism --model mistralai/Mixtral-8x7B-v0.1 --gpu H100 --gpus 64 --top 5 --threads ";
  const auto one = answer_of(in, words + "1").at("plans");
  EXPECT_EQ(one, answer_of(in, words + "3").at("plans"));
}

std::string trace_of(int requests) {
  std::string text = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  for (int i = 0; i < requests; ++i)
    text += fmt::format("2023-11-16 18:15:{:02}.{:07},{},{}\n", i / 20, i % 20 * 500'000, 200 + i % 7 * 100,
                        20 + i % 5 * 10);
  return text;
}

TEST(cli_plan, serve_gives_percentiles_that_are_the_same_every_time) {
  const scene in;
  write(in.folder() / "trace.csv", trace_of(400));
  const std::string words = "serve --trace trace.csv --model llama-3.1-8b --gpu H100";
  auto a = answer_of(in, words), b = answer_of(in, words);
  EXPECT_EQ(a.at("requests"), 400);
  for (const auto* metric : {"ttft_ms", "tpot_ms", "e2e_ms"}) {
    const auto& m = a.at(metric);
    EXPECT_GT(m.at("p50").get<double>(), 0) << metric;
    EXPECT_LE(m.at("p50").get<double>(), m.at("p99").get<double>()) << metric;
    EXPECT_EQ(m, b.at(metric)) << metric;
  }
  EXPECT_NEAR(a.at("ttft_p50_ms").get<double>(), a.at("ttft_ms").at("p50").get<double>(), 1e-9);
  EXPECT_GT(a.at("wall_s").get<double>(), 0);
  EXPECT_EQ(answer_of(in, words + " --repeat 3").at("requests"), 1200);
}

TEST(cli_plan, serve_writes_requests_and_a_trace_that_trace_reads) {
  const scene in;
  write(in.folder() / "trace.csv", trace_of(50));
  const auto seen = in.ridge(
      "plan serve --trace trace.csv --model llama-3.1-8b --gpu H100 --requests-out r.csv --chrome-trace "
      "t.json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto rows = contents(in.folder() / "r.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 51);
  EXPECT_EQ(in.ridge("trace t.json").code, 0);
}

TEST(cli_plan, whatif_names_what_would_have_to_give) {
  const scene in;
  const auto fits = answer_of(in, "whatif --model llama-3.1-8b --gpu H100 --vram 40 --latency 10s");
  EXPECT_GT(fits.at("fitting").get<int>(), 0);
  const auto none = in.ridge("plan whatif --model llama-3.1-405b --gpu L40S --vram 4");
  EXPECT_EQ(none.code, 4);
  EXPECT_THAT(none.out, HasSubstr("The least that would have to give"));
}

// The answer is printed, and the exit code says that it does not fit.
TEST(cli_plan, what_does_not_fit_has_an_exit_code_of_its_own) {
  const scene in;
  for (const auto* words : {"memory infer --model llama-3.1-405b --gpu H100",
                            "memory train --model llama-3.1-405b --gpu H100 --dp 8",
                            "parallelism --model llama-3.1-405b --gpu L4 --gpus 8",
                            "whatif --model llama-3.1-405b --gpu L40S --vram 4",
                            "whatif --model deepseek-ai/DeepSeek-V3 --gpu L4",
                            "cluster --model llama-3.1-405b --gpu L4 --rate 1"}) {
    const auto seen = in.ridge(std::string("plan ") + words);
    EXPECT_EQ(seen.code, 4) << words << '\n' << seen.out << seen.err;
    EXPECT_NE(seen.out, "") << words;
  }
  const auto serve = in.ridge("plan serve --model llama-3.1-405b --gpu H100 --rate 1");
  EXPECT_EQ(serve.code, 4) << serve.err;
  EXPECT_THAT(serve.err, HasSubstr("no room for a KV cache"));
  EXPECT_EQ(in.ridge("plan memory infer --model llama-3.1-8b --gpu H100").code, 0);
}

// Llama 3.1 405B as submitted to MLPerf Training 5.0 on 512 H100, without batch and sequence.
TEST(cli_plan, both_verbs_of_training_need_the_same_memory) {
  const scene in;
  const std::string job = " --model llama-3.1-405b --gpu H100 --dtype fp8";
  const auto one = answer_of(in, "memory train --tp 8 --pp 8 --vp 8 --cp 2 --dp 4" + job);
  const auto all = answer_of(
      in, "parallelism --fixed tp=8,pp=8,vp=8,cp=2,dp=4,mbs=1,zero=1,recompute=none --gpus 512" + job);
  EXPECT_NEAR(one.at("worst_rank_bytes").get<double>(),
              all.at("plans").at(0).at("memory_bytes").get<double>(), 1);
  EXPECT_EQ(one.at("memory_settings"), all.at("memory_settings"));
}

TEST(cli_plan, whatif_takes_vram_as_the_gpu_that_the_user_has) {
  const scene in;
  const auto a = answer_of(in, "whatif --model llama-3.1-8b --vram 24");
  ASSERT_FALSE(a.at("feasible").empty());
  for (const auto& row : a.at("feasible"))
    EXPECT_THAT(row.at("gpu").get<std::string>(),
                testing::AnyOf(HasSubstr("L4"), HasSubstr("4090"), HasSubstr("A10")));
  const auto none = in.ridge("plan whatif --model llama-3.1-8b --vram 12");
  EXPECT_EQ(none.code, 64);
  EXPECT_THAT(none.err, HasSubstr("--gpu"));
}

TEST(cli_plan, serve_prints_no_timeline_unless_asked) {
  const scene in;
  const std::string words =
      "plan serve --model llama-3.1-8b --gpu H100 --concurrency 16 --requests 320 --json";
  const auto seen = in.ridge(words);
  EXPECT_LT(seen.out.size(), 100'000U);
  const auto a = json::parse(seen.out, nullptr, false);
  EXPECT_FALSE(a.contains("timeline"));
  EXPECT_TRUE(a.at("saturated").is_null());
  EXPECT_THAT(a.at("saturation_evidence").get<std::string>(), HasSubstr("closed loop of 16"));
  const auto asked = json::parse(in.ridge(words + " --timeline").out, nullptr, false);
  EXPECT_LE(asked.at("timeline").size(), 800U);
  EXPECT_GT(asked.at("timeline").size(), 100U);
}

TEST(cli_plan, scaling_uses_the_law_that_predicts_points_left_out) {
  const scene in;
  const auto a = answer_of(in, "scaling 1:100 2:195 4:370 8:660 --at 64");
  EXPECT_EQ(a.at("law"), "USL");
  EXPECT_NEAR(a.at("predictions")[0].at("throughput").get<double>(), 1106, 1);
  EXPECT_THAT(in.ridge("plan scaling 1:100 2:195 4:370 8:660").out, HasSubstr("USL is chosen"));
}

TEST(cli_plan, bad_prices_are_bad_input_and_noise_is_not_echoed) {
  const scene in;
  write(in.folder() / "noise.csv", "a\x1b[2J\xff\x07,b\n1,2\n");
  expect_refused(in, "gpus --prices noise.csv", "AcceleratorName");
  expect_refused(in, "cost-per-token --gpu H100 --throughput 1 --prices noise.csv", "AcceleratorName");
  expect_refused(in, "serve --trace noise.csv --model llama-3.1-8b --gpu H100", "\\x1b[2J\\xff\\x07");
  expect_refused(in, "cost-per-token --gpu H100 --throughput 1 --own 30000 --spot", "--own and --spot");
}

TEST(cli_plan, stacking_and_power_and_gpus_answer) {
  const scene in;
  write(in.folder() / "gains.json", R"({"shares": {"launches": 0.5}, "holds": ["static_shapes"],
    "gains": [{"technique": "cuda_graphs", "phase": "launches", "ratio": 2}]})");
  EXPECT_NEAR(answer_of(in, "stacking gains.json").at("speedup").get<double>(), 1 / 0.75, 1e-12);
  EXPECT_GT(answer_of(in, "power --gpu H200 --memory-share 0.5").at("power_w").get<double>(), 200);
  EXPECT_THAT(in.ridge("plan gpus").out, AllOf(HasSubstr("H100"), HasSubstr("$3.50")));
  EXPECT_THAT(in.ridge("plan models").out, HasSubstr("DeepSeek-V3"));
}

TEST(cli_plan, an_answer_becomes_what_starts_it) {
  const scene in;
  const auto asked = in.ridge(
      "plan serve --model llama-3.1-8b --gpu H100 --tp 2 --kv-dtype fp8 --rate 2 --requests 20 --json");
  ASSERT_EQ(asked.code, 0) << asked.err;
  write(in.folder() / "answer.json", asked.out);
  EXPECT_THAT(in.ridge("plan deploy --from answer.json").out,
              AllOf(HasSubstr("exec vllm serve meta-llama/Llama-3.1-8B"),
                    HasSubstr("--tensor-parallel-size 2"), HasSubstr("--kv-cache-dtype fp8")));
  EXPECT_EQ(
      in.ridge("plan deploy --from answer.json --engine trtllm --format kubernetes --output it.yaml").code,
      0);
  EXPECT_TRUE(std::filesystem::exists(in.folder() / "it.yaml"));
  EXPECT_EQ(answer_of(in, "deploy --from answer.json --engine sglang --tp 4").at("gpus"), 4);
  expect_refused(in, "deploy --model llama-3.1-70b --gpu L40S", "leaves no room", 4);
  expect_refused(in, "deploy --model llama-3.1-8b --gpu H100 --failures 3600", "--failures");
  expect_refused(in, "deploy --from nowhere.json", "nowhere.json");
  expect_refused(in, "deploy --model llama-3.1-8b --gpu H100 --checkpoint=-x", "--checkpoint");
}

TEST(cli_plan, bad_input_is_refused_by_name) {
  const scene in;
  expect_refused(in, "kv-cache --model llama-3.1-71b", "llama-3.1-7");
  expect_refused(in, "kv-cache --model llama-3.1-8b --tokens -4", "tokens");
  expect_refused(in, "kv-cache --model llama-3.1-8b --dtype fp17", "fp17");
  expect_refused(in, "kv-cache --model llama-3.1-8b --config x.json", "--config");
  expect_refused(in, "memory train --model llama-3.1-8b --gpu H100 --tp 3", "3");
  expect_refused(in, "parallelism --model llama-3.1-8b --gpu H101 --gpus 8", "H101");
  expect_refused(in, "parallelism --model llama-3.1-8b --gpu H100 --gpus -8", "-8");
  expect_refused(in, "cost-per-token --avg-power -1 --throughput 100", "-1");
  expect_refused(in, "serve --model llama-3.1-8b --gpu H100 --trace nowhere.csv", "nowhere.csv");
  expect_refused(in, "whatif --model llama-3.1-8b --gpu H100 --vram lots", "lots");
  expect_refused(in, "scaling 1:10 2:0", "point 2");
  expect_refused(in, "power --gpu H200 --memory-share 1.5", "1.5");
}

TEST(cli_plan, configurations_of_noise_are_refused_by_name) {
  const scene in;
  std::string noise;
  noise.resize(50'000'000);
  std::mt19937 random(7);
  for (auto& c : noise) c = static_cast<char>(random());
  write(in.folder() / "noise.json", noise);
  expect_refused(in, "kv-cache --config noise.json", "noise.json");
  write(
      in.folder() / "heads.json",
      R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": -4, "vocab_size": 32000, "intermediate_size": 11008})");
  expect_refused(in, "kv-cache --config heads.json", "num_attention_heads");
  write(in.folder() / "empty.json", "");
  expect_refused(in, "kv-cache --config empty.json", "empty.json");
}

TEST(cli_plan, an_unknown_architecture_is_read_with_its_doubts) {
  const scene in;
  write(
      in.folder() / "new.json",
      R"({"architectures": ["BrandNewForCausalLM"], "model_type": "brand_new", "hidden_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1000, "intermediate_size": 4096})");
  const auto a = answer_of(in, "kv-cache --config new.json --tokens 10 --dtype bf16");
  EXPECT_EQ(a.at("bytes_per_token"), 2 * 4 * 2 * 128 * 2);
  EXPECT_THAT(in.ridge("plan models --config new.json").out, HasSubstr("BrandNew"));
}

TEST(cli_plan, a_model_with_an_encoder_is_counted_and_not_simulated) {
  const scene in;
  write(in.folder() / "bert.json",
        R"({"architectures": ["BertForMaskedLM"], "model_type": "bert", "hidden_size": 768,
            "intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12,
            "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30522, "torch_dtype": "float32"})");
  const auto config = "--config " + (in.folder() / "bert.json").string();
  EXPECT_EQ(answer_of(in, "models " + config).at("parameters"), 109'514'298);
  EXPECT_EQ(answer_of(in, "kv-cache " + config).at("total_bytes"), 0);
  EXPECT_EQ(answer_of(in, "memory infer --gpu H100 " + config).at("kv_needed_bytes"), 0);
  expect_refused(in, "kv-cache --gpu H100 " + config, "is an encoder");
  expect_refused(in, "serve --gpu H100 --rate 1 " + config, "is an encoder");
  expect_refused(in, "parallelism --gpu H100 --gpus 8 " + config, "is an encoder");
}

TEST(cli_plan, every_answer_says_what_was_assumed_of_its_model) {
  const scene in;
  write(in.folder() / "odd.json",
        R"({"architectures": ["OddForCausalLM"], "model_type": "odd", "hidden_size": 2048,
            "intermediate_size": 8192, "num_attention_heads": 16, "num_hidden_layers": 16, "vocab_size": 32000,
            "torch_dtype": "bfloat16"})");
  const auto config = " --gpu H100 --config " + (in.folder() / "odd.json").string();
  for (const auto* words :
       {"kv-cache", "memory infer", "memory train", "serve --rate 1", "parallelism --gpus 8",
        "cluster --rate 1 --input 1000 --output 100", "whatif", "cost-per-token --input 1000 --output 100"})
    EXPECT_THAT(answer_of(in, words + config).value("warning", ""), HasSubstr("\"odd\"")) << words;
}

TEST(cli_plan, broken_gguf_files_are_refused) {
  const scene in;
  const auto file = (in.folder() / "broken.gguf").string();
  for (const auto& text : {std::string("GGUF"), "GGUF" + std::string(200, '\xff'), std::string("no GGUF")}) {
    write(file, text);
    expect_refused(in, "memory infer --gpu H100 --model " + file, "broken.gguf");
  }
}

// The tokens that whatif's deployment of unchanged formats on one GPU holds.
json whatif_tokens(const json& answer) {
  for (const auto& row : answer.at("feasible"))
    if (row.at("weights") == "bf16" && row.at("kv") == "bf16") return row.at("kv_tokens");
  return {};
}

TEST(cli_plan, every_verb_finds_the_same_room_for_the_cache) {
  const scene in;
  const std::string what = " --model meta-llama/Llama-3.1-8B --gpu H100";
  const std::int64_t tokens = answer_of(in, "memory infer" + what).at("kv_tokens");
  EXPECT_EQ(answer_of(in, "kv-cache" + what).at("cache_tokens"), tokens);
  EXPECT_EQ(answer_of(in, "serve" + what + " --rate 1 --requests 10").at("kv_blocks"), tokens / 16);
  EXPECT_EQ(answer_of(in, "deploy" + what).at("kv_tokens"), tokens);
  EXPECT_EQ(answer_of(in, "cluster" + what + " --max-tp 1 --rate 1").at("choices").at(0).at("kv_tokens"),
            tokens);
  EXPECT_EQ(whatif_tokens(answer_of(in, "whatif" + what + " --top 1000")), tokens);
  EXPECT_EQ(answer_of(in, "cost-per-token" + what + " --input 100 --output 100").at("kv_tokens"), tokens);
  const std::string sglang = " --model meta-llama/Llama-3.1-8B --gpu L40S --engine sglang";
  EXPECT_EQ(answer_of(in, "kv-cache" + sglang).at("cache_tokens"),
            answer_of(in, "deploy" + sglang).at("kv_tokens"));
}

TEST(cli_plan, nothing_is_priced_that_cannot_run) {
  const scene in;
  const std::string lengths = " --input 1024 --output 256";
  expect_refused(in, "cost-per-token --model llama-3.1-405b --gpu H100" + lengths, "do not fit", 4);
  expect_refused(in, "cost-per-token --model llama-3.1-8b --gpu H100 --tp 3" + lengths, "tensor ranks");
  expect_refused(in, "cost-per-token --model llama-3.1-8b --gpu H100 --tp 2 --gpus 3" + lengths,
                 "whole engines");
  for (const std::string words : {"cost-per-token --output 1", "serve --rate 1"})
    expect_refused(in, words + " --model llama-3.1-8b --gpu H100 --input 131073", "context");
}

}  // namespace
}  // namespace ridge::cli
