// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/engine_settings.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace ridge::plan::serve {
namespace {

constexpr std::array<std::pair<scheduler_kind, std::string_view>, 5> schedulers{
    {{scheduler_kind::vllm_v1, "vllm_v1"},
     {scheduler_kind::sglang, "sglang"},
     {scheduler_kind::trtllm_inflight, "trtllm_inflight"},
     {scheduler_kind::trtllm_no_evict, "trtllm_no_evict"},
     {scheduler_kind::static_batching, "static_batching"}}};

error bad(std::string field, const std::string& value, std::string remedy) {
  return {"engine settings: " + std::move(field) + " is " + value, std::move(remedy)};
}

result<void> check_sizes(const engine_settings& s) {
  const std::array<std::pair<std::string_view, std::uint32_t>, 4> sizes{
      {{"max_batched_tokens", s.max_batched_tokens},
       {"max_sequences", s.max_sequences},
       {"block_size", s.block_size},
       {"blocks", s.blocks}}};
  for (const auto& [name, value] : sizes) {
    if (value == 0) {
      return bad(std::string{name}, "0", "give at least 1");
    }
  }
  if (!std::ranges::is_sorted(s.cuda_graph_sizes)) {
    return bad("cuda_graph_sizes", "not ascending", "sort them");
  }
  return {};
}

bool share(double x) { return x >= 0 && x < 1; }

result<void> check_numbers(const engine_settings& s) {
  if (!share(s.watermark)) {
    return bad("watermark", std::to_string(s.watermark), "give a share of the blocks, from 0 to below 1");
  }
  if (!share(s.speculative.acceptance)) {
    return bad("speculative.acceptance", std::to_string(s.speculative.acceptance),
               "give a share from 0 to below 1");
  }
  const std::array<std::pair<std::string_view, double>, 4> times{{{"host_s", s.host_s},
                                                                  {"front_end_s", s.front_end_s},
                                                                  {"request_s", s.request_s},
                                                                  {"adapters.load_s", s.adapters.load_s}}};
  for (const auto& [name, seconds] : times) {
    if (!std::isfinite(seconds) || seconds < 0) {
      return bad(std::string{name}, std::to_string(seconds), "give seconds, 0 or more");
    }
  }
  if (s.scheduler == scheduler_kind::static_batching &&
      (s.role != engine_role::both || s.speculative.tokens > 0 || s.adapters.slots > 0)) {
    return bad("scheduler", "static_batching",
               "static batches neither split prompts from answers nor speculate nor have adapters");
  }
  return {};
}

result<void> check_tiers(const engine_settings& s) {
  for (const auto* tier : {&s.host, &s.disk}) {
    const bool rate = std::isfinite(tier->read_bytes_per_s) && tier->read_bytes_per_s >= 0;
    if (tier->blocks > 0 && (!rate || !(s.tier_token_bytes() > 0) || !s.prefix_caching)) {
      return bad(tier == &s.host ? "host.blocks" : "disk.blocks", std::to_string(tier->blocks),
                 "a tier needs prefix_caching, read_bytes_per_s of 0 or more and kv_bytes_per_token");
    }
  }
  if (s.transfer_bytes_per_s > 0 && !(s.kv_bytes_per_token > 0)) {
    return bad("kv_bytes_per_token", "0", "give the bytes per token of the KV cache, to time its transfer");
  }
  return {};
}

}  // namespace

std::string_view name_of(scheduler_kind k) {
  return std::ranges::find(schedulers, k, &std::pair<scheduler_kind, std::string_view>::first)->second;
}

result<scheduler_kind> scheduler_named(std::string_view name) {
  const auto* const at =
      std::ranges::find(schedulers, name, &std::pair<scheduler_kind, std::string_view>::second);
  if (at == schedulers.end()) {
    return error{"no scheduler '" + std::string{name} + "'",
                 "one of vllm_v1, sglang, trtllm_inflight, trtllm_no_evict, static_batching"};
  }
  return at->first;
}

double image_settings::seconds(std::uint64_t images) const {
  if (encode_s.size() < 2) return 0;
  const auto last = encode_s.size() - 1;
  if (images <= last) return encode_s[images];
  return encode_s[last] + static_cast<double>(images - last) * (encode_s[last] - encode_s[last - 1]);
}

double speculation::expected_tokens() const {
  return acceptance >= 1 ? tokens + 1.0 : (1 - std::pow(acceptance, tokens + 1.0)) / (1 - acceptance);
}

result<void> engine_settings::check() const {
  if (auto sizes = check_sizes(*this); !sizes) {
    return sizes;
  }
  if (auto numbers = check_numbers(*this); !numbers) {
    return numbers;
  }
  return check_tiers(*this);
}

result<void> check_prefixes(const engine_settings& s, const request_table& requests) {
  const auto of = requests.prefix_block_tokens();
  if (of == 0 || of % s.block_size == 0 || s.block_size % of == 0) {
    return {};
  }
  return bad(
      "block_size", std::to_string(s.block_size),
      "prefixes come in blocks of " + std::to_string(of) + " tokens: give a divisor or a multiple of it");
}

}  // namespace ridge::plan::serve
