// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/deployment.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan::serve {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

deployment_question asked(const std::string& engine, const std::string& model = "meta-llama/Llama-3.1-8B",
                          const std::string& gpu = "H100") {
  deployment_question q{.replica = {.model = *model_named(model),
                                    .gpu = *accelerator_named(hardware::catalogue::embedded(), gpu)}};
  q.replica.engine = engine;
  q.replica.settings.max_batched_tokens = 4096;
  q.replica.settings.max_sequences = 192;
  return q;
}

launch started(const deployment_question& q) {
  auto made = launch_of(q);
  EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
  return made ? std::move(*made) : launch{};
}
std::string why_not(const deployment_question& q) {
  const auto made = launch_of(q);
  return made ? "" : made.why().text();
}

// "--flag value", "--flag" or, of the file, "keys: value".
bool has(const launch& l, const std::string& what) {
  const auto says = [&](const launch_argument& a, const char* between) {
    return what == (a.value.empty() ? a.name : a.name + between + a.value) && !a.reason.empty();
  };
  return std::ranges::any_of(l.arguments, [&](const auto& a) { return says(a, " "); }) ||
         std::ranges::any_of(l.file, [&](const auto& a) { return says(a, ": "); });
}
#define EXPECT_SAYS(launch, what) EXPECT_TRUE(has(launch, what)) << shell_script(launch)

// The output of a command that reads `text` on its standard input.
std::string piped(const std::string& command, const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() / ("ridge_deploy_" + std::to_string(getpid()));
  std::ofstream{file, std::ios::binary} << text;
  std::string out;
  if (auto* const pipe = popen((command + " < " + file.string() + " 2>&1").c_str(), "r"); pipe != nullptr) {
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
    pclose(pipe);
  }
  std::filesystem::remove(file);
  return out;
}

TEST(deployment, each_setting_becomes_an_argument_of_vllm) {
  auto q = asked("vllm", "Qwen/Qwen3-30B-A3B");
  q.replica.layout = {.tensor = 2, .data = 2, .expert = 4};
  q.replica.kv_format = "fp8", q.replica.weight_format = "fp8", q.replica.utilization = 0.85;
  q.replica.settings.block_size = 32, q.replica.settings.blocks = 5000;
  q.replica.settings.prefix_caching = false;
  q.replica.settings.priorities = q.replica.settings.async_scheduling = true;
  q.replica.settings.speculative = {.tokens = 3, .acceptance = 0.7};
  q.draft_method = "eagle3", q.draft_checkpoint = "org/draft", q.longest_request = 9000, q.port = 9001;
  const auto l = started(q);
  for (const auto* what :
       {"--tensor-parallel-size 2", "--data-parallel-size 2", "--enable-expert-parallel",
        "--kv-cache-dtype fp8", "--quantization fp8", "--gpu-memory-utilization 0.85", "--block-size 32",
        "--num-gpu-blocks-override 5000", "--no-enable-prefix-caching", "--scheduling-policy priority",
        "--async-scheduling", "--max-num-seqs 192", "--max-num-batched-tokens 4096", "--max-model-len 9000",
        "--port 9001",
        "--speculative-config {\"method\":\"eagle3\",\"num_speculative_tokens\":3,\"model\":\"org/draft\"}"})
    EXPECT_SAYS(l, what);
  EXPECT_EQ(l.gpus, 4);
  EXPECT_THAT(l.program, testing::ElementsAre("vllm", "serve", "Qwen/Qwen3-30B-A3B"));
  q.replica.layout = {.tensor = 2, .pipeline = 2};
  EXPECT_SAYS(started(q), "--pipeline-parallel-size 2");
}

