// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <fmt/format.h>

#include <ridge/plan/number_format.hpp>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::string_view trtllm = "TensorRT-LLM";

result<void> check_trtllm(const launch& l, const launch_facts& f) {
  const auto& s = f.question.replica.settings;
  if (l.gpu_resource != "nvidia.com/gpu")
    return cannot(trtllm, fmt::format("--gpu {}", f.question.replica.gpu.name),
                  "choose --engine vllm or sglang");
  if (s.priorities)
    return cannot(trtllm, "--priorities: trtllm-serve takes no priorities of requests",
                  "leave it out, or choose vllm");
  if (!std::has_single_bit(s.block_size))
    return cannot(trtllm, fmt::format("--block-size {}", s.block_size), "give a power of two: 32");
  if (!f.weight_format.empty())
    return cannot(trtllm,
                  fmt::format("--weights-dtype {}: it quantizes nothing while it loads", f.weight_format),
                  "give --checkpoint NAME of a checkpoint in that format");
  return {};
}

// Data-parallel engines that share nothing are replicas; those that share experts are ranks of attention.
void add_trtllm_layout(launch& l, const launch_facts& f) {
  const auto& layout = f.question.replica.layout;
  auto& a = l.arguments;
  const int ranks = f.share_experts ? layout.tensor * layout.data : layout.tensor;
  a.push_back(counted(
      "--tp_size", ranks,
      f.share_experts ? "GPUs of the engine: tensor times data parallelism" : "GPUs that divide each layer"));
  if (layout.pipeline > 1)
    a.push_back(counted("--pp_size", layout.pipeline, "stages that divide the layers"));
  if (layout.expert > 1)
    a.push_back(counted("--ep_size", layout.expert, "GPUs among which the experts are divided"));
  if (f.share_experts)
    l.file.push_back(
        {"enable_attention_dp", "true", "each rank has requests of its own; ranks share the experts"});
  if (layout.data == 1 || f.share_experts) return;
  l.replicas *= layout.data;
  l.gpus /= layout.data;
  l.notes.push_back(
      fmt::format("trtllm-serve starts one engine: the {} data-parallel engines of each replica are "
                  "{} replicas here",
                  layout.data, l.replicas));
}

void add_trtllm_scheduler(launch& l, const launch_facts& f) {
  const auto& s = f.question.replica.settings;
  auto& a = l.arguments;
  a.push_back(counted("--max_batch_size", s.max_sequences, "sequences that run at once"));
  a.push_back(counted("--max_num_tokens", s.max_batched_tokens, "tokens a step"));
  if (f.request_tokens > 0)
    a.push_back(counted("--max_seq_len", f.request_tokens,
                        f.question.longest_request > 0
                            ? "tokens of the longest request"
                            : "the KV cache holds no request of the model's whole context"));
  a.push_back({"--free_gpu_memory_fraction", fmt::format("{:.6g}", f.memory_share),
               "share of the memory that weights leave, for the KV cache"});
  if (s.chunked_prefill)
    a.push_back({"--enable_chunked_prefill", "", "long prompts share steps with decoding"});
  l.file.push_back({"kv_cache_config/enable_block_reuse", s.prefix_caching ? "true" : "false",
                    s.prefix_caching ? "blocks of earlier prompts are reused" : "prompts share no blocks"});
  l.file.push_back(
      counted("kv_cache_config/tokens_per_block", s.block_size, "tokens a block of the KV cache"));
  if (s.blocks > 0)
    l.file.push_back(counted("kv_cache_config/max_tokens", f.cache_tokens,
                             "tokens of the KV cache, as blocks were given"));
  if (const auto bytes = f.question.replica.tiers.cpu_bytes; bytes > 0) {
    const auto& layout = f.question.replica.layout;
    l.file.push_back({"kv_cache_config/host_cache_size",
                      fmt::format("{:.0f}", bytes * layout.data / static_cast<double>(layout.gpus())),
                      "bytes of CPU memory of a rank that keep blocks of earlier prompts"});
  }
  if (!s.async_scheduling)
    l.notes.emplace_back(
        "TensorRT-LLM overlaps scheduling with computing; simulate it with --async-scheduling, or add "
        "disable_overlap_scheduler: true to the file");
}

result<void> add_trtllm_formats(launch& l, const launch_facts& f) {
  const auto kv = number_format_named(f.question.replica.kv_format);
  if (!kv) return kv.why();
  const bool sixteen = kv->bytes_per_element == 2;
  if (!sixteen && kv->name != "fp8" && kv->name != "nvfp4")
    return cannot(trtllm, fmt::format("--kv-dtype {}", kv->name),
                  "keys and values are in 16 bits, fp8 or nvfp4");
  l.file.push_back({"kv_cache_config/dtype", sixteen ? "auto" : std::string(kv->name),
                    sixteen ? "keys and values as the checkpoint says: 16 bits" : "format of keys and values",
                    true});
  return {};
}

void add_trtllm_transfer(launch& l, const launch_facts& f) {
  const auto role = f.question.replica.settings.role;
  if (role == engine_role::both) return;
  l.file.push_back(
      {"cache_transceiver_config/backend", "NIXL", "keys and values go from prefill to decode", true});
  if (role == engine_role::prefill && f.draft_method != "draft")
    l.file.push_back(
        {"disable_overlap_scheduler", "true", "a prefilling engine does not overlap its scheduling"});
}

void add_trtllm_speculation(launch& l, const launch_facts& f) {
  if (f.draft_method.empty()) return;
  const auto* const type = f.draft_method == "mtp"      ? "MTP"
                           : f.draft_method == "eagle3" ? "Eagle3"
                           : f.draft_method == "ngram"  ? "NGram"
                                                        : "Draft_Target";
  l.file.push_back({"speculative_config/decoding_type", type, "how tokens are drafted", true});
  l.file.push_back(counted("speculative_config/max_draft_len", f.question.replica.settings.speculative.tokens,
                           "tokens drafted a step"));
  if (!f.question.draft_checkpoint.empty())
    l.file.push_back(
        {"speculative_config/speculative_model", f.question.draft_checkpoint, "what drafts", true});
  if (f.draft_method == "draft")
    l.file.push_back({"disable_overlap_scheduler", "true", "a draft model of its own needs it"});
}

}  // namespace

result<void> add_trtllm(launch& l, const launch_facts& f) {
  if (auto good = check_trtllm(l, f); !good) return good;
  l.engine = trtllm;
  l.documented = "1.3";
  l.image = "nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc6";
  l.program = {"trtllm-serve", f.checkpoint};
  l.file_argument = "--config";
  l.arguments = {{"--backend", "pytorch", "the backend that loads checkpoints as they are"},
                 {"--host", "0.0.0.0", "reached from outside"},
                 counted("--port", l.port, "of the OpenAI API")};
  add_trtllm_layout(l, f);
  add_trtllm_scheduler(l, f);
  if (auto good = add_trtllm_formats(l, f); !good) return good;
  add_trtllm_speculation(l, f);
  add_trtllm_transfer(l, f);
  return {};
}

}  // namespace ridge::plan::serve
