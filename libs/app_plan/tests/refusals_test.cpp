// SPDX-License-Identifier: Apache-2.0
// What `ridge plan` refuses, and what it says: through the parser and the commands themselves.
#include <filesystem>
#include <fstream>
#include <list>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include "command_run.hpp"
#include "input/plan_numbers.hpp"

namespace ridge::app_plan {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto llama = "--model meta-llama/Llama-3.1-8B --gpu ";

// Visits all verbs that have options, those below `memory` included.
template <class Visit>
void each_verb(const app::command& verb, const std::string& path, const Visit& visit) {
  visit(path, verb);
  for (const auto& inner : verb.commands()) each_verb(inner, path + ' ' + inner.name(), visit);
}

template <class Visit>
void each_number(const Visit& visit) {
  app::context program;
  const auto made = commands(program);
  for (const auto& verb : made.front().commands())
    each_verb(verb, verb.name(), [&](const std::string& path, const app::command& one) {
      for (const auto& option : one.options()) {
        const auto& v = option.value;
        const bool number = std::holds_alternative<int*>(v) || std::holds_alternative<std::int64_t*>(v) ||
                            std::holds_alternative<double*>(v) ||
                            std::holds_alternative<std::optional<double>*>(v) ||
                            std::holds_alternative<std::optional<std::int64_t>*>(v);
        if (number) visit(path, option);
      }
    });
}

TEST(plan_numbers, no_option_takes_what_is_no_number_or_a_negative_one) {
  int options = 0;
  each_number([&](const std::string& verb, const app::command_option& option) {
    ++options;
    ASSERT_TRUE(option.check) << verb << ' ' << option.names;
    for (const auto* text : {"-1", "-0.5", "nan", "inf", "-inf", "1e300", "", "x", "1e"})
      EXPECT_NE(option.check(text), "") << verb << ' ' << option.names << ' ' << text;
  });
  EXPECT_GT(options, 120);
}

TEST(plan_numbers, zero_is_refused_where_it_would_be_taken_for_not_given) {
  const struct {
    const char *line, *option;
    bool taken;
  } all[] = {{"serve", "--price", false},
             {"serve", "--concurrency", false},
             {"serve", "--blocks", false},
             {"serve", "--block-size", false},
             {"serve", "--utilization", false},
             {"serve", "--busy-watts", false},
             {"serve", "--draft-share", false},
             {"serve", "--limit", false},
             {"serve", "--remote-prefill-from", true},
             {"serve", "--system-prompt", true},
             {"kv-cache", "--block-size", true},
             {"kv-cache", "--overhead", true},
             {"cost-per-token", "--gpu-hour", false},
             {"cost-per-token", "--electricity-cost", true},
             {"cost-per-token", "--idle-power", true},
             {"cost-per-token", "--interruption-hours", false},
             {"parallelism", "--price", false},
             {"parallelism", "--max-tp", false},
             {"memory train", "--dp", false},
             {"memory train", "--lora-rank", true},
             {"deploy", "--tp", false},
             {"deploy", "--longest-request", false},
             {"whatif", "--top", false},
             {"cluster", "--spares", true}};
  for (const auto& one : all) {
    bool seen = false;
    each_number([&](const std::string& verb, const app::command_option& option) {
      if (verb != one.line || option.names != one.option) return;
      seen = true;
      EXPECT_EQ(option.check("0").empty(), one.taken) << one.line << ' ' << one.option;
      EXPECT_EQ(option.check("1"), "") << one.line << ' ' << one.option;
    });
    EXPECT_TRUE(seen) << one.line << ' ' << one.option;
  }
}

TEST(plan_refusals, name_the_option_and_the_remedy) {
  const std::string serve = std::string("serve ") + llama + "H100 --concurrency 2 --requests 8 ";
  const struct {
    std::string line;
    const char* says;
  } all[] = {{serve + "--price=-1", "--price: -1 is out of range"},
             {serve + "--rate=1e15", "--rate: 1e15 is out of range"},
             {serve + "--token-bucket 0", "--token-bucket \"0\" admits nothing"},
             {serve + "--failures 1us", "--failures \"1us\""},
             {serve + "--deadlines 0", "--deadlines"},
             {serve + "--reject-ttft 0", "--reject-ttft \"0\""},
             {serve + "--think 1e15", "longer than 1e10 s"},
             {serve + "--input 1e15", "\"1e15\" is not a distribution"},
             {serve + "--slo >", "\">\" is not an objective"},
             {serve + "--slo ttft>5", "\"ttft>5\" is not an objective"},
             {std::string("whatif ") + llama + "H100 --ttft 0", "\"0\" is no limit of ttft"},
             {std::string("whatif ") + llama + "H100 --ttft=-5", "\"-5\" is no limit of ttft"},
             {std::string("whatif ") + llama + "H100 --ttft nan", "\"nan\" is no limit of ttft"},
             {std::string("whatif ") + llama + "H100 --vram=-1", "\"-1\" is no limit of vram"},
             {std::string("whatif ") + llama + "H100 --tp 0", "--tp: 0 is out of range"},
             {std::string("whatif ") + llama + "A10G", "no bf16 peak of A10G"},
             {std::string("whatif ") + llama + "A30", "did you mean A10G"},
             {std::string("whatif ") + llama + "B100", "did you mean B200 SXM"},
             {std::string("serve ") + llama + "TPU_v6e --rate 1", "no kernel of TPU v6e was measured"},
             {"memory train --model meta-llama/Llama-3.1-8B --gpu H100 --dp 0", "--dp: 0 is out of range"}};
  for (const auto& one : all) {
    const auto seen = run_plan(one.line);
    EXPECT_EQ(seen.code, 64) << one.line;
    EXPECT_THAT(seen.err, HasSubstr(one.says)) << one.line;
    EXPECT_EQ(seen.out, "") << one.line;
  }
}

TEST(plan_refusals, what_does_not_fit_is_said_in_json_too) {
  const auto seen = run_plan(std::string("serve ") + llama + "T4 --rate 1 --json");
  EXPECT_EQ(seen.code, 4);
  EXPECT_THAT(seen.out, HasSubstr("\"fits\": false"));
  EXPECT_THAT(seen.out, HasSubstr("no room for a KV cache"));
  const auto held = run_plan(std::string("serve ") + llama + "H100 --concurrency 2 --requests 8 --json");
  EXPECT_EQ(held.code, 0);
  EXPECT_THAT(held.out, HasSubstr("\"fits\": true"));
  const auto one_block =
      run_plan(std::string("serve ") + llama + "H100 --concurrency 2 --requests 8 --blocks 1");
  EXPECT_EQ(one_block.code, 4);
  EXPECT_THAT(one_block.out, HasSubstr("Serves nothing: the KV cache holds no request"));
}

TEST(plan_refusals, failures_that_let_nothing_end_do) {
  const auto seen = run_plan(std::string("serve ") + llama +
                             "H100 --concurrency 2 --requests 8 --output 8000 --failures 1:1");
  EXPECT_EQ(seen.code, 64);
  EXPECT_THAT(seen.err, HasSubstr("no request ends any more between two failures"));
}

TEST(plan_refusals, a_draft_takes_memory) {
  const std::string line = std::string("serve ") + llama + "H100 --concurrency 2 --requests 8 --json";
  const auto blocks = [&](const std::string& more) {
    const auto seen = run_plan(line + more);
    const auto at = seen.out.find("\"kv_blocks\":");
    return at == std::string::npos ? -1 : std::stol(seen.out.substr(at + 12));
  };
  const auto alone = blocks(""), one_layer = blocks(" --speculative 3,0.7"),
             model = blocks(" --speculative 3,0.7 --draft-model meta-llama/Llama-3.2-1B");
  EXPECT_GT(alone, one_layer);
  EXPECT_GT(one_layer, model);
  EXPECT_EQ(alone, blocks(" --speculative 3,0.7 --draft-share 0.05"));
}

class plan_files : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ridge_plan_files_" + std::to_string(getpid()));
};