TEST(deployment, each_setting_becomes_an_argument_of_sglang) {
  auto q = asked("sglang", "Qwen/Qwen3-30B-A3B");
  q.replica.layout = {.tensor = 2, .data = 2, .expert = 4};
  q.replica.kv_format = "fp8", q.replica.weight_format = "fp8", q.replica.utilization = 0.85;
  q.replica.settings.block_size = 32, q.replica.settings.blocks = 5000;
  q.replica.settings.prefix_caching = false, q.replica.settings.priorities = true;
  q.replica.settings.speculative = {.tokens = 3, .acceptance = 0.7};
  q.draft_method = "draft", q.draft_checkpoint = "org/draft", q.longest_request = 9000;
  const auto l = started(q);
  // With data-parallel attention all GPUs are tensor ranks, and limits are those of all ranks.
  for (const auto* what :
       {"--tp-size 4", "--dp-size 2", "--enable-dp-attention", "--ep-size 4", "--max-running-requests 384",
        "--chunked-prefill-size 8192", "--page-size 32", "--mem-fraction-static 0.85",
        "--max-total-tokens 160000", "--context-length 9000", "--disable-radix-cache",
        "--enable-priority-scheduling", "--schedule-low-priority-values-first", "--kv-cache-dtype fp8_e4m3",
        "--quantization fp8", "--speculative-algorithm STANDALONE",
        "--speculative-draft-model-path org/draft", "--speculative-num-steps 3",
        "--speculative-num-draft-tokens 4"})
    EXPECT_SAYS(l, what);
  q.replica.layout = {.tensor = 2, .pipeline = 2, .data = 2};  // engines of their own
  const auto apart = started(q);
  for (const auto* what : {"--tp-size 2", "--pp-size 2", "--dp-size 2", "--max-running-requests 192"})
    EXPECT_SAYS(apart, what);
  EXPECT_FALSE(has(apart, "--enable-dp-attention"));
}

TEST(deployment, each_setting_becomes_an_argument_of_tensorrt_llm) {
  auto q = asked("trtllm", "Qwen/Qwen3-30B-A3B");
  q.replica.layout = {.tensor = 2, .data = 2, .expert = 4};
  q.replica.kv_format = "fp8", q.replica.utilization = 0.85;
  q.replica.settings.block_size = 32, q.replica.settings.blocks = 5000;
  q.replica.settings.prefix_caching = false;
  q.replica.settings.speculative = {.tokens = 3, .acceptance = 0.7};
  q.draft_method = "ngram", q.longest_request = 9000;
  const auto l = started(q);
  for (const auto* what :
       {"--tp_size 4", "--ep_size 4", "enable_attention_dp: true", "--max_batch_size 192",
        "--max_num_tokens 4096", "--max_seq_len 9000", "--free_gpu_memory_fraction 0.85",
        "kv_cache_config/enable_block_reuse: false", "kv_cache_config/tokens_per_block: 32",
        "kv_cache_config/max_tokens: 160000", "kv_cache_config/dtype: fp8",
        "speculative_config/decoding_type: NGram", "speculative_config/max_draft_len: 3"})
    EXPECT_SAYS(l, what);
  EXPECT_THAT(shell_script(l),
              HasSubstr("speculative_config:\n  decoding_type: \"NGram\"\n  max_draft_len: 3\n"));
  EXPECT_THAT(shell_script(l), HasSubstr("--config qwen3-30b-a3b.yaml"));
  q.replica.layout = {.tensor = 1, .pipeline = 2, .data = 3}, q.replicas = 2;
  const auto apart = started(q);  // one engine each
  EXPECT_SAYS(apart, "--pp_size 2");
  EXPECT_EQ(apart.replicas, 6);
  EXPECT_EQ(apart.gpus, 2);
}

TEST(deployment, memory_behind_the_gpus_is_told_as_each_engine_counts_it) {
  const auto with_tier = [](const char* engine) {
    auto q = asked(engine);
    q.replica.layout.tensor = 2;
    q.replica.tiers.cpu_bytes = 64.0 * (1U << 30U);
    return q;
  };
  EXPECT_SAYS(started(with_tier("vllm")), "--kv-offloading-size 64");
  EXPECT_SAYS(started(with_tier("sglang")), "--hicache-size 34");  // GB of one rank
  EXPECT_SAYS(started(with_tier("trtllm")), "kv_cache_config/host_cache_size: 34359738368");
  auto q = with_tier("vllm");
  q.replica.tiers.ssd_bytes = 1e12, q.replica.tiers.ssd_bytes_per_s = 6e9;
  EXPECT_THAT(why_not(q), HasSubstr("--kv-ssd-gib"));
}

TEST(deployment, prediction_layers_draft_where_the_model_has_them) {
  auto q = asked("vllm");
  q.replica.model.prediction_layers = 1;
  q.replica.settings.speculative = {.tokens = 1, .acceptance = 0.8};
  EXPECT_SAYS(started(q), "--speculative-config {\"method\":\"mtp\",\"num_speculative_tokens\":1}");
  q.replica.engine = "sglang";
  EXPECT_SAYS(started(q), "--speculative-algorithm NEXTN");
  q.replica.engine = "trtllm";
  EXPECT_SAYS(started(q), "speculative_config/decoding_type: MTP");
}

