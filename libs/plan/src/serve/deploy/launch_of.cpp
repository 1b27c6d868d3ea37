// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/engine_steps.hpp>
#include <ridge/plan/number_format.hpp>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

constexpr int gpus_of_a_host = 8, gpus_of_a_superchip_host = 4;

std::optional<error> name_wrong(std::string_view option, std::string_view text) {
  if (text.starts_with('-'))
    return error{fmt::format("{}: a name that begins with \"-\" would be read as an option", option),
                 "give the folder as ./NAME, or its full path"};
  if (text.empty() || text.find('\0') != std::string_view::npos)
    return error{fmt::format("{}: no name that an engine could load", option), "give --checkpoint NAME"};
  return {};
}

// A name as Kubernetes allows it (RFC 1123): lower case, digits and single hyphens.
std::string object_name(std::string_view checkpoint) {
  constexpr std::size_t most = 50;
  const auto slash = checkpoint.find_last_of('/');
  std::string name;
  for (const char c : checkpoint.substr(slash == std::string_view::npos ? 0 : slash + 1)) {
    const auto u = static_cast<unsigned char>(c);
    const bool good = u < 128 && std::isalnum(u) != 0;
    if (good) name += static_cast<char>(std::tolower(u));
    if (!good && !name.empty() && name.back() != '-') name += '-';
  }
  if (name.empty()) return "model";
  if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) name = "model-" + name;
  name.resize(std::min(name.size(), most));
  while (name.back() == '-') name.pop_back();
  return name;
}

std::optional<error> object_name_wrong(const std::string& name) {
  if (!name.empty() && name.size() <= 63 && name == object_name(name)) return {};
  return error{"--name is not a name that Kubernetes allows",
               "write lower-case letters, digits and hyphens, at most 50, beginning with a letter"};
}

// What one host must hold.
result<int> gpus_of_one_replica(const deployment_question& q) {
  const auto& gpu = q.replica.gpu.name;
  const int most = gpu.starts_with("GB") || gpu.starts_with("GH") ? gpus_of_a_superchip_host : gpus_of_a_host;
  const auto gpus = q.replica.layout.gpus();
  if (gpus <= most) return static_cast<int>(gpus);
  return error{fmt::format("{} takes {} GPUs, and a host has {}", q.replica.layout.text(), gpus, most),
               "start independent replicas instead (--replicas), or use a launcher of many hosts: Ray, "
               "LeaderWorkerSet, Slurm"};
}

result<std::string> draft_method_of(const deployment_question& q) {
  if (q.replica.settings.speculative.tokens == 0) return std::string{};
  const auto method = !q.draft_method.empty()                 ? q.draft_method
                      : q.replica.model.prediction_layers > 0 ? std::string("mtp")
                                                              : std::string{};
  if (method.empty())
    return error{
        fmt::format("--speculative: {} has no prediction layers to draft with", q.replica.model.name),
        "give --draft-method eagle3 or draft with --draft-checkpoint NAME, or ngram"};
  if (method == "mtp" && q.replica.model.prediction_layers == 0)
    return error{fmt::format("--draft-method mtp: {} has no prediction layers", q.replica.model.name),
                 "choose eagle3, draft or ngram"};
  const bool of_own = method == "eagle3" || method == "draft";
  if (of_own == q.draft_checkpoint.empty())
    return error{
        fmt::format("--draft-method {} {} --draft-checkpoint", method, of_own ? "needs" : "takes no"),
        of_own ? "name the checkpoint of the draft" : "leave it out"};
  if (of_own)
    if (auto wrong = name_wrong("--draft-checkpoint", q.draft_checkpoint)) return *wrong;
  return method;
}

// The format into which the engine must bring the weights; a checkpoint of one's own has them so already.
result<std::string> weights_to_make(const deployment_question& q) {
  const auto& wanted = q.replica.weight_format;
  if (wanted.empty() || !q.checkpoint.empty()) return std::string{};
  const auto format = number_format_named(wanted);
  if (!format) return format.why();
  const auto own = number_format_named(q.replica.model.weight_format);
  if (own && own->name == format->name) return std::string{};
  const bool from_16_bits = own && own->bytes_per_element == 2;
  if (from_16_bits && (format->name == "fp8" || format->name == "bf16" || format->name == "fp16"))
    return std::string(format->name);
  return error{fmt::format("{} comes as {}, and no engine makes {} of it while it loads",
                           q.replica.model.name, q.replica.model.weight_format, format->name),
               "give --checkpoint NAME of a checkpoint in that format"};
}

result<cache_engine> known_engine(const std::string& name) {
  if (name == "static")
    return error{"static batching is no engine that can be started",
                 "choose --engine vllm, sglang or trtllm"};
  return cache_engine_named(name);
}