TEST_F(plan_files, a_model_from_a_file_is_deployed_by_the_name_of_its_checkpoint) {
  const auto config = write("config.json", R"({"model_type": "llama", "hidden_size": 4096,
    "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "vocab_size": 128256, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
    "max_position_embeddings": 8192})");
  const auto line = "deploy --config " + config + " --gpu H100";
  const auto refused = run_plan(line);
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("give --checkpoint"));
  const auto named = run_plan(line + " --checkpoint org/name");
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_THAT(named.out, HasSubstr("org/name"));
  EXPECT_THAT(named.out, Not(HasSubstr(folder.string())));
}

TEST_F(plan_files, a_profile_holds_all_parts_of_the_model_on_its_own_gpu) {
  const auto lines = [](std::initializer_list<const char*> layers) {
    std::string text = "layer,tokens,time_us\n";
    for (const auto* layer : layers) text += std::string(layer) + ",1,5\n" + layer + ",2048,50\n";
    return text;
  };
  write("meta.yaml", "gpu: NVIDIA GeForce RTX 4090\nmodel: meta-llama/Llama-3.1-8B\n");
  write("tp1/attention.csv",
        "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n0,0,1,16,10\n0,0,1,4096,30\n0,0,8,16,12\n"
        "0,0,8,4096,90\n16,0,0,0,9\n1024,0,0,0,90\n16,1024,0,0,12\n1024,1024,0,0,150\n");
  write("tp1/per_sequence.csv", "layer,sequences,time_us\nlm_head,1,900\nlm_head,64,950\n");
  const auto served = [&](const std::string& gpu) {
    return run_plan(
        "serve --model meta-llama/Llama-3.1-8B --concurrency 1 --requests 2 --input 64 --profile " +
            folder.string(),
        {"--gpu", gpu});
  };
  write("tp1/dense.csv", lines({"qkv_proj", "o_proj", "layernorm"}));
  EXPECT_THAT(served("RTX 4090").err, HasSubstr("nothing was measured of gate_up_proj, down_proj"));
  write("tp1/dense.csv", lines({"q_proj", "k_proj", "v_proj", "o_proj", "gate_up_proj", "down_proj"}));
  EXPECT_EQ(served("RTX 4090").code, 0) << served("RTX 4090").err;
  EXPECT_THAT(served("H100").err, HasSubstr("measured on \"NVIDIA GeForce RTX 4090\", and H100 SXM"));
  write("meta.yaml", "model: meta-llama/Llama-3.1-8B\n");
  EXPECT_THAT(served("H100").out, HasSubstr("does not say which GPU"));
}