// Names that nobody gave must not be refused.
TEST(deployment, any_checkpoint_makes_a_name_that_kubernetes_allows) {
  for (const auto& checkpoint : {std::string("org/模型"), std::string("/"),
                                 std::string("7") + std::string(60, 'b'), "a" + std::string(49, '-') + "b"}) {
    auto q = asked("vllm");
    q.checkpoint = checkpoint;
    EXPECT_FALSE(started(q).name.empty()) << checkpoint;
  }
}

// An engine does not start where its cache holds no request of the model's context.
TEST(deployment, the_longest_request_is_bounded_by_the_cache) {
  EXPECT_THAT(shell_script(started(asked("vllm"))), Not(HasSubstr("--max-model-len")));
  EXPECT_THAT(shell_script(started(asked("vllm", "meta-llama/Llama-3.1-8B", "RTX 4090"))),
              HasSubstr("--max-model-len 4"));
  auto q = asked("vllm", "meta-llama/Llama-3.1-8B", "RTX 4090");
  q.longest_request = 100000;
  EXPECT_THAT(why_not(q), HasSubstr("--longest-request 100000: the KV cache holds"));
}

TEST(deployment, refuses_what_does_not_fit_and_what_an_engine_cannot_do) {
  EXPECT_THAT(why_not(asked("vllm", "meta-llama/Llama-3.1-70B", "RTX 4090")),
              HasSubstr("leaves no room for a KV cache"));
  EXPECT_THAT(why_not(asked("static")), HasSubstr("static batching is no engine"));
  const auto with = [](const std::string& engine, auto change, const std::string& gpu = "H100") {
    auto q = asked(engine, "Qwen/Qwen3-30B-A3B", gpu);
    change(q);
    return why_not(q);
  };
  EXPECT_THAT(with("vllm", [](auto& q) { q.replica.layout = {.tensor = 4, .expert = 2}; }),
              HasSubstr("experts divided among 2 of 4 GPUs"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.replica.settings.block_size = 17; }),
              HasSubstr("--block-size 17"));
  EXPECT_THAT(with("sglang", [](auto& q) { q.replica.kv_format = "int8"; }), HasSubstr("--kv-dtype int8"));
  EXPECT_THAT(with("trtllm", [](auto& q) { q.replica.settings.priorities = true; }),
              HasSubstr("--priorities"));
  EXPECT_THAT(with("trtllm", [](auto& q) { q.replica.weight_format = "fp8"; }),
              HasSubstr("--weights-dtype fp8"));
  EXPECT_THAT(with(
                  "trtllm", [](auto&) {}, "MI300X"),
              HasSubstr("TensorRT-LLM cannot do this: --gpu MI300X"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.replica.weight_format = "int4_g128"; }),
              HasSubstr("--checkpoint NAME"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.replica.settings.speculative.tokens = 2; }),
              HasSubstr("no prediction layers"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.replica.layout = {.tensor = 4, .data = 4}; }),
              HasSubstr("a host has 8"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.port = 70000; }), HasSubstr("--port 70000"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.name = "Bad Name"; }), HasSubstr("--name"));
  EXPECT_THAT(with("vllm", [](auto& q) { q.checkpoint = "--trust-remote-code"; }),
              HasSubstr("read as an option"));
  auto own = asked("vllm", "Qwen/Qwen3-30B-A3B");
  own.replica.weight_format = "int4_g128", own.checkpoint = "org/quantized";  // its checkpoint has them so
  EXPECT_EQ(why_not(own), "");
}

TEST(deployment, both_pools_are_told_their_role_and_connector) {
  for (const std::string engine : {"vllm", "sglang", "trtllm"}) {
    auto prefill = asked(engine), decode = asked(engine);
    prefill.replicas = 4, decode.replica.layout.tensor = 2;
    const auto both = launch_of(prefill, decode);
    ASSERT_TRUE(both.ok()) << both.why().text();
    const auto script = shell_script(*both);
    EXPECT_EQ(piped("sh -n", script), "") << script;
    if (engine == "vllm") {
      EXPECT_SAYS(both->prefill,
                  "--kv-transfer-config {\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\"}");
      EXPECT_SAYS(both->decode, "--tensor-parallel-size 2");
      EXPECT_THAT(script,
                  AllOf(HasSubstr("VLLM_NIXL_SIDE_CHANNEL_HOST"), HasSubstr("--vllm-pd-disaggregation")));
    } else if (engine == "sglang") {
      EXPECT_SAYS(both->prefill, "--disaggregation-mode prefill");
      EXPECT_SAYS(both->decode, "--disaggregation-mode decode");
      EXPECT_THAT(script, HasSubstr("--pd-disaggregation"));
    } else {
      EXPECT_SAYS(both->prefill, "cache_transceiver_config/backend: NIXL");
      EXPECT_THAT(script, AllOf(HasSubstr("context_servers"), HasSubstr("trtllm-serve disaggregated")));
    }
  }
  auto three = asked("vllm"), two = asked("vllm");
  three.replica.layout.tensor = 4, two.replica.layout.tensor = 8;
  EXPECT_TRUE(launch_of(three, two).ok());
}

