// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/number_format.hpp>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::string_view vllm = "vLLM";

result<void> add_vllm_layout(launch& l, const launch_facts& f) {
  const auto& layout = f.question.replica.layout;
  auto& a = l.arguments;
  a.push_back(counted("--tensor-parallel-size", layout.tensor, "GPUs that divide each layer"));
  if (layout.pipeline > 1)
    a.push_back(counted("--pipeline-parallel-size", layout.pipeline, "stages that divide the layers"));
  if (layout.data > 1)
    a.push_back(counted("--data-parallel-size", layout.data,
                        f.share_experts ? "ranks with requests of their own that share the experts"
                                        : "engines behind one port, each with requests of its own"));
  if (layout.expert == 1) return {};
  if (layout.expert != layout.tensor * layout.data)
    return cannot(
        vllm, fmt::format("experts divided among {} of {} GPUs", layout.expert, layout.tensor * layout.data),
        "its expert parallelism is tensor times data parallelism: give --ep as that product");
  a.push_back(
      {"--enable-expert-parallel", "", fmt::format("experts are divided among {} GPUs", layout.expert)});
  return {};
}

result<void> add_vllm_formats(launch& l, const launch_facts& f) {
  const auto kv = number_format_named(f.question.replica.kv_format);
  if (!kv) return kv.why();
  const bool sixteen = kv->bytes_per_element == 2;
  if (!sixteen && kv->name != "fp8" && kv->name != "fp8_mla")
    return cannot(vllm, fmt::format("--kv-dtype {}", kv->name), "keys and values are in 16 bits or fp8");
  l.arguments.push_back(
      {"--kv-cache-dtype",
       sixteen             ? "auto"
       : kv->name == "fp8" ? "fp8"
                           : "fp8_ds_mla",
       sixteen ? "keys and values as the model computes them: 16 bits" : "keys and values in 8 bits"});
  if (f.weight_format == "fp8")
    l.arguments.push_back({"--quantization", "fp8", "the checkpoint's 16 bits become fp8 while it loads"});
  else if (!f.weight_format.empty())
    l.arguments.push_back(
        {"--dtype", f.weight_format == "bf16" ? "bfloat16" : "float16", "format of the weights"});
  return {};
}

result<void> add_vllm_adapters(launch& l, const adapter_choice& adapters) {
  constexpr std::array<std::int64_t, 9> ranks{1, 8, 16, 32, 64, 128, 256, 320, 512};
  if (adapters.count == 0) return {};
  const auto* const rank = std::ranges::lower_bound(ranks, adapters.rank);
  if (rank == ranks.end())
    return cannot(vllm, fmt::format("--lora-rank {}", adapters.rank), "adapters have ranks up to 512");
  l.arguments.push_back({"--enable-lora", "", "requests name an adapter"});
  l.arguments.push_back(
      counted("--max-lora-rank", *rank, "the least that it has for the rank of the adapters"));
  l.arguments.push_back(
      counted("--max-loras", adapters.on_gpu(), "adapters in the GPU's memory and in one step"));
  l.arguments.push_back(counted("--max-cpu-loras", adapters.count, "adapters in the CPU's memory"));
  return {};
}

void add_vllm_speculation(launch& l, const launch_facts& f) {
  if (f.draft_method.empty()) return;
  nlohmann::ordered_json config;
  config["method"] = f.draft_method == "draft" ? "draft_model" : f.draft_method;
  config["num_speculative_tokens"] = f.question.replica.settings.speculative.tokens;
  if (!f.question.draft_checkpoint.empty()) config["model"] = f.question.draft_checkpoint;
  if (f.draft_method == "ngram") config["prompt_lookup_max"] = 4;
  l.arguments.push_back({"--speculative-config",
                         config.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace),
                         "tokens drafted a step"});
}

// The connector takes both roles; the router decides which one a request needs.
void add_vllm_transfer(launch& l, const launch_facts& f) {
  if (f.question.replica.settings.role == engine_role::both) return;
  l.own_address = "VLLM_NIXL_SIDE_CHANNEL_HOST";
  l.arguments.push_back({"--kv-transfer-config", R"({"kv_connector":"NixlConnector","kv_role":"kv_both"})",
                         "keys and values go from prefill to decode by NIXL"});
}

void add_vllm_scheduler(launch& l, const launch_facts& f) {
  const auto& s = f.question.replica.settings;
  auto& a = l.arguments;
  a.push_back(counted("--max-num-seqs", s.max_sequences, "sequences that run at once on an engine"));
  a.push_back(counted("--max-num-batched-tokens", s.max_batched_tokens, "tokens a step on an engine"));
  a.push_back(counted("--block-size", s.block_size, "tokens a block of the KV cache"));
  a.push_back({"--gpu-memory-utilization", fmt::format("{:.6g}", f.memory_share),
               f.usual_share ? "share of the GPU's memory: its default" : "share of the GPU's memory"});
  if (s.blocks > 0)
    a.push_back(
        counted("--num-gpu-blocks-override", s.blocks, "blocks of the KV cache, instead of its own rule"));
  if (f.request_tokens > 0)
    a.push_back(counted("--max-model-len", f.request_tokens,
                        f.question.longest_request > 0 ? "tokens of the longest request"
                        : s.chunked_prefill ? "the KV cache holds no request of the model's whole context"
                                            : "a step or the KV cache holds no longer one"));
  if (!s.chunked_prefill)
    a.push_back({"--no-enable-chunked-prefill", "", "each prompt is computed in one step"});
  a.push_back({s.prefix_caching ? "--enable-prefix-caching" : "--no-enable-prefix-caching", "",
               s.prefix_caching ? "blocks of earlier prompts are reused" : "prompts share no blocks"});
  if (f.question.replica.tiers.cpu_bytes > 0)
    a.push_back({"--kv-offloading-size",
                 fmt::format("{:.6g}", f.question.replica.tiers.cpu_bytes / (1U << 30U)),
                 "GiB of CPU memory of all ranks that keep blocks of earlier prompts"});
  if (s.priorities)
    a.push_back({"--scheduling-policy", "priority", "lower priority values are served first"});
  if (s.async_scheduling)
    a.push_back({"--async-scheduling", "", "the next step is scheduled while this one computes"});
  else
    l.notes.emplace_back(
        "vLLM schedules asynchronously where it can; simulate it with --async-scheduling, or add "
        "--no-async-scheduling here");
}

}  // namespace

result<void> add_vllm(launch& l, const launch_facts& f) {
  constexpr std::array sizes{1U, 8U, 16U, 32U, 64U, 128U, 256U};
  const auto& s = f.question.replica.settings;
  if (std::ranges::find(sizes, s.block_size) == sizes.end())
    return cannot(vllm, fmt::format("--block-size {}", s.block_size),
                  "blocks have 16, 32, 64, 128 or 256 tokens");
  l.engine = vllm;
  l.documented = "0.27";
  l.image = "vllm/vllm-openai:v0.27.1";
  if (l.gpu_resource == "amd.com/gpu") l.image = "vllm/vllm-openai-rocm:latest";
  l.program = {"vllm", "serve", f.checkpoint};
  l.arguments = {{"--host", "0.0.0.0", "reached from outside"},
                 counted("--port", l.port, "of the OpenAI API")};
  if (auto good = add_vllm_layout(l, f); !good) return good;
  add_vllm_scheduler(l, f);
  if (auto good = add_vllm_formats(l, f); !good) return good;
  add_vllm_speculation(l, f);
  add_vllm_transfer(l, f);
  return add_vllm_adapters(l, f.question.replica.adapters);
}

}  // namespace ridge::plan::serve
