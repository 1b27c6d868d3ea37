// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/plan/number_format.hpp>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::string_view sglang = "SGLang";

// With data-parallel attention the tensor ranks of SGLang are all GPUs, and limits are those of all ranks.
result<void> add_sglang_layout(launch& l, const launch_facts& f) {
  const auto& layout = f.question.replica.layout;
  auto& a = l.arguments;
  const int ranks = f.share_experts ? layout.tensor * layout.data : layout.tensor;
  a.push_back(counted(
      "--tp-size", ranks,
      f.share_experts ? "GPUs of the engine: tensor times data parallelism" : "GPUs that divide each layer"));
  if (layout.pipeline > 1)
    a.push_back(counted("--pp-size", layout.pipeline, "stages that divide the layers"));
  if (layout.data > 1)
    a.push_back(counted("--dp-size", layout.data,
                        f.share_experts ? "ranks with requests of their own that share the experts"
                                        : "engines behind one port, each with requests of its own"));
  if (f.share_experts)
    a.push_back(
        {"--enable-dp-attention", "", "data parallelism of attention alone, so that ranks share experts"});
  if (layout.expert == 1) return {};
  if (ranks % layout.expert != 0)
    return cannot(sglang, fmt::format("experts divided among {} of {} GPUs", layout.expert, ranks),
                  "give --ep as a divisor of tensor (times data) parallelism");
  a.push_back(counted("--ep-size", layout.expert, "GPUs among which the experts are divided"));
  return {};
}

void add_sglang_scheduler(launch& l, const launch_facts& f) {
  const auto& s = f.question.replica.settings;
  auto& a = l.arguments;
  const auto ranks = f.share_experts ? f.question.replica.layout.data : 1;
  const std::string of_all = ranks > 1 ? ", of all data-parallel ranks" : "";
  a.push_back(counted("--max-running-requests", std::int64_t{s.max_sequences} * ranks,
                      "sequences that run at once" + of_all));
  if (s.chunked_prefill) {
    a.push_back(counted("--chunked-prefill-size", std::int64_t{s.max_batched_tokens} * ranks,
                        "prompt tokens a step" + of_all));
  } else {
    a.push_back(counted("--chunked-prefill-size", -1, "each prompt is computed in one step"));
    a.push_back(counted("--max-prefill-tokens", std::int64_t{s.max_batched_tokens}, "prompt tokens a step"));
  }
  a.push_back(counted("--page-size", s.block_size, "tokens a block of the KV cache"));
  a.push_back({"--mem-fraction-static", fmt::format("{:.6g}", f.memory_share),
               "share of the GPU's memory for weights and KV cache"});
  if (s.blocks > 0)
    a.push_back(
        counted("--max-total-tokens", f.cache_tokens, "tokens of the KV cache, as blocks were given"));
  if (f.request_tokens > 0)
    a.push_back(counted("--context-length", f.request_tokens,
                        f.question.longest_request > 0 ? "tokens of the longest request"
                        : s.chunked_prefill ? "the KV cache holds no request of the model's whole context"
                                            : "a step or the KV cache holds no longer one"));
  if (const auto bytes = f.question.replica.tiers.cpu_bytes; bytes > 0) {
    const auto engines = f.question.replica.layout.data;
    const double gb = bytes * engines / static_cast<double>(f.question.replica.layout.gpus()) / 1e9;
    a.push_back({"--enable-hierarchical-cache", "", "CPU memory keeps blocks of earlier prompts"});
    a.push_back({"--hicache-size", fmt::format("{:.0f}", gb), "GB of it for each rank"});
  }
  if (!s.prefix_caching) a.push_back({"--disable-radix-cache", "", "prompts share no blocks"});
  if (s.priorities) {
    a.push_back({"--enable-priority-scheduling", "", "requests are served by priority"});
    a.push_back({"--schedule-low-priority-values-first", "", "lower priority values are served first"});
  }
  if (!s.async_scheduling)
    l.notes.emplace_back(
        "SGLang overlaps scheduling with computing; simulate it with --async-scheduling, or add "
        "--disable-overlap-schedule here");
}