TEST(deployment, texts_that_try_to_leave_their_place_stay_in_it) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("org/name-1.0"), "org/name-1.0");
  EXPECT_EQ(yaml_quoted("a\"\\\n\t\x01"), R"("a\"\\\n\u0009\u0001")");
  EXPECT_EQ(yaml_quoted("\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80"), R"("\u00E9\u2028\U0001F600")");
  EXPECT_EQ(yaml_quoted("\xFF\xC3"), R"("\uFFFD\uFFFD")");
  EXPECT_EQ(kubernetes_word("$(HF_TOKEN) $x"), "$$(HF_TOKEN) $$x");
  auto q = asked("trtllm");
  q.checkpoint = "x'; touch /tmp/owned; echo '\n$(id)\n- \"evil\": [\nEND_OF_FILE\n`id`";
  q.replica.settings.speculative.tokens = 2;
  q.draft_method = "draft", q.draft_checkpoint = "y\nEND_OF_FILE\nid\n\"";
  q.image = "repo/image\"\n  privileged: true";
  const auto l = started(q);
  // The shell sees the very words: it prints them instead of starting an engine.
  auto script = shell_script(l);
  script.replace(script.find("exec trtllm-serve"), 17, "rm -f *.yaml; rmdir \"$PWD\"; printf '%s\\0'");
  const auto printed = piped("cd $(mktemp -d) && sh -s", script);
  EXPECT_EQ(printed.substr(0, printed.find('\0')), q.checkpoint);
  EXPECT_THAT(script, HasSubstr("speculative_model: \"y\\nEND_OF_FILE\\nid\\n\\\"\"\n"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/owned"));
  EXPECT_THAT(kubernetes_manifest(l), AllOf(Not(HasSubstr("\n  privileged")), HasSubstr("$$(id)")));
}

TEST(deployment, the_manifest_is_yaml_that_says_the_same) {
  if (std::system("python3 -c 'import yaml' > /dev/null 2>&1") != 0) GTEST_SKIP() << "no PyYAML";
  const std::string read =
      "python3 -c \"import sys,yaml,json; print(json.dumps(list(yaml.safe_load_all(sys.stdin.buffer))))\"";
  for (const std::string engine : {"vllm", "sglang", "trtllm"}) {
    auto q = asked(engine, "Qwen/Qwen3-30B-A3B");
    q.replica.layout = {.tensor = 2}, q.replicas = 3;
    q.checkpoint = "a: b # c\n\"'{}[]&*!|>%@` \xC3\xA9";
    const auto l = started(q);
    const auto all = nlohmann::json::parse(piped(read, kubernetes_manifest(l)), nullptr, false);
    ASSERT_TRUE(all.is_array()) << kubernetes_manifest(l);
    ASSERT_EQ(all.size(), engine == "trtllm" ? 3U : 2U);
    const auto& deployment = all[all.size() - 2];
    const auto& pod = deployment["spec"]["template"]["spec"]["containers"][0];
    EXPECT_EQ(deployment["kind"], "Deployment");
    EXPECT_EQ(deployment["spec"]["replicas"], 3);
    EXPECT_EQ(pod["resources"]["limits"]["nvidia.com/gpu"], 2);
    EXPECT_EQ(pod["command"].back(), q.checkpoint);
    EXPECT_EQ(pod["readinessProbe"]["httpGet"]["path"], "/health");
    EXPECT_EQ(pod["volumeMounts"][0]["mountPath"], "/dev/shm");
    EXPECT_EQ(all.back()["kind"], "Service");
    EXPECT_EQ(all.back()["spec"]["selector"], deployment["spec"]["template"]["metadata"]["labels"]);
    for (const auto& a : l.arguments) EXPECT_THAT(pod["args"], testing::Contains(a.name));
    if (engine == "trtllm") {
      EXPECT_THAT(all[0]["data"]["engine.yaml"].get<std::string>(), HasSubstr("tokens_per_block: 16"));
    }
    const auto json = nlohmann::json::parse(launch_json(l));
    EXPECT_EQ(json["kubernetes"], kubernetes_manifest(l));
    EXPECT_EQ(json["command"][l.program.size() - 1], q.checkpoint);
  }
}

}  // namespace
}  // namespace ridge::plan::serve