result<launch_facts> facts_of(const deployment_question& q) {
  launch_facts f{.question = q, .checkpoint = q.checkpoint.empty() ? q.replica.model.name : q.checkpoint};
  if (auto wrong = name_wrong("--checkpoint", f.checkpoint)) return *wrong;
  const auto engine = known_engine(q.replica.engine);
  if (!engine) return engine.why();
  if (q.replica.tiers.ssd_bytes > 0)
    return cannot(q.replica.engine, "--kv-ssd-gib",
                  "a tier on an SSD needs a configuration of its own: leave it out here");
  if (q.replica.adapters.count > 0 && q.replica.engine != "vllm")
    return error{fmt::format("the arguments for adapters of {} are not known here", q.replica.engine),
                 "leave --lora-adapters, and add them to the launch; or choose --engine vllm"};
  const auto planned = plan_replica(q.replica);
  if (!planned) return planned.why();
  const auto& settings = q.replica.settings;
  f.cache_tokens = std::int64_t{planned->pool.engine.blocks} * settings.block_size;
  const auto context = q.replica.model.max_positions;
  f.request_tokens = q.longest_request > 0                     ? q.longest_request
                     : context > 0 && context > f.cache_tokens ? f.cache_tokens
                                                               : 0;
  if (!settings.chunked_prefill) {
    const auto step = std::int64_t{settings.max_batched_tokens};
    if (q.longest_request > step)
      return error{
          fmt::format("--longest-request {}: without chunked prefill a step of {} tokens must hold it",
                      q.longest_request, step),
          "give --max-batched-tokens of the longest request, or leave --no-chunked-prefill out"};
    const auto longest = f.request_tokens > 0 ? f.request_tokens : context > 0 ? context : step;
    f.request_tokens = std::min(longest, step);
  }
  if (const auto fine = check_request(q.replica.model, q.longest_request); !fine) return fine.why();
  if (f.request_tokens > f.cache_tokens)
    return error{
        fmt::format("--longest-request {}: the KV cache holds {} tokens", f.request_tokens, f.cache_tokens),
        "give more GPUs, a smaller --kv-dtype, or a shorter request"};
  const double usual = engine_steps_of(*engine, q.replica.gpu, q.replica.layout).memory_share;
  f.memory_share = q.replica.utilization > 0 ? q.replica.utilization : usual;
  f.usual_share = f.memory_share == usual;
  f.share_experts = q.replica.layout.expert > 1 && q.replica.layout.data > 1;
  auto method = draft_method_of(q);
  if (!method) return method.why();
  f.draft_method = std::move(*method);
  auto weights = weights_to_make(q);
  if (!weights) return weights.why();
  f.weight_format = std::move(*weights);
  return f;
}

std::optional<error> numbers_wrong(const deployment_question& q) {
  if (q.replicas < 1)
    return error{fmt::format("--replicas {} is out of range", q.replicas), "give 1 or more"};
  if (q.port < 1 || q.port > 65535)
    return error{fmt::format("--port {} is out of range", q.port), "give 1 to 65535"};
  if (q.longest_request < 0)
    return error{fmt::format("--longest-request {} is out of range", q.longest_request), "give 1 or more"};
  if (q.replica.utilization < 0 || q.replica.utilization > 1)
    return error{fmt::format("--utilization {} is out of range", q.replica.utilization), "give a share: 0.9"};
  return {};
}

}  // namespace

error cannot(std::string_view engine, std::string_view request, std::string_view remedy) {
  return {fmt::format("{} cannot do this: {}", engine, request), std::string(remedy)};
}

launch_argument counted(std::string name, std::int64_t value, std::string reason) {
  return {std::move(name), fmt::format("{}", value), std::move(reason)};
}

result<launch> launch_of(const deployment_question& q) {
  if (auto wrong = numbers_wrong(q)) return *wrong;
  const auto facts = facts_of(q);
  if (!facts) return facts.why();
  const auto gpus = gpus_of_one_replica(q);
  if (!gpus) return gpus.why();
  launch l{.image = q.image,
           .name = q.name.empty() ? object_name(facts->checkpoint) : q.name,
           .port = q.port,
           .gpus = *gpus,
           .replicas = q.replicas,
           .kv_tokens = facts->cache_tokens,
           .gpu = q.replica.gpu.name};
  if (auto wrong = object_name_wrong(l.name)) return *wrong;
  const bool amd = q.replica.gpu.generation.starts_with("cdna");
  l.gpu_resource = amd ? "amd.com/gpu" : "nvidia.com/gpu";
  const auto added = q.replica.engine == "vllm"     ? add_vllm(l, *facts)
                     : q.replica.engine == "sglang" ? add_sglang(l, *facts)
                                                    : add_trtllm(l, *facts);
  if (!added) return added.why();
  if (!q.image.empty()) l.image = q.image;
  return l;
}

}  // namespace ridge::plan::serve
