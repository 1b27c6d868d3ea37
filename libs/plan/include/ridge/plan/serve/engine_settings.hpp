// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/iteration.hpp>
#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

// The scheduler of an engine.
enum class scheduler_kind : std::uint8_t {
  vllm_v1,          // one token budget, running requests first; preempts the latest
  sglang,           // new prompts first, in batches of their own; retracts the latest on full memory
  trtllm_inflight,  // running first; admits while blocks for the prompt are free; pauses the latest
  trtllm_no_evict,  // admits only requests that fit to their last token; never preempts
  static_batching,  // a batch runs to the end of its longest answer
};

// Its name as options and reports spell it, and the scheduler of a name; the error lists the names.
[[nodiscard]] std::string_view name_of(scheduler_kind k);
[[nodiscard]] result<scheduler_kind> scheduler_named(std::string_view name);

// Which phases of a request an engine computes.
enum class engine_role : std::uint8_t {
  both,
  prefill,  // hands its requests over after the first token
  decode,   // receives requests whose prompt another engine computed
};

// Speculative decoding.
struct speculation {
  std::uint32_t tokens = 0;  // drafted tokens per step; 0: off
  double acceptance = 0;     // probability per token, given that those before it were accepted

  // Expected tokens per step: (1 - a^(k + 1)) / (1 - a), Leviathan et al., "Fast Inference from Transformers
  // via Speculative Decoding" (2023), equation 1.
  [[nodiscard]] double expected_tokens() const;
};

// A tier below the GPU. It keeps the blocks that the tier above it gave up, the longest unused go first.
struct kv_tier {
  std::uint64_t blocks = 0;
  double read_bytes_per_s = 0;  // 0: nothing is read from it
};

// Adapters (LoRA) of an engine whose requests name theirs (request::adapter). Requests whose adapter has no
// slot are passed over (vLLM, v1/core/sched/scheduler.py).
struct adapter_settings {
  std::uint32_t slots = 0;  // different adapters in the GPU's memory; 0: adapters cost nothing
  double load_s = 0;        // to bring one there, during which no step computes
  std::shared_ptr<const adapter_timer> timer{};  // null: steps take as long as without
};

// Images at the end of every prompt, which are part of its input tokens. A step encodes those whose first
// token it computes, before all else (vLLM, v1/core/sched/scheduler.py).
struct image_settings {
  std::uint32_t count = 0;   // of each request; 0: none
  std::uint32_t tokens = 0;  // of each image
  std::vector<double>
      encode_s{};  // seconds to encode 0, 1, 2, ... images together; beyond, as the last one more

  // Seconds to encode so many images together.
  [[nodiscard]] double seconds(std::uint64_t images) const;
};

// Settings of one engine, under names close to those of vLLM.
struct engine_settings {
  scheduler_kind scheduler{scheduler_kind::vllm_v1};
  engine_role role{engine_role::both};
  std::uint32_t max_batched_tokens = 2048;
  std::uint32_t max_sequences = 256;
  std::uint32_t block_size = 16;  // tokens
  std::uint32_t blocks = 0;       // blocks of the KV cache
  bool prefix_caching = true;
  bool chunked_prefill = true;
  std::uint32_t long_prefill_tokens = 0;  // most tokens of one prompt per step; 0: no limit
  double watermark = 0;                   // share of the blocks that admission leaves free
  double output_reserve =
      0.1;  // sglang: share of the remaining answers of running requests that admission leaves free
  bool reserve_input = true;  // admission requires blocks for the whole input
  bool priorities = false;    // order of service: priority, then arrival; else arrival alone
  // The next step is scheduled while the present one is computed: arrivals and freed blocks wait one step
  // longer, and the host's time overlaps the GPU's.
  bool async_scheduling = false;
  double host_s = 0;  // host time per step in addition to the timer's
  // Time of a request before the scheduler sees it: in the front end, which handles one after another
  // (front_end_s), and elsewhere, the way of its first token back included (request_s).
  double front_end_s = 0, request_s = 0;
  std::vector<std::uint32_t> cuda_graph_sizes{};  // ascending; decode-only steps are padded to the next
  speculation speculative{};
  double kv_bytes_per_token = 0;    // of one copy of the cache, for hand-over
  double tier_bytes_per_token = 0;  // in the tiers, where ranks may keep copies; 0: kv_bytes_per_token
  double transfer_bytes_per_s = 0;  // role decode: bandwidth of the link; 0: no delay
  kv_tier host{}, disk{};           // what comes from the disk passes the link of the host, too
  adapter_settings adapters{};
  image_settings images{};
  std::uint64_t seed = 1;    // of the random acceptance of drafted tokens
  bool fast_forward = true;  // computes many uneventful steps at once, with the same results

  // Bytes of a token in the tiers and over their links.
  [[nodiscard]] double tier_token_bytes() const {
    return tier_bytes_per_token > 0 ? tier_bytes_per_token : kv_bytes_per_token;
  }
  // The error names the member that is out of range.
  [[nodiscard]] result<void> check() const;
};

// Checks that the block size agrees with the prefix blocks of these requests, so that equal blocks can be
// recognised. The error names both sizes.
[[nodiscard]] result<void> check_prefixes(const engine_settings& s, const request_table& requests);

}  // namespace ridge::plan::serve