result<void> add_sglang_formats(launch& l, const launch_facts& f) {
  const auto kv = number_format_named(f.question.replica.kv_format);
  if (!kv) return kv.why();
  const bool sixteen = kv->bytes_per_element == 2;
  if (!sixteen && kv->name != "fp8")
    return cannot(sglang, fmt::format("--kv-dtype {}", kv->name), "keys and values are in 16 bits or fp8");
  l.arguments.push_back(
      {"--kv-cache-dtype", sixteen ? "auto" : "fp8_e4m3",
       sixteen ? "keys and values as the model computes them: 16 bits" : "keys and values in 8 bits"});
  if (f.weight_format == "fp8")
    l.arguments.push_back({"--quantization", "fp8", "the checkpoint's 16 bits become fp8 while it loads"});
  else if (!f.weight_format.empty())
    l.arguments.push_back(
        {"--dtype", f.weight_format == "bf16" ? "bfloat16" : "float16", "format of the weights"});
  return {};
}

void add_sglang_transfer(launch& l, const launch_facts& f) {
  const auto role = f.question.replica.settings.role;
  if (role == engine_role::both) return;
  const bool prefills = role == engine_role::prefill;
  l.arguments.push_back(
      {"--disaggregation-mode", prefills ? "prefill" : "decode", "the phase that it computes"});
  l.arguments.push_back(
      {"--disaggregation-transfer-backend", "nixl", "keys and values go from prefill to decode by NIXL"});
  if (prefills)
    l.arguments.push_back(counted("--disaggregation-bootstrap-port", sglang_bootstrap_port,
                                  "where decoding engines ask for a prompt: its default"));
}

result<void> add_sglang_speculation(launch& l, const launch_facts& f) {
  if (f.draft_method.empty()) return {};
  if (f.draft_method == "ngram" && f.share_experts)
    return cannot(sglang, "--draft-method ngram with data-parallel attention", "choose another method");
  const auto tokens = std::int64_t{f.question.replica.settings.speculative.tokens};
  auto& a = l.arguments;
  const auto* const algorithm = f.draft_method == "mtp"      ? "NEXTN"
                                : f.draft_method == "eagle3" ? "EAGLE3"
                                : f.draft_method == "ngram"  ? "NGRAM"
                                                             : "STANDALONE";
  a.push_back({"--speculative-algorithm", algorithm, "how tokens are drafted"});
  if (!f.question.draft_checkpoint.empty())
    a.push_back({"--speculative-draft-model-path", f.question.draft_checkpoint, "what drafts"});
  if (f.draft_method != "ngram") {
    a.push_back(counted("--speculative-num-steps", tokens, "tokens drafted a step"));
    a.push_back(counted("--speculative-eagle-topk", 1, "a chain of tokens, no tree"));
  }
  a.push_back(counted("--speculative-num-draft-tokens", tokens + 1,
                      "tokens verified a step: the drafted and one more"));
  return {};
}

}  // namespace

result<void> add_sglang(launch& l, const launch_facts& f) {
  l.engine = sglang;
  l.documented = "0.5";
  if (l.gpu_resource == "amd.com/gpu" && f.question.image.empty())
    return error{fmt::format("SGLang's images for {} are one for each kind of GPU and ROCm",
                             f.question.replica.gpu.name),
                 "give --image: hub.docker.com/r/lmsysorg/sglang-rocm lists them"};
  l.image = "lmsysorg/sglang:v0.5.19";
  l.program = {"python3", "-m", "sglang.launch_server", "--model-path", f.checkpoint};
  l.arguments = {{"--host", "0.0.0.0", "reached from outside"},
                 counted("--port", l.port, "of the OpenAI API")};
  if (auto good = add_sglang_layout(l, f); !good) return good;
  add_sglang_scheduler(l, f);
  if (auto good = add_sglang_formats(l, f); !good) return good;
  add_sglang_transfer(l, f);
  return add_sglang_speculation(l, f);
}

}  // namespace ridge::plan::serve