TEST_F(plan_files, a_log_with_times_that_cannot_be_is_refused_by_its_line) {
  const auto file =
      write("requests.jsonl", R"({"request_id": "0", "input_toks": 512, "output_toks": 128, )"
                              R"("queued_ts": 10, "first_token_ts": 9.5, "last_token_ts": 12})");
  const auto seen =
      run_plan(std::string("serve ") + llama + "H100 --concurrency 1 --requests 1 --against " + file);
  EXPECT_EQ(seen.code, 64);
  EXPECT_THAT(seen.err, HasSubstr("requests.jsonl:1: 512 + 128 tokens, a first token -0.5 s"));
}

TEST_F(plan_files, a_calibration_is_of_the_deployment_that_is_asked_for) {
  const auto file =
      write("profile.json", R"({"schema": "ridge.plan.profile/1", "model": "meta-llama/Llama-3.1-8B",
    "gpu": "H100 SXM", "layout": "one GPU", "weight_format": "", "kv_format": "bf16", "log": "l",
    "created": "2026-11-26", "overheads": {"engine": "vllm"}, "scaling": {},
    "before": {}, "after": {}, "holdout_before": {},
    "holdout_after": {"ttft_median": 0.01, "tpot_median": 0.02, "latency_median": 0.01, "requests": 90},
    "simulations": 1})");
  const auto served = [&](const std::string& more) {
    return run_plan("serve --concurrency 1 --requests 2 --calibration " + file + ' ' + more);
  };
  EXPECT_EQ(served(std::string(llama) + "H100").code, 0) << served(std::string(llama) + "H100").err;
  const struct {
    std::string more;
    const char* says;
  } all[] = {{std::string(llama) + "H200", "GPU H100 SXM instead of H200 SXM"},
             {std::string(llama) + "H100 --tp 2", "layout one GPU instead of TP 2"},
             {std::string(llama) + "H100 --engine sglang", "engine vllm instead of sglang"},
             {std::string(llama) + "H100 --weights-dtype fp8", "weights bf16 instead of fp8"},
             {"--model Qwen/Qwen3-8B --gpu H100", "model meta-llama/Llama-3.1-8B instead of Qwen/Qwen3-8B"}};
  for (const auto& one : all) {
    const auto refused = served(one.more);
    EXPECT_EQ(refused.code, 64) << one.more;
    EXPECT_THAT(refused.err, HasSubstr(one.says));
    EXPECT_THAT(refused.err, HasSubstr("--any-calibration"));
  }
  const auto insisted = served(std::string(llama) + "H200 --any-calibration");
  EXPECT_EQ(insisted.code, 0) << insisted.err;
  EXPECT_THAT(insisted.out, HasSubstr("to another deployment"));
  EXPECT_EQ(served(std::string(llama) + "H100 --dp 2").code, 0);  // engines that share nothing
}

}  // namespace
}  // namespace ridge::app_plan
